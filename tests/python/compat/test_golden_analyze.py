"""What `darrow analyze --compat` prints, against what `darshan-analyzer` printed of the same directories."""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from corpus import NO_UPSTREAM, UPSTREAM, load
from test_cli import DONE
from test_cli import darrow as run

MULTI = UPSTREAM / "golden" / "_multi"
OTHERS = ("__init__.py", "README.md")
"""What lay beside the logs, if the directory did not hold logs only."""

pytestmark = pytest.mark.skipif(not MULTI.exists(), reason=NO_UPSTREAM)


def cases() -> Iterator[Any]:
    if not MULTI.exists():
        return
    for key, entry in load(MULTI / "manifest.json")["entries"].items():
        name = key.partition("/analyzer-")[2]
        if not name:
            continue
        logs = sorted((UPSTREAM / "logs").glob(f"{name.removeprefix('onlylogs-')}__*"))
        text = gzip.decompress((MULTI / entry["stdout"]["file"]).read_bytes()).decode()
        others = () if name.startswith("onlylogs-") else OTHERS
        if f"total logs: {len(logs) + len(others)}\n" in text:  # else not all of its logs are here
            yield pytest.param(entry["cmd"][-1], logs, others, text, id=name)


@pytest.mark.parametrize(("directory", "logs", "others", "text"), list(cases()))
def test_text(directory: str, logs: list[Path], others: tuple[str, ...], text: str, tmp_path: Path) -> None:
    """Every byte."""
    (tmp_path / directory).mkdir()
    for log in logs:
        shutil.copy(log, tmp_path / directory)
    for other in others:
        (tmp_path / directory / other).write_text("no log")
    done = run("analyze", "--compat", directory, cwd=tmp_path)
    assert (done.returncode, done.stdout.decode()) == (DONE, text)


def test_there_are_enough() -> None:
    assert len(list(cases())) >= 15
