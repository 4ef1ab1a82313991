#!/usr/bin/env python3
"""Write docs/metrics.md, the page of derived metrics, from the dictionary of the command.

Usage: metrics_page.py [DARROW]: the page on standard output. DARROW: the command, else the one on PATH.
"""

import json
import subprocess
import sys
from collections.abc import Iterable
from typing import Any

INTRODUCTION = """\
# Metrics

What Darrow derives from the counters of a log: `darrow summary` shows it, `darrow summary --format json` and
`darrow::summarize` give it as tables. This page is made by `make docs` from `darrow modules --metrics`.

**Layers.** A row of the table `layers` stands for one module, for the bottom layer (`--layer bottom`), or a mount.
Modules are layers of one stack: what a program writes through HDF5 shows in H5D, again in MPI-IO and again in POSIX. So
metrics of different modules do not add up. The bottom layer is made of the modules through which data leaves the
program: POSIX, STDIO and DFS. There every byte is counted once: MPI-IO, HDF5 and PnetCDF go through them and DAOS lies
below DFS, so adding any of these would count twice. Native DAOS I/O, without DFS, is therefore not in it.

**Roles.** Formulas name no counters, but roles: `bytes_read` is whatever counter of the module holds the bytes that
were read. [The last table](#roles) tells which counters of each module have a role. `sum(…)` is the sum over all
records of the layer, with counters that were not recorded left out. A metric needs the roles in the column "inputs":
without them it is null. Other names in a formula are metrics of the same row.

**Null** (`-` in tables for people, an empty cell in CSV) means that there is no such number, never zero: the module
has no counter for a role that the formula needs, nothing was recorded, the divisor is 0, or records of all ranks
together do not tell. A metric exists for the modules in its last column; those of modules of which nothing could be
read are null.

**Time by the slowest.** A log tells how long each process was in I/O calls, not how long the job waited for I/O.
Darrow estimates that from the slowest, for a job goes on when its last process is done. It goes by the records, of
which there are two kinds. A record of a single rank has the times of that process: they add up over its records, and
the process with the largest sum counts: `unique_time_by_slowest` ("single-rank" in `darrow summary`). A record of all
ranks together (rank −1) keeps the time of the slowest process: these add up over the records:
`shared_time_by_slowest` ("all-rank"). Both together are `time_by_slowest`, the "I/O time" of `darrow summary`. It is an
estimate: too small if processes wait for each other, too large if shared files are in use at the same time.

**Records are not files.** A file that one process used has one record, of that rank. A file that all processes used
has, as a rule, one record of rank −1, but not always: if Darshan was told not to reduce them, it has a record of each
rank, and its times count as those of single ranks. File categories go by who used a file: `shared` are files of which
all ranks have a record as well as those with a record of rank −1. So the times of "single-rank" records are not those
of `unique` files.

**Jobs of one process.** There too, records may be of rank −1. But all ranks are rank 0: the times by rank
(`…_max`, its rank, the imbalance) are known, and files are `unique`.

**Mean, slowest, imbalance.** `…_mean` divides by all processes of the job, also those without I/O. `…_max` is the
largest sum of one process, over all of its files. A record of all processes has the sum over them and not their
parts: where such records hold time, nobody knows which process had most, and `…_max`, its rank and the imbalance are
null.

**Rates.** `rate` is bytes by `time_by_slowest` of the same layer. Over several jobs it is all bytes by all of that
time, as `darrow summary --by` has it: rates are never added or averaged. No time gives null, not infinity.
"""

TABLES = {
    "layers": (
        "A row a module, or the bottom layer. The table `mounts` has the same columns, and a row a mount of the bottom"
        " layer."
    ),
    "categories": (
        "A row a layer and file category: `all`; by what was done `read_only`, `write_only`, `read_write`, `no_io`; by"
        " whom `unique` (one rank), `partially_shared` (several), `shared` (all). A file is what has a record id of its"
        " own."
    ),
    "access_sizes": "A row a layer, operation and size bucket.",
    "common_accesses": "A row a layer and common access size: the four most common ones, and all others together.",
}
ROLES = "Several counters: they add up, or they are the buckets or slots in order."


def cell(text: str) -> str:
    return text.replace("|", "\\|")


def table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    header = list(header)
    lines = [header, ["---"] * len(header), *(list(map(cell, row)) for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def counters(role: str, names: list[str]) -> str:
    """The counters of a role in one cell; of numbered ones the first and the last."""
    shown = [f"`{name}`" for name in names]
    numbered = role in ("size_read", "size_write", "access_size")
    return f"{shown[0]} … {shown[-1]}" if numbered else ", ".join(shown)


def page(dictionary: dict[str, Any]) -> str:
    parts = [INTRODUCTION]
    every = max((metric["modules"] for metric in dictionary["metrics"]), key=len)
    for name, meaning in TABLES.items():
        rows = [
            (
                f"`{metric['name']}`",
                metric["unit"],
                metric["formula"],
                metric["meaning"],
                ", ".join(f"`{role}`" for role in metric["inputs"]),
                "all" if metric["modules"] == every else ", ".join(metric["modules"]),
            )
            for metric in dictionary["metrics"]
            if metric["table"] == name
        ]
        header = ("metric", "unit", "formula", "meaning", "inputs", "modules")
        parts.append(f"## {name}\n\n{meaning}\n\n{table(header, rows)}")
    parts.append(f"All modules: {', '.join(every)}. Records of the others do not combine into numbers.\n")
    modules = [module for module in every if any(module in of for of in dictionary["roles"].values())]
    rows = [
        (f"`{role}`", "<br>".join(f"{module}: {counters(role, of[module])}" for module in modules if module in of))
        for role, of in dictionary["roles"].items()
    ]
    parts.append(f"## Roles\n\n{ROLES}\n\n{table(('role', 'counters of each module'), rows)}")
    return "\n".join(parts)


def main() -> int:
    command = sys.argv[1:] or ["darrow"]
    run = subprocess.run([*command, "modules", "--metrics", "--format", "json"], capture_output=True, check=True)
    sys.stdout.write(page(json.loads(run.stdout)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
