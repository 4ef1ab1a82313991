"""Results as text, Markdown and JSON."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import set_cases
from cases import FIGURES, Figure
from measure import Runs, Scenario, Spread

Table = list[list[str]]
MB = 1e6


def digits(value: float) -> str:
    """Three significant digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.{1 if value >= 10 else 2}f}"


def spread(value: Spread, unit: str = "") -> str:
    """ "1.21 (1.18–1.30)"."""
    return f"{digits(value.median)}{unit} ({digits(value.least)}–{digits(value.most)})"


def milliseconds(value: Spread) -> str:
    return spread(value.scaled(1000))


def scenario_table(runs: dict[str, Runs]) -> Table:
    """A row for each competitor."""
    limit, peer = runs.get("limit"), runs.get("pydarshan")
    table = next((r.facts["bytes"] for r in runs.values() if "bytes" in r.facts), 0)
    rows = [["", "operation, CPU ms", "process, CPU ms", "process, wall ms", "peak MB", "imports, MB"]]
    rows[0] += ["× limit"] * bool(limit) + ["faster than PyDarshan"] * bool(peer) + ["peak ÷ table"] * bool(table)
    for case in runs.values():
        row = [case.case.name]
        row += [milliseconds(case.spread(what)) for what in ("cpu", "process_cpu", "process_wall")]
        peak = case.spread("peak")
        row.append(digits(peak.median / MB))
        row.append(digits(case.facts["import_peak"] / MB) if "import_peak" in case.facts else "")
        if limit:
            row.append(digits(case.ratio(limit).median))
        if peer:
            row.append(digits(peer.ratio(case).median))
        if table:
            row.append(digits(peak.median / table))
        rows.append(row)
    return rows


def heading(scenario: Scenario, runs: dict[str, Runs]) -> str:
    """The task, the log, and how large it is."""
    text = scenario.title
    if scenario.log and scenario.log.is_file():
        text += f": {scenario.log.stem}, {scenario.log.stat().st_size / MB:.3g} MB"
    if "limit" in runs:
        text += f", inflated {runs['limit'].facts['inflated'] / MB:.3g} MB"
    if "columns" in runs:
        facts = runs["columns"].facts
        text += f"; table of {facts['rows']:,} rows, {facts['columns']} columns, {facts['bytes'] / MB:.3g} MB"
    return text


def judged(results: dict[str, dict[str, Runs]]) -> Iterator[tuple[Figure, Spread, bool]]:
    """The figures that were measured, and whether they are reached."""
    for figure in [*FIGURES, *set_cases.FIGURES]:
        if figure.scenario in results:
            value = figure.value(results[figure.scenario])
            yield figure, value, figure.reached(value)


def figure_table(scenarios: dict[str, Scenario], results: dict[str, dict[str, Runs]]) -> Table:
    rows = [["", "to reach", "measured", ""]]
    for figure, value, reached in judged(results):
        log = scenarios[figure.scenario].log
        text = f"{log.stem}: {figure.text}" if log else figure.text
        sign, bound = ("≤", figure.at_most) if figure.at_most is not None else ("≥", figure.at_least)
        unit = f" {figure.unit}".removesuffix(" ×")
        rows.append([text, f"{sign} {bound:g} {figure.unit}", spread(value, unit), "PASS" if reached else "FAIL"])
    return rows


def machine() -> dict[str, Any]:
    """Where and with what."""
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        models = [
            line.partition(":")[2].strip() for line in info.read_text().splitlines() if line.startswith("model name")
        ]
        cpu = models[0] if models else cpu
    packages = ("darrow", "darshan", "pyarrow", "pandas", "polars", "numpy")
    return {
        "cpu": cpu,
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.release().partition('-')[0]}",
        "python": platform.python_version(),
        "packages": {package: version(package) for package in packages},
    }


def machine_text(facts: dict[str, Any], repetitions: int) -> str:
    before, after = facts["load"]
    packages = ", ".join(f"{name} {number}" for name, number in facts["packages"].items())
    return (
        f"{facts['cpu']}, {facts['cores']} cores (one used), {facts['system']}, Python {facts['python']}; {packages}. "
        f"{repetitions} runs of each: median (least–most). Load before {before:.1f}, after {after:.1f}."
    )


def as_text(table: Table) -> str:
    """Aligned columns: the first to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = []
    for row in table:
        cells = [row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True))]
        lines.append("  " + "  ".join(cells).rstrip())
    return "\n".join(lines)


def as_markdown(table: Table) -> str:
    head, *rows = table
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(row) + " |" for row in lines)


def document(parts: list[tuple[str, Table]], about: str, markdown: bool) -> str:
    """All tables under their headings."""
    form, mark = (as_markdown, "### ") if markdown else (as_text, "")
    blocks = [about]
    for title, table in parts:
        blocks += [mark + title, form(table)] if markdown else [f"{title}\n{form(table)}"]
    return "\n\n".join(blocks) + "\n"


def as_json(results: dict[str, dict[str, Runs]], facts: dict[str, Any]) -> dict[str, Any]:
    """Everything that was measured."""
    return {
        "machine": facts,
        "scenarios": {
            key: {name: {"samples": case.samples, "facts": case.facts} for name, case in runs.items()}
            for key, runs in results.items()
        },
        "figures": [
            {
                "scenario": figure.scenario,
                "figure": figure.text,
                "unit": figure.unit,
                "at_most": figure.at_most,
                "at_least": figure.at_least,
                **asdict(value),
                "reached": reached,
            }
            for figure, value, reached in judged(results)
        ],
    }
