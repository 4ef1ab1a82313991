"""Stored outputs of darshan-parser and darshan-dxt-parser, and how a text is compared with one.

Data lines, head lines and numbers in comments have to be equal. Comments in prose are ours: only their number and their
places count.
"""

from __future__ import annotations

import gzip
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from corpus import UPSTREAM, load
from test_cli import darrow

GOLDEN = UPSTREAM / "golden"
BUILDS = {"r350ap": "3.5.0", "main": "main"}
"""Variants of the stored outputs, and the builds of --compat that reproduce them."""

ENVIRONMENT = os.environ | {"TZ": "UTC", "LC_ALL": "C.UTF-8"}

# What programs look for in comments: the head, the regions, the mounts, sections, and all lines with numbers.
LABELS = tuple(
    label.encode()
    for label in (
        *(f"# {key}: " for key in ("darshan log version", "compression method", "exe", "uid", "jobid", "nprocs")),
        *(
            f"# {key}: "
            for key in ("start_time", "start_time_asci", "end_time", "end_time_asci", "run time", "metadata")
        ),
        *("# log file regions", "# header: ", "# job data: ", "# record table: ", "# mounted file systems"),
        *("# mount entry:", "# description of columns", "# *****", "# -----", "# Total file counts"),
        *(f"# {kind}: " for kind in ("total", "read_only", "write_only", "read_write", "unique", "shared")),
        *("# performance", "# total_bytes: ", "# unique files: ", "# shared files: ", "# agg_"),
        *("# no module data", "# no DXT module data", "# DXT, ", "# Module ", "#\t[Component", "#<module>"),
    )
)
MODULE = re.compile(rb"# .* module: \d+ bytes|# \S+ module data$")


def is_prose(line: bytes) -> bool:
    """Whether a line is a comment in words."""
    return line[:1] == b"#" and line != b"#" and not line.startswith(LABELS) and not MODULE.match(line)


@dataclass(frozen=True)
class Stored:
    """A run of one of the tools."""

    log: str
    key: str
    options: tuple[str, ...]
    code: int
    text: bytes

    @property
    def build(self) -> str:
        return BUILDS[self.key.partition("/")[0]]

    @property
    def path(self) -> Path:
        return UPSTREAM / "logs" / f"{self.log}.darshan"


def logs() -> list[str]:
    """Names of the logs with stored outputs."""
    return sorted(path.parent.name for path in GOLDEN.glob("*/manifest.json") if not path.parent.name.startswith("_"))


def runs(log: str, tool: str) -> Iterator[Stored]:
    """All stored runs of a tool ("parser", "dxt-parser") on a log."""
    texts: dict[str | None, bytes] = {None: b""}
    for key, entry in load(GOLDEN / log / "manifest.json")["entries"].items():
        variant, _, run = key.partition("/")
        if variant not in BUILDS or not run.startswith(f"{tool}-"):
            continue
        file = entry["stdout"].get("file")
        if file not in texts:
            texts[file] = gzip.decompress((GOLDEN / log / file).read_bytes())
        yield Stored(log, key, tuple(entry["cmd"][1:-1]), entry["rc"], texts[file])


def differences(ours: bytes, theirs: bytes, is_cut: bool = False) -> list[str]:
    """Lines in which two texts differ. `is_cut`: theirs ends somewhere, maybe inside a line."""
    here, there = ours.split(b"\n"), theirs.split(b"\n")
    found = [
        f"line {number}: ours {a!r}, theirs {b!r}"
        for number, (a, b) in enumerate(zip(here, there, strict=False), 1)
        if a != b and not (is_prose(a) and is_prose(b))
    ]
    if is_cut:
        last = len(there) - 1
        cut_short = len(here) > last and here[last].startswith(there[last])
        return [line for line in found if not (cut_short and line.startswith(f"line {last + 1}:"))]
    if len(here) != len(there):
        found.append(f"{len(here)} lines, theirs {len(there)}")
    return found


def run(command: str, stored: Stored) -> tuple[int, bytes, list[str]]:
    """Our exit code and text for a stored run, and what is complained about."""
    done = darrow(command, f"--compat={stored.build}", *stored.options, stored.path, env=ENVIRONMENT)
    return done.returncode, done.stdout, done.stderr.decode().splitlines()
