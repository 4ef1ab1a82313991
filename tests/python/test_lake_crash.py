"""Updates and compactions that are killed, interrupted, or run out of disk.

Nothing is lost, and the next one ends as an undisturbed one.
"""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import darrow
import duckdb
import pytest
from lakes import ask, calls_of, contents, make_log, make_logs, process, sums, whole

POINTS = 10


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sixty logs; two equal ones, two that are none."""
    directory = tmp_path_factory.mktemp("logs")
    paths = make_logs(directory, 56)
    (directory / "copy.darshan").write_bytes(paths[7].read_bytes())
    for name in ("bad", "bad-copy"):
        (directory / f"{name}.darshan").write_text("text")
    return directory


@pytest.fixture(scope="module")
def undisturbed(logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("undisturbed") / "lake"
    darrow.Lake(directory).update(logs)
    return directory


def leaves_nothing(lake: Path) -> None:
    """Nothing of a killed update is there after the next one."""
    assert not (lake / ".staging").exists()
    assert len(list((lake / ".versions").iterdir())) <= 2


@pytest.fixture(scope="module")
def calls(logs: Path, tmp_path_factory: pytest.TempPathFactory) -> int:
    """How many calls that change files an undisturbed update makes."""
    return calls_of("update", tmp_path_factory.mktemp("counted") / "lake", logs)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(POINTS))
def test_killed_at_a_call(logs: Path, undisturbed: Path, calls: int, tmp_path: Path, seed: int) -> None:
    """SIGKILL at a random call that changes files, then another one at what goes on from there."""
    lake = tmp_path / "lake"
    rng = random.Random(seed)
    for _ in range(2):
        update = process("update", lake, logs, rng.randint(1, calls))
        update.communicate(timeout=60)
        assert update.returncode in (-signal.SIGKILL, 0)
        if lake.exists():
            whole(lake)
    darrow.Lake(lake).update(logs)
    assert contents(lake) == contents(undisturbed)
    whole(lake)
    leaves_nothing(lake)


def test_killed_while_the_lake_is_made(tmp_path: Path) -> None:
    """The first calls: SIGKILL at each of them leaves a directory that the next update makes a lake."""
    make_logs(tmp_path / "logs", 2)
    for call in range(1, 7):
        lake = tmp_path / f"lake{call}"
        process("update", lake, tmp_path / "logs", call).communicate(timeout=60)
        assert darrow.Lake(lake).update(tmp_path / "logs").added == 2


@pytest.mark.slow
def test_killed_at_any_time(logs: Path, undisturbed: Path, tmp_path: Path) -> None:
    """SIGKILL after random times; what was committed is not read again."""
    started = time.monotonic()
    calls_of("update", tmp_path / "counted", logs)
    duration = time.monotonic() - started
    rng = random.Random(1)
    for number in range(4):
        lake = tmp_path / f"lake{number}"
        update = process("update", lake, logs)
        time.sleep(rng.uniform(0.2, 1) * duration)
        update.kill()
        update.communicate()
        if lake.exists():
            whole(lake)
        known = ask(f"select count(*) from '{lake}/logs/*.parquet'")[0][0] if (lake / "logs").exists() else 0
        assert darrow.Lake(lake).update(logs).unchanged == known
        assert contents(lake) == contents(undisturbed)
        leaves_nothing(lake)


Prepared = tuple[Path, Path, Path, int]  # logs, a lake to copy, what it shall become, calls


@pytest.fixture(scope="module")
def replaced(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    """A lake of logs of which some have changed since, and one has gone."""
    directory = tmp_path_factory.mktemp("replaced")
    logs, lake = directory / "logs", directory / "lake"
    paths = make_logs(logs, 24)
    darrow.Lake(lake).update(logs)
    for number, path in enumerate(paths[::3]):
        make_log(path, 100 + number)
    paths[1].unlink()
    calls = calls_of("update", _copy(lake, directory / "done"), logs)
    assert ask(f"select count(*) from '{directory}/done/jobs/*.parquet' where jobid >= 100") == [(8,)]
    return logs, lake, directory / "done", calls


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(POINTS))
def test_killed_while_rows_are_replaced(replaced: Prepared, tmp_path: Path, seed: int) -> None:
    logs, prepared, done, calls = replaced
    lake = _copy(prepared, tmp_path / "lake")
    update = process("update", lake, logs, random.Random(seed).randint(1, calls))
    update.communicate(timeout=60)
    whole(lake)
    darrow.Lake(lake).update(logs)
    assert contents(lake) == contents(done)
    assert ask(f"select count(*) from '{lake}/jobs/*.parquet'") == [(24,)]
    whole(lake)


@pytest.fixture(scope="module")
def scattered(logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    """A lake of many small parts."""
    directory = tmp_path_factory.mktemp("scattered")
    lake = directory / "lake"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("darrow._lake_update.COMMIT_LOGS", 10)
        patch.setattr("darrow._lake_read.SLICE_LOGS", 10)
        patch.setattr("darrow._lake_commit.tail_to_merge", lambda *_: 0)
        darrow.Lake(lake).update(logs)
    calls = calls_of("compact", _copy(lake, directory / "done"), logs)
    return logs, lake, directory / "done", calls


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(POINTS))
def test_compaction_is_killed(scattered: Prepared, undisturbed: Path, tmp_path: Path, seed: int) -> None:
    logs, prepared, _, calls = scattered
    lake = _copy(prepared, tmp_path / "lake")
    before = darrow.Lake(lake).info().files
    compaction = process("compact", lake, logs, random.Random(seed).randint(1, calls))
    compaction.communicate(timeout=60)
    assert contents(lake) == contents(undisturbed)
    darrow.Lake(lake).compact()
    assert contents(lake) == contents(undisturbed)
    info = darrow.Lake(lake).info()
    assert info.files == len(info.tables) < before
    leaves_nothing(lake)


@pytest.mark.slow
def test_readers_while_an_update_runs(logs: Path, tmp_path: Path) -> None:
    """Whoever asks meanwhile sees whole commits; a file that was merged meanwhile is not found, never half of it."""
    lake = tmp_path / "lake"
    darrow.Lake(lake).update(logs / "0")
    seen = set()
    update = process("update", lake, logs)
    while update.poll() is None:
        rows = None
        with suppress(duckdb.IOException):  # a part was merged between listing and opening
            rows = ask(f"select count(*) from '{lake}/jobs/*.parquet'")
        if rows is not None:
            seen.add(rows[0][0])
    update.communicate()
    assert ask(f"select count(*) from '{lake}/jobs/*.parquet'") == [(56,)]
    assert min(seen) >= 9


def test_files_of_a_moment_stay(logs: Path, tmp_path: Path) -> None:
    """`files()` can be read though the next update merges them."""
    lake = darrow.Lake(tmp_path / "lake")
    lake.update(logs / "0")
    files = lake.files("jobs")
    lake.update(logs)
    assert duckdb.sql(f"select count(*) from read_parquet({files})").fetchall() == [(9,)]
    assert lake.dataset("jobs").count_rows() == 56


def test_interrupted(logs: Path, tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    darrow.Lake(lake).update(logs / "0")
    before = contents(lake)
    program = (
        "import os, signal, sys, darrow\n"
        "from darrow._commands import lake\n"
        "from darrow import _lake_read\n"
        "_lake_read.SLICE_LOGS = 5\n"
        "real = _lake_read.Done\n"
        "seen = []\n"
        "def done(*a):\n"
        "    if not seen: os.kill(os.getpid(), signal.SIGINT)\n"
        "    seen.append(a); return real(*a)\n"
        "_lake_read.Done = type('Done', (), {'__new__': lambda c, *a: done(*a)})\n"
        "sys.exit(lake.main())"
    )
    run = subprocess.run(
        [sys.executable, "-c", program, "update", str(lake), str(logs)], capture_output=True, timeout=60, check=False
    )
    assert (run.returncode, run.stdout, run.stderr) == (130, b"", b"")
    assert contents(lake) == before
    assert not (lake / ".staging").exists()


@pytest.mark.parametrize("most", [2000, 8192])
def test_full_disk(logs: Path, undisturbed: Path, tmp_path: Path, most: int) -> None:
    """Files that cannot grow: one message, the lake is as it was, the next update does it all."""
    lake = tmp_path / "lake"
    darrow.Lake(lake).update(logs / "0")
    before = contents(lake)

    def limited() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    run = subprocess.run(
        [sys.executable, "-m", "darrow._commands.lake", "update", str(lake), str(logs)],
        capture_output=True,
        timeout=60,
        check=False,
        preexec_fn=limited,
    )
    assert run.returncode == 4
    message = run.stderr.decode().splitlines()
    assert len(message) == 1
    assert str(lake) in message[0]
    assert "File too large" in message[0]
    assert contents(lake) == before
    darrow.Lake(lake).update(logs)
    assert contents(lake) == contents(undisturbed)


def test_two_updates(logs: Path, tmp_path: Path) -> None:
    """The second one is refused, or waits."""
    from darrow._lake_store import Store

    lake = darrow.Lake(tmp_path / "lake")
    lake.update(logs / "0")
    with Store(lake.directory).locked(wait=False):
        for action in (lake.compact, lambda: lake.update(logs)):
            with pytest.raises(darrow.DarrowError, match="another update of this lake is running") as caught:
                action()
            assert caught.value.code == "busy"
        assert len(sums(lake.directory)) == 9  # reading needs no lock
        waiting = threading.Thread(target=lambda: lake.update(logs, wait=True))
        waiting.start()
        time.sleep(0.3)
        assert waiting.is_alive()
        assert len(sums(lake.directory)) == 9
    waiting.join(60)
    assert len(sums(lake.directory)) == 56


def _copy(lake: Path, to: Path) -> Path:
    subprocess.run(["cp", "-a", os.fspath(lake), os.fspath(to)], check=True)
    return to
