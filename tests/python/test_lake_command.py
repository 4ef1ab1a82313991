"""`darrow lake`: what it prints, its exit codes."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from darrow import Lake
from lakes import ask, make_logs, sums
from test_cli import DONE, NOTHING, SOME_LOST, USAGE, complaints, darrow


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    make_logs(tmp_path / "logs", 4)
    return tmp_path / "logs"


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    return tmp_path / "lake"


def test_update(lake: Path, logs: Path) -> None:
    run = darrow("lake", "update", lake, logs)
    assert (run.returncode, run.stderr) == (DONE, b"")
    assert run.stdout.decode().split() == ["found", "4", "added", "4", "commits", "1"]
    assert len(sums(lake)) == 4
    run = darrow("lake", "update", lake, logs, "--format", "json", "--threads", "1")
    assert run.returncode == DONE
    told = json.loads(run.stdout)
    assert (told["found"], told["unchanged"], told["added"], told["failures"]) == (4, 4, 0, [])
    (row,) = csv.DictReader(io.StringIO(darrow("lake", "update", lake, logs, "--format", "csv").stdout.decode()))
    assert (row["found"], row["unchanged"], row["vanished"]) == ("4", "4", "0")


def test_failures(lake: Path, logs: Path) -> None:
    bad = logs / "bad.darshan"
    bad.write_text("text")
    run = darrow("lake", "update", lake, logs)
    assert run.returncode == SOME_LOST
    (line,) = complaints(run)
    assert line.startswith(f"darrow: {bad}: ")
    assert darrow("lake", "update", lake, logs).returncode == DONE
    assert darrow("lake", "update", lake, logs, "--retry").returncode == SOME_LOST
    missing = logs / "missing.darshan"
    run = darrow("lake", "update", lake, missing)
    assert (run.returncode, complaints(run)) == (NOTHING, [f"darrow: {missing}: No such file or directory"])
    run = darrow("lake", "update", lake, missing, logs, "--format", "json")
    assert run.returncode == SOME_LOST
    assert json.loads(run.stdout)["failures"] == [{"log": str(missing), "message": "No such file or directory"}]


def test_no_lake_of_nothing(lake: Path, logs: Path, tmp_path: Path) -> None:
    """Where no log is found no lake comes to be, and one that is there stays as it was."""
    missing, new = tmp_path / "missing.darshan", tmp_path / "new" / "lake"
    for argument in (missing, tmp_path / "*.none", f"@{tmp_path}/none.txt"):
        run = darrow("lake", "update", new, argument)
        assert (run.returncode, len(complaints(run))) == (NOTHING, 1)
        assert not new.parent.exists()
    (tmp_path / "empty").mkdir()
    assert darrow("lake", "update", tmp_path / "empty", missing).returncode == NOTHING
    assert not list((tmp_path / "empty").iterdir())
    assert darrow("lake", "update", lake, logs).returncode == DONE
    before, there = sums(lake), sorted(lake.rglob("*"))
    assert darrow("lake", "update", lake, missing).returncode == NOTHING
    assert (sums(lake), sorted(lake.rglob("*"))) == (before, there)
    assert darrow("lake", "update", new, missing, logs).returncode == SOME_LOST
    assert darrow("lake", "info", new).returncode == DONE


def test_vanished(lake: Path, logs: Path) -> None:
    darrow("lake", "update", lake, logs)
    gone = logs / "0" / "job2.darshan"
    gone.unlink()
    run = darrow("lake", "update", lake, logs)
    assert run.returncode == DONE
    assert complaints(run) == [
        f"darrow: {gone}: not there any more; its rows are kept (--forget-vanished removes them)"
    ]
    run = darrow("lake", "update", lake, logs, "--forget-vanished")
    assert (run.returncode, run.stderr) == (DONE, b"")
    assert [row[0] for row in sums(lake)] == [1, 3, 4]


def test_info(lake: Path, logs: Path) -> None:
    darrow("lake", "update", lake, logs)
    told = json.loads(darrow("lake", "info", lake, "--format", "json").stdout)
    assert (told["logs"], told["ok"], told["failed"], told["vanished"]) == (4, 4, 0, 0)
    rows = list(csv.DictReader(io.StringIO(darrow("lake", "info", lake, "--format", "csv").stdout.decode())))
    assert {row["table"]: int(row["rows"]) for row in rows} == {
        name: ask(f"select count(*) from '{lake}/{name}/*.parquet'")[0][0] for name in told["tables"]
    }
    assert sum(int(row["bytes"]) for row in rows) == told["bytes"]
    assert sum(path.stat().st_size for path in lake.glob("*/*.parquet")) == told["bytes"]
    assert len(list(lake.glob("*/*.parquet"))) == told["files"]
    text = darrow("lake", "info", lake).stdout.decode()
    assert "posix" in text
    assert text.splitlines()[-1].split() == ["all", f"{told['files']:,}", f"{told['bytes']:,}"]


def test_compact(lake: Path, logs: Path) -> None:
    darrow("lake", "update", lake, logs)
    before = sums(lake)
    run = darrow("lake", "compact", lake)
    assert run.returncode == DONE
    assert run.stdout.startswith(b"files")
    assert sums(lake) == before


def test_refused(lake: Path, logs: Path, tmp_path: Path) -> None:
    from darrow._lake_store import Store

    darrow("lake", "update", lake, logs)
    with Store(lake).locked(wait=False):
        run = darrow("lake", "update", lake, logs)
        assert run.returncode == NOTHING
        assert complaints(run) == [f"darrow: {lake}: another update of this lake is running (--wait waits for it)"]
        assert darrow("lake", "compact", lake).returncode == NOTHING
        assert darrow("lake", "info", lake).returncode == DONE
    run = darrow("lake", "update", lake, lake / "posix")
    assert (run.returncode, complaints(run)) == (USAGE, [f"darrow: {lake}/posix: lies in the lake itself"])
    run = darrow("lake", "update", logs, lake)
    assert run.returncode == NOTHING
    assert "lake" in complaints(run)[0]
    assert not (logs / "lake.json").exists()
    run = darrow("lake", "info", tmp_path / "nowhere")
    assert (run.returncode, complaints(run)) == (NOTHING, [f"darrow: {tmp_path}/nowhere: No such file or directory"])


@pytest.mark.parametrize(
    "arguments",
    [[], ["nothing"], ["update"], ["update", "lake"], ["update", "lake", "x", "--threads", "0"], ["compact"]],
)
def test_usage(arguments: list[str]) -> None:
    run = darrow("lake", *arguments)
    assert run.returncode == USAGE
    (line,) = complaints(run)
    assert line.endswith("--help tells more")


@pytest.mark.parametrize("action", ["update", "compact", "info"])
def test_help(action: str) -> None:
    run = darrow("lake", action, "--help")
    assert run.returncode == DONE
    assert f"darrow lake {action} lake" in run.stdout.decode()


@pytest.mark.parametrize("attempt", range(3))
def test_first_updates_at_the_same_time(lake: Path, logs: Path, attempt: int) -> None:
    """All find no lake; one makes it, and the others wait."""
    command = [sys.executable, "-m", "darrow._commands.lake", "update", "--wait", str(lake), str(logs)]
    running = [subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for _ in range(3)]
    assert [(process.communicate()[1], process.returncode) for process in running] == [(b"", DONE)] * 3
    assert len(sums(lake)) == 4
    assert not list(lake.glob(".lake.json.*"))


def test_a_lake_that_another_process_makes_meanwhile(lake: Path, logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def late(directory: Path) -> list[str]:
        monkeypatch.undo()
        assert Lake(lake).update(logs).added == 4
        return os.listdir(directory)

    monkeypatch.setattr("darrow._lake_store.os.listdir", late)
    assert Lake(lake).update(logs).unchanged == 4
