#!/usr/bin/env python3
"""Times Darrow against the inflate limit and against PyDarshan, and judges the figures to reach.

What is measured and why: docs/benchmarks.md. Exit codes: 0 all figures reached, 1 some not, 2 something is missing.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import report
import set_cases
from cases import DARROW, GENERATED, HERE, ROOT, generated, scenarios
from measure import Failed, Runs, Scenario, progress_line

LOGS = ROOT.parent / "shared" / "logs" / "large"
BUILD = ROOT / "build" / "python"
PROGRAMS = ("bench_columns", "bench_encode", "bench_inflate_limit")
PACKAGES = ("darrow", "darshan", "pyarrow", "pandas", "polars")
DOCUMENT = ROOT / "docs" / "benchmarks.md"
BEGIN, END = "<!-- results: bench/run.py --markdown -->", "<!-- end of results -->"


class Missing(Exception):
    """Something that a measurement needs is not there."""


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("-n", "--repetitions", type=int, default=7, metavar="N", help="runs of each program (7)")
    parser.add_argument("--only", action="append", default=[], metavar="KEY", help="this scenario, may be repeated")
    parser.add_argument("--core", type=int, help="the core to use (the last one)")
    parser.add_argument("--logs", type=Path, default=LOGS, metavar="FOLDER", help="where the large logs are")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every sample")
    parser.add_argument("--markdown", action="store_true", help="renew the results in docs/benchmarks.md")
    chosen = parser.parse_args()
    if chosen.repetitions < 1:
        parser.error("at least one repetition is needed")
    return chosen


def choose(all_scenarios: list[Scenario], only: list[str]) -> dict[str, Scenario]:
    """The scenarios asked for. Their logs must be there."""
    known = {scenario.key: scenario for scenario in all_scenarios}
    if unknown := set(only) - set(known):
        raise Missing(f"no scenario {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    chosen = {key: scenario for key, scenario in known.items() if not only or key in only}
    made = generated(BUILD / "bench").values()
    if missing := sorted({str(s.log) for s in chosen.values() if s.log and s.log not in made and not s.log.exists()}):
        raise Missing("logs that are measured are not there (--logs tells where to look):\n  " + "\n  ".join(missing))
    return chosen


def build() -> None:
    """Builds the C++ programs where `make install` builds the package: the library is compiled once."""
    if missing := [package for package in PACKAGES if importlib.util.find_spec(package) is None]:
        raise Missing(f"Python packages {', '.join(missing)} are not installed; `make bench` installs them")
    if not DARROW.exists() or not (BUILD / "CMakeCache.txt").exists():
        raise Missing("the package and its command are not built; `make bench` builds them")
    built = subprocess.run(["cmake", "--build", BUILD, "--target", *PROGRAMS], capture_output=True, text=True)
    if built.returncode:
        raise Missing(f"the C++ programs cannot be built:\n{built.stdout}{built.stderr}")


def generate(chosen: dict[str, Scenario]) -> None:
    """Makes the logs that are not there to be read."""
    for name, path in generated(BUILD / "bench").items():
        if any(s.log == path for s in chosen.values()) and not path.exists():
            progress_line(f"making {path.name}")
            _, kind, size = GENERATED[name]
            command = [sys.executable, HERE / "generate.py", kind, path, "--size", str(size)]
            made = subprocess.run(command, capture_output=True, text=True)
            if made.returncode:
                raise Missing(f"{path.name} cannot be made:\n{made.stderr}")


def pin(core: int | None) -> None:
    """Keeps this process and all that it starts on one core."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core if core is not None else max(os.sched_getaffinity(0))})


def renew(path: Path, results: str) -> None:
    """Puts the results between their marks."""
    before, begin, rest = path.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise Missing(f"{path} has no place for results")
    path.write_text(f"{before}{begin}\n{results}{end}{after}", encoding="utf-8")


def main() -> int:
    options = arguments()
    programs = BUILD / "bench"
    logs = options.logs.resolve()
    everything = scenarios(logs, programs) + set_cases.scenarios(logs, programs, generated(programs))
    chosen = choose(everything, options.only)
    build()
    generate(chosen)
    pin(options.core)
    before = os.getloadavg()[0]
    if before > 0.5:
        print(f"The machine is busy (load {before:.1f}): expect noise.", file=sys.stderr)

    results: dict[str, dict[str, Runs]] = {}
    for key, scenario in chosen.items():
        results[key] = scenario.measure(options.repetitions, progress_line)
    progress_line("")

    facts = report.machine()
    facts["load"] = (before, os.getloadavg()[0])
    about = report.machine_text(facts, options.repetitions)
    parts = [("Figures to reach", report.figure_table(chosen, results))]
    parts += [(report.heading(chosen[key], runs), report.scenario_table(runs)) for key, runs in results.items()]
    print(report.document(parts, about, markdown=False), end="")
    if options.json:
        options.json.write_text(json.dumps(report.as_json(results, facts), indent=1) + "\n", encoding="utf-8")
    if options.markdown:
        renew(DOCUMENT, report.document(parts, about, markdown=True))
    return 0 if all(reached for *_, reached in report.judged(results)) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (Missing, Failed) as error:
        print(f"bench: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
