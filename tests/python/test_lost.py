"""What is lost, and what is damaged: one rule each for exports, lakes, strict reading and the table `modules`.

Which problems a log has was worked out by hand (malformed_table.py); `darrow info` is held to it in test_malformed.py.
"""

from __future__ import annotations

from pathlib import Path

import darrow
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from exports import export_logs, run
from malformed_table import MALFORMED, Refused
from robustness import damaged_logs

LOGS = [log for log in damaged_logs() if not isinstance(MALFORMED[log.stem], Refused)]


def lost(log: Path) -> list[str]:
    """The kinds of problems by which something of the log is lost."""
    return [problem.kind for problem in MALFORMED[log.stem].problems if problem.severity == "error"]


def test_exports_count_what_is_lost(tmp_path: Path) -> None:
    for log in LOGS:
        assert export_logs([log], tmp_path / log.stem).lost == len(lost(log)), log


@pytest.mark.parametrize("what", ["nothing", "a version", "damage"])
def test_exit_code_of_exports(tmp_path: Path, what: str) -> None:
    def of(log: Path) -> str:
        return "nothing" if not lost(log) else "a version" if set(lost(log)) == {"module_version"} else "damage"

    code, _, told = run("export", next(log for log in LOGS if of(log) == what), "-o", tmp_path / "tables")
    assert code == (0 if what == "nothing" else 3), told


def test_a_lake_marks_logs_of_which_something_is_lost(tmp_path: Path) -> None:
    lake = darrow.Lake(tmp_path / "lake")
    lake.update(LOGS)
    known = [row for part in (tmp_path / "lake" / "logs").glob("*.parquet") for row in pq.read_table(part).to_pylist()]
    status = {row["log"]: row["status"] for row in known}
    assert status == {str(log): "damaged" if lost(log) else "ok" for log in LOGS}


def test_strict_reading_raises_where_something_is_lost(tmp_path: Path) -> None:
    for log in LOGS:
        strict = darrow.scan(log, strict=True)
        if lost(log):
            with pytest.raises((darrow.CorruptLogError, darrow.UnsupportedVersionError)):
                strict.to_parquet(tmp_path / log.stem)
        else:
            strict.to_parquet(tmp_path / log.stem)


def test_modules_whose_bytes_are_at_fault_are_damaged() -> None:
    modules = darrow.scan(LOGS).table("modules").to_arrow()
    for log in LOGS:
        errors = [problem for problem in MALFORMED[log.stem].problems if problem.severity == "error"]
        damage = {problem.region for problem in errors if problem.kind != "module_version"}
        for row in modules.filter(pc.equal(modules["log"].cast("string"), str(log))).to_pylist():
            named = "names" in damage and (row["records"] or 0) > 0
            assert row["damaged"] == (named or row["module"] in damage), (log, row["module"])
