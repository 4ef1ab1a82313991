"""Records with `upstream_values` hold what darshan-util's reader gives, its slips included (pitfalls A1 to A9)."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import darrow
import numpy as np
import pytest
from compatible import open_log, upstream_columns
from corpus import DATA, LOGS, SPEC, Columns, Values, darrow_columns, differences, expectations, few
from pitfalls import foretell
from plain import PlainLog, read_plain

FOLDERS = [DATA, *(LOGS / name for name in ("small", "synthetic") if LOGS.exists())]
PATHS = [expected.path for folder in FOLDERS for expected in expectations(folder).values() if expected.readable]


def chosen(columns: Columns, rows: np.ndarray) -> Columns:
    """Some rows of columns."""
    return {name: np.array(values, object)[rows].tolist() for name, values in columns.items()}


def readable(path: Path) -> Iterator[tuple[str, Columns, Columns, PlainLog]]:
    """The modules of a log: name, right records, records as upstream reads them, the log."""
    plain, log, core = read_plain(path), darrow.open(path), open_log(path)
    for name, module in log.modules.items():
        if module.status == "readable" and module.length:
            yield name, darrow_columns(log[name].raw), upstream_columns(core, name), plain


def swapped(values: Values) -> np.ndarray:
    return np.array(values, "u8").byteswap()


def slips(path: Path) -> Counter[str]:
    """Compares all modules of a log with what is foretold; which slips made a difference."""
    seen: Counter[str] = Counter()
    for name, right, ours, plain in readable(path):
        shown, big, version = dict(right), plain.order == ">", plain.modules[name].version
        if SPEC.modules[name]["kind"] == "fixed":
            shown, rules = foretell(plain, name, right)
            seen.update({rule.number: count for rule, count in rules.items()})
        if name == "POSIX" and version == 1 and big:  # A6: which records are left out
            opens = plain.stored(name)["POSIX_FOPENS"]
            right_rows, upstream_rows = opens <= 0, opens.view("<i8") <= 0
            seen["A6"] += int((right_rows != upstream_rows).sum())
            assert len(ours["id"]) == upstream_rows.sum()
            ours, shown = chosen(ours, right_rows[upstream_rows]), chosen(shown, upstream_rows[right_rows])
        if name.startswith("DXT_") and big and None not in right["thread_id"]:
            shown["thread_id"] = swapped(right["thread_id"])
            seen["A8"] += int((shown["thread_id"] != right["thread_id"]).sum())
        if name in ("DFS", "DAOS") and big:
            for column in ("pool_uuid", "cont_uuid"):
                shown[column] = [str(uuid.UUID(bytes=uuid.UUID(value).bytes[::-1])) for value in right[column]]
                seen["A9"] += sum(a != b for a, b in zip(shown[column], right[column], strict=True))
        assert list(ours) == list(shown)
        found = list(differences(ours, shown))
        assert not found, f"{name}\n{few(found)}"
    return seen


@pytest.mark.parametrize("path", PATHS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_foretold(path: Path) -> None:
    """Records are what the rules foretell, and right otherwise."""
    slips(path)


def test_every_slip_is_there() -> None:
    """Each makes a difference in some log."""
    total: Counter[str] = Counter()
    for path in PATHS:
        total += slips(path)
    assert set(total) == {"A1", "A2", "A5", "A6", "A7", "A8", "A9"}, total


def test_problems_are_those_of_right_values() -> None:
    """Reading what is wrong tells nothing of the log."""
    for path in PATHS:
        core, log = open_log(path), darrow.open(path)
        for name, module in log.modules.items():
            if module.status == "readable" and module.length:
                upstream_columns(core, name)
                log[name].to_arrow()
        kinds = {problem[1] for problem in core.problems()}
        assert kinds <= {problem.kind for problem in log.problems}, path


def test_names_of_columns_are_the_same() -> None:
    some: Any = open_log(DATA / "example.darshan")
    assert list(upstream_columns(some, "POSIX")) == some.table("POSIX", "rows", [], None, None).columns
