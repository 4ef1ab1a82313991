"""What an update of a lake takes: new and changed logs, equal ones once, nothing twice; vanished ones are kept."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import darrow
import pytest
from lakes import ask, contents, counts, make_log, make_logs, sums, whole


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    make_logs(tmp_path / "logs", 12)
    return tmp_path / "logs"


@pytest.fixture
def lake(tmp_path: Path) -> darrow.Lake:
    return darrow.Lake(tmp_path / "lake")


def expected(numbers: range | list[int]) -> list[tuple[int, int, int]]:
    return [(number, 1 + number % 3, (1 + number % 3) * 4096) for number in numbers]


def never_opened(monkeypatch: pytest.MonkeyPatch, directory: Path) -> None:
    """Opening a log fails the test."""
    real = os.open

    def checked(path, *arguments, **named):
        assert not os.fsencode(path).startswith(os.fsencode(directory)), f"{path} was opened"
        return real(path, *arguments, **named)

    monkeypatch.setattr(os, "open", checked)


def test_new_logs(lake: darrow.Lake, logs: Path) -> None:
    report = lake.update(logs)
    assert counts(report) == {"found": 12, "added": 12}
    assert report.commits == 1
    assert sums(lake.directory) == expected(range(1, 13))
    assert {"posix", "jobs", "modules", "names", "mounts", "metadata", "problems", "logs", "failures"} <= set(
        lake.tables
    )
    assert ask(f"select distinct status from '{lake.path('logs')}'") == [("ok",)]
    whole(lake.directory)


def test_unchanged_logs_are_not_opened(lake: darrow.Lake, logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lake.update(logs)
    before = sorted(path.stat().st_mtime_ns for path in lake.directory.rglob("*"))
    never_opened(monkeypatch, logs)
    report = lake.update(logs)
    assert counts(report) == {"found": 12, "unchanged": 12}
    assert report.commits == 0
    assert sorted(path.stat().st_mtime_ns for path in lake.directory.rglob("*"))[:-1] == before[:-1]


def test_more_logs(lake: darrow.Lake, logs: Path) -> None:
    lake.update(logs)
    make_logs(logs, 5, first=13)
    assert counts(lake.update(logs)) == {"found": 17, "unchanged": 12, "added": 5}
    assert sums(lake.directory) == expected(range(1, 18))


def test_touched_log_is_read_but_not_taken_again(
    lake: darrow.Lake, logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lake.update(logs)
    before = contents(lake.directory, ["posix", "jobs"])
    os.utime(logs / "0" / "job3.darshan", ns=(1, 1))
    report = lake.update(logs)
    assert counts(report) == {"found": 12, "unchanged": 11, "same": 1}
    assert contents(lake.directory, ["posix", "jobs"]) == before
    never_opened(monkeypatch, logs)
    assert counts(lake.update(logs)) == {"found": 12, "unchanged": 12}


def test_changed_log_replaces_its_rows(lake: darrow.Lake, logs: Path) -> None:
    lake.update(logs)
    make_log(logs / "0" / "job3.darshan", 3, files=7)
    assert counts(lake.update(logs)) == {"found": 12, "unchanged": 11, "replaced": 1}
    assert sums(lake.directory)[2] == (3, 7, 7 * 4096)
    assert ask(f"select count(*) from '{lake.path('jobs')}'") == [(12,)]
    whole(lake.directory)


def test_equal_logs_count_once(lake: darrow.Lake, logs: Path) -> None:
    shutil.copyfile(logs / "0" / "job1.darshan", logs / "0" / "job1-copy.darshan")
    assert counts(lake.update(logs)) == {"found": 13, "added": 12, "duplicates": 1}
    shutil.copyfile(logs / "0" / "job1.darshan", logs / "zz.darshan")
    assert counts(lake.update(logs)) == {"found": 14, "unchanged": 13, "duplicates": 1}
    assert sums(lake.directory) == expected(range(1, 13))
    duplicates = f"select count(*) from '{lake.path('logs')}' where status = 'duplicate'"
    assert ask(duplicates) == [(2,)]


def test_moved_logs_are_recognised(lake: darrow.Lake, logs: Path) -> None:
    lake.update(logs)
    logs.rename(logs.with_name("archive"))
    report = lake.update([logs.with_name("archive")])
    assert counts(report) == {"found": 12, "duplicates": 12}
    assert sums(lake.directory) == expected(range(1, 13))


def test_vanished_logs_are_told_and_kept(lake: darrow.Lake, logs: Path) -> None:
    lake.update(logs)
    gone = logs / "0" / "job4.darshan"
    gone.unlink()
    report = lake.update(logs)
    assert report.vanished == (str(gone),)
    assert sums(lake.directory) == expected(range(1, 13))
    assert lake.info().vanished == 1
    assert ask(f"select log from '{lake.path('logs')}' where vanished is not null") == [(str(gone),)]
    again = lake.update(logs)
    assert again.vanished == ()
    assert again.commits == 0
    make_log(gone, 4, 1 + 4 % 3)
    lake.update(logs)
    assert lake.info().vanished == 0


def test_only_what_the_arguments_stand_for_can_vanish(lake: darrow.Lake, logs: Path) -> None:
    lake.update(logs)
    (logs / "0" / "job4.darshan").unlink()
    assert lake.update(logs / "1").vanished == ()
    assert lake.update(f"{logs}/1*").vanished == ()
    assert lake.update(logs / "0" / "job4.darshan").vanished == (str(logs / "0" / "job4.darshan"),)


def test_patterns_and_lists(lake: darrow.Lake, logs: Path, tmp_path: Path) -> None:
    lake.update(f"{logs}/*/job1*.darshan")
    assert [row[0] for row in sums(lake.directory)] == [1, 10, 11, 12]
    listed = tmp_path / "list.txt"
    listed.write_text(f"{logs}/0/job2.darshan\n{logs}/1\n")
    assert counts(lake.update(f"@{listed}")) == {"found": 4, "unchanged": 3, "added": 1}
    (logs / "1" / "job11.darshan").unlink()
    assert lake.update(f"{logs}/*/job1*.darshan").vanished == (f"{logs}/1/job11.darshan",)


def test_forgetting_vanished_logs(lake: darrow.Lake, logs: Path) -> None:
    lake.update(logs)
    (logs / "0" / "job4.darshan").unlink()
    (logs / "1" / "job11.darshan").unlink()
    lake.update(logs)
    assert counts(lake.update(logs / "1", forget_vanished=True))["forgotten"] == 1
    assert counts(lake.update(logs, forget_vanished=True))["forgotten"] == 1
    numbers = [number for number in range(1, 13) if number not in (4, 11)]
    assert sums(lake.directory) == expected(numbers)
    assert lake.info().logs == 10
    whole(lake.directory)


def test_rows_go_over_to_a_copy(lake: darrow.Lake, logs: Path) -> None:
    """A log whose rows stand under the name of another one keeps them when that one leaves or changes."""
    lake.update(logs)
    first, second = logs / "0" / "job1.darshan", logs / "0" / "job2.darshan"
    first.rename(logs / "moved.darshan")
    shutil.copyfile(second, logs / "copy.darshan")
    make_log(second, 99, files=3)
    lake.update(logs, forget_vanished=True)
    assert sums(lake.directory) == [*expected(range(1, 13)), (99, 3, 3 * 4096)]
    names = dict(ask(f"select jobid, log from '{lake.path('jobs')}' where jobid in (1, 2, 99)"))
    assert names == {1: str(logs / "moved.darshan"), 2: str(logs / "copy.darshan"), 99: str(second)}
    assert ask(f"select count(*) from '{lake.path('logs')}' where status = 'duplicate'") == [(0,)]
    whole(lake.directory)


def test_logs_that_change_places(lake: darrow.Lake, logs: Path) -> None:
    lake.update(logs)
    first, second = logs / "0" / "job1.darshan", logs / "0" / "job2.darshan"
    first.rename(logs / "x")
    second.rename(first)
    (logs / "x").rename(second)
    os.utime(first, ns=(1, 1))
    os.utime(second, ns=(1, 1))
    lake.update(logs)
    assert sums(lake.directory) == expected(range(1, 13))
    assert dict(ask(f"select jobid, log from '{lake.path('jobs')}' where jobid < 3")) == {1: str(second), 2: str(first)}
    whole(lake.directory)


@pytest.mark.parametrize("threads", [1, 3])
def test_threads_and_commits_change_nothing(
    logs: Path, tmp_path: Path, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    darrow.Lake(tmp_path / "one").update(logs)
    monkeypatch.setattr("darrow._lake_read.SLICE_LOGS", 2)
    monkeypatch.setattr("darrow._lake_update.COMMIT_LOGS", 5)
    report = darrow.Lake(tmp_path / "other").update(logs, threads=threads)
    assert report.commits > 1
    assert contents(tmp_path / "one") == contents(tmp_path / "other")
    order = "select log from '{}/jobs/*.parquet'"
    assert ask(order.format(tmp_path / "one")) == ask(order.format(tmp_path / "other"))


def test_names_that_are_not_utf8(lake: darrow.Lake, logs: Path) -> None:
    odd = os.fsencode(logs) + b"/od\xff.darshan"
    make_log(logs / "plain.darshan", 77)
    os.rename(logs / "plain.darshan", odd)
    assert counts(lake.update(os.fsencode(logs))) == {"found": 13, "added": 13}
    assert counts(lake.update(logs)) == {"found": 13, "unchanged": 13}
    assert ask(f"select log, log_bytes from '{lake.path('logs')}' where log_bytes is not null") == [
        (f"{logs}/od\\xff.darshan", odd)
    ]
    os.unlink(odd)
    assert counts(lake.update(logs, forget_vanished=True))["forgotten"] == 1
    assert sums(lake.directory) == expected(range(1, 13))


def test_paths_are_absolute(lake: darrow.Lake, logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(logs)
    lake.update(["0/../0//job1.darshan", "./0", str(logs)])
    assert counts(lake.update(logs)) == {"found": 12, "unchanged": 12}
    assert ask(f"select count(distinct log) from '{lake.path('jobs')}' where log[1] = '/'") == [(12,)]


def test_a_log_that_breaks_keeps_its_rows(lake: darrow.Lake, logs: Path) -> None:
    lake.update(logs)
    log = logs / "0" / "job1.darshan"
    good = log.read_bytes()
    log.write_bytes(good[:700])
    report = lake.update(logs)
    assert counts(report) == {"found": 12, "unchanged": 11, "failed": 1}
    assert sums(lake.directory) == expected(range(1, 13))
    assert lake.failures().column("log").to_pylist() == [str(log)]
    log.write_bytes(good)
    lake.update(logs)
    assert lake.failures().num_rows == 0


def test_failed_logs(lake: darrow.Lake, logs: Path) -> None:
    bad = logs / "bad.darshan"
    bad.write_bytes(b"text")
    shutil.copyfile(bad, logs / "bad2.darshan")
    assert counts(lake.update(logs)) == {"found": 14, "added": 12, "failed": 2}
    assert lake.failures().column("log").to_pylist() == [str(bad), str(logs / "bad2.darshan")]
    assert all(lake.failures().column("message").to_pylist())
    assert counts(lake.update(logs)) == {"found": 14, "unchanged": 14}
    assert counts(lake.update(logs, retry=True)) == {"found": 14, "unchanged": 12, "failed": 2}
    assert lake.failures().num_rows == 2
    make_log(bad, 50)
    assert counts(lake.update(logs)) == {"found": 14, "unchanged": 13, "added": 1}
    assert lake.failures().num_rows == 1
    assert len(sums(lake.directory)) == 13


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a1", "a0 b1"),  # moved, and what stands in its place cannot be read
        ("a1", "a0 b1 c1"),
        ("a1 c1", "a0 b1 c1"),
        ("a1 b1", "a0 b0 c1 d1"),
        ("a1", "a2 b1 c1"),
        ("a1 c1", "a2 b1 c1"),
        ("a1 c1", "a2 b1 c2"),
    ],
)
@pytest.mark.parametrize("commit_logs", [1, 100])
def test_contents_that_move_on_count_once(
    before: str, after: str, commit_logs: int, lake: darrow.Lake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("darrow._lake_update.COMMIT_LOGS", commit_logs)
    monkeypatch.setattr("darrow._lake_read.SLICE_LOGS", commit_logs)
    logs = tmp_path / "moving"
    logs.mkdir()
    for state in (before, after, after):
        for name, jobid in state.split():
            path = logs / f"{name}.darshan"
            if jobid == "0":
                path.write_bytes(b"")
            else:
                make_log(path, int(jobid))
        lake.update(logs)
    held = sorted({int(jobid) for _, jobid in after.split()} - {0})
    assert ask(f"select jobid from '{lake.path('jobs')}' order by 1") == [(jobid,) for jobid in held]
    assert ask(f"select jobid, count(*) from '{lake.path('posix')}' group by 1 order by 1") == [(j, 2) for j in held]
    whole(lake.directory)
