"""Programs measured from outside: each run is a fresh process, competitors take turns."""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# Seconds that programs report themselves.
COSTS = ("cpu", "wall", "encode", "compress")


class Failed(Exception):
    """A measured program failed, or competitors disagree about the data."""


@dataclass(frozen=True)
class Case:
    """A program, and who it is in a scenario."""

    name: str
    command: list[str]
    reports: bool = True  # prints JSON: "cpu" of the operation alone, and facts


@dataclass(frozen=True)
class Spread:
    """Median, least and largest of several runs."""

    median: float
    least: float
    most: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        return cls(statistics.median(values), min(values), max(values))

    def scaled(self, factor: float) -> Spread:
        return Spread(self.median * factor, self.least * factor, self.most * factor)


@dataclass
class Runs:
    """All runs of one case."""

    case: Case
    # Of each run, in seconds and bytes: "process_cpu" (user and system), "process_wall" (from before the start until it
    # is gone), "peak" (resident memory); "cpu" and "wall" of the operation alone, where the program reports them.
    samples: list[dict[str, float]] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)  # what the program printed last

    def add(self) -> None:
        """Runs the program twice and counts the second, which finds the memory that the first has just given back.

        Else a virtual machine may have handed that memory to its host, and fetching it costs several times the work.
        """
        run(self.case.command)
        wall, usage, output = run(self.case.command)
        cpu = usage.ru_utime + usage.ru_stime
        self.facts = json.loads(output) if self.case.reports else {}
        sample = {"process_cpu": cpu, "process_wall": wall, "peak": usage.ru_maxrss * 1024, "cpu": cpu, "wall": wall}
        self.samples.append(sample | {key: self.facts[key] for key in COSTS if key in self.facts})

    def values(self, what: str) -> list[float]:
        return [sample[what] for sample in self.samples]

    def spread(self, what: str) -> Spread:
        return Spread.of(self.values(what))

    def ratio(self, other: Runs, what: str = "cpu", to: str | None = None) -> Spread:
        """This over the other (over its cost `to`), run by run: neighbours in time share the noise."""
        pairs = zip(self.values(what), other.values(to or what), strict=True)
        return Spread.of([mine / its for mine, its in pairs])


def run(command: list[str]) -> tuple[float, Any, str]:
    """Wall seconds, resource usage and standard output of a fresh process."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        actions = [(os.POSIX_SPAWN_DUP2, out.fileno(), 1), (os.POSIX_SPAWN_DUP2, err.fileno(), 2)]
        start = time.perf_counter()
        process = os.posix_spawn(command[0], command, os.environ, file_actions=actions)
        _, status, usage = os.wait4(process, 0)
        seconds = time.perf_counter() - start
        out.seek(0)
        err.seek(0)
        if code := os.waitstatus_to_exitcode(status):
            raise Failed(f"{' '.join(command)}\nfailed with {code}: {err.read().decode(errors='replace').strip()}")
        return seconds, usage, out.read().decode()


@dataclass(frozen=True)
class Scenario:
    """Competitors at the same task on the same log."""

    key: str
    title: str
    log: Path | None
    cases: dict[str, Case]
    most: int = 100  # repetitions, of what takes long

    def measure(self, repetitions: int, progress: Callable[[str], None]) -> dict[str, Runs]:
        """All cases in turns."""
        runs = {key: Runs(case) for key, case in self.cases.items()}
        repetitions = min(repetitions, self.most)
        for repetition in range(1, repetitions + 1):
            for key, of_case in runs.items():
                progress(f"{self.key}: {repetition} of {repetitions}, {self.cases[key].name}")
                of_case.add()
        self._check(runs)
        return runs

    def _check(self, runs: dict[str, Runs]) -> None:
        """All who tell rows and a sum must tell the same."""
        for fact in ("rows", "sum"):
            told = {of_case.case.name: of_case.facts[fact] for of_case in runs.values() if fact in of_case.facts}
            if len(set(told.values())) > 1:
                raise Failed(f"{self.title}: the readers disagree on {fact}: {told}")


def progress_line(text: str) -> None:
    """Shows what is going on, where a person looks."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
