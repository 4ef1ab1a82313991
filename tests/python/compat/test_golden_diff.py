"""What `darrow diff --compat` prints, against what `darshan-diff` printed of the same logs, line by line."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from typing import Any

import pytest
from corpus import NO_UPSTREAM, UPSTREAM, load
from test_cli import DONE
from test_cli import darrow as run

MULTI = UPSTREAM / "golden" / "_multi"
CRASHES = {-11, -6}
"""It dies of heat maps, of DXT and DAOS in one log only, of records without a name. What it wrote so far is stored, up
to a full buffer; we skip what it cannot compare, and go on."""

EXE = b"# exe:"
"""It compares and prints what lies behind the end of the command line: that of the second log ends with bytes that are
not in the log, or equal ones are told as different (B29)."""

pytestmark = pytest.mark.skipif(not MULTI.exists(), reason=NO_UPSTREAM)


def cases() -> Iterator[Any]:
    """One of each text: builds mostly wrote the same."""
    if not MULTI.exists():
        return
    seen = set()
    for key, entry in load(MULTI / "manifest.json")["entries"].items():
        variant, _, name = key.partition("/diff-")
        what = (name, entry["rc"], entry["stdout"]["sha256"])
        if not name or what in seen:
            continue
        seen.add(what)
        logs = [UPSTREAM / "logs" / path.replace("/", "__") for path in entry["cmd"][1:]]
        file = entry["stdout"].get("file")
        yield pytest.param(logs, MULTI / file if file else None, entry["rc"], id=f"{variant}-{name}")


def lines(text: bytes) -> list[bytes]:
    return [line for line in text.split(b"\n") if not line[2:].startswith(EXE)]


@pytest.mark.parametrize(("logs", "file", "code"), list(cases()))
def test_text(logs: list[Any], file: Any, code: int) -> None:
    """Every line but command lines; where darshan-diff died, all that it wrote whole."""
    expected = lines(gzip.decompress(file.read_bytes()) if file else b"")
    done = run("diff", "--compat", *logs)
    assert done.returncode == DONE
    ours = lines(done.stdout)
    if code in CRASHES:
        assert ours[: len(expected) - 1] == expected[:-1]
        ours = expected
    assert ours == expected


def test_there_are_enough() -> None:
    assert len(list(cases())) >= 40
    assert sum(case.values[2] == 0 for case in cases()) >= 15
