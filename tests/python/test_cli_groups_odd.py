"""`darrow summary --by` over logs that lack something, or hold what cannot be true: numbers are right, or not told."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import logwriter as w
import made
import pytest
from test_cli import DONE, USAGE, darrow
from test_cli_groups import Group, groups, told

Rows = list[dict[str, Any]]


def log(path: Path, modules: dict[str, Rows | bytes], **options: Any) -> Path:
    """A log of four processes with these records."""
    names = options.pop("names", [])
    versions = {name: options.pop("version", made.SPEC.modules[name]["current_version"]) for name in modules}
    job = w.job(**{"jobid": 1, "nprocs": 4, "metadata": b"lib_ver=3.5.0\n"} | options)
    regions = {
        name: (
            versions[name],
            rows if isinstance(rows, bytes) else b"".join(made.pack(name, row, versions[name]) for row in rows),
        )
        for name, rows in modules.items()
    }
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(w.Log(job=job, names=w.names(names) or None, modules=regions, compression=w.NONE).build())
    return path


def one(*arguments: str | Path) -> Group:
    (group,) = groups(*arguments)
    return group


def test_means_need_the_processes_of_all_jobs(tmp_path: Path) -> None:
    rows = [made.row("POSIX", 1, 0, F_READ_TIME=8.0)]
    logs = [log(tmp_path / f"{n}.darshan", {"POSIX": rows}, jobid=n, nprocs=n) for n in (4, 0)]
    assert one("--by", "uid", logs[0])["read_time_mean"] == 2
    both = one("--by", "uid", *logs)
    assert (both["read_time"], both["read_time_mean"]) == (16, None)


def test_rates_need_the_times_of_all_jobs(tmp_path: Path) -> None:
    own = made.row("POSIX", 1, 0, BYTES_WRITTEN=1000, F_WRITE_TIME=1.0)
    shared = made.row("POSIX", 2, -1, BYTES_WRITTEN=9000, F_WRITE_TIME=8.0, F_SLOWEST_RANK_TIME=float("nan"))
    a = log(tmp_path / "a.darshan", {"POSIX": [own]}, jobid=1)
    b = log(tmp_path / "b.darshan", {"POSIX": [shared]}, jobid=2)
    assert one("--by", "uid", a)["rate"] == 1000
    both = one("--by", "uid", a, b)
    assert (both["bytes"], both["rate"]) == (10000, None)
    kinds = {problem["kind"]: problem["count"] for problem in told("--by", "uid", a, b)["problems"]}
    assert kinds["known_in_part"] == 1
    assert one("--by", "uid", log(tmp_path / "c.darshan", {"POSIX": [own, shared]}))["rate"] is None


def test_values_left_out_are_told(tmp_path: Path) -> None:
    rows = [made.row("POSIX", n, 0, BYTES_WRITTEN=size) for n, size in ((1, 1000), (2, -7), (3, -(2**40)))]
    path = log(tmp_path / "a.darshan", {"POSIX": rows})
    assert one("--by", "uid", path)["bytes_written"] == 1000
    (problem,) = told("--by", "uid", path)["problems"]
    assert (problem["kind"], problem["region"], problem["count"]) == ("value_negative", "POSIX", 2)
    run = darrow("summary", "--by", "uid", path)
    assert (run.returncode, b"POSIX: negative or absurd values left out: 2" in run.stderr) == (DONE, True)


def test_sums_over_jobs_that_do_not_fit(tmp_path: Path) -> None:
    rows = [made.row("POSIX", 1, 0, BYTES_WRITTEN=2**62), made.row("POSIX", 2, 0, BYTES_WRITTEN=1)]
    names = [(1, b"/big"), (2, b"/small")]
    logs = [log(tmp_path / f"{n}.darshan", {"POSIX": rows}, jobid=n, names=names) for n in (1, 2)]
    found = {group["name"]: group["bytes_written"] for group in groups("--by", "file", *logs)}
    assert found == {"/big": None, "/small": 2}
    assert [problem["kind"] for problem in told("--by", "file", *logs)["problems"]] == ["sum_overflow"]


def test_large_numbers_are_sorted_exactly(tmp_path: Path) -> None:
    sizes = {1: 2**53 + 2, 2: 2**53 + 3, 3: 2**60, 4: 2**60 + 2, 5: 2**60 + 1}
    path = log(tmp_path / "a.darshan", {"POSIX": [made.row("POSIX", n, 0, BYTES_WRITTEN=s) for n, s in sizes.items()]})
    assert [group["id"] for group in groups("--by", "file", path)] == ["4", "5", "3", "2", "1"]
    assert [group["id"] for group in groups("--by", "file", "--limit", "2", path)] == ["4", "5"]


def test_large_ids_in_the_table(tmp_path: Path) -> None:
    path = log(tmp_path / "a.darshan", {"POSIX": [made.row("POSIX", 2**64 - 5, 0, BYTES_WRITTEN=1)]})
    assert "(id 18446744073709551611)" in darrow("summary", "--by", "file", path).stdout.decode()


def trace(rank: int, node: bytes) -> bytes:
    """A record of DXT_POSIX 1 with one write."""
    return struct.pack("<Qqq64sqq", 1, rank, 0, node, 1, 0) + struct.pack("<qqdd", 0, 4096, 0.5, 0.7)


@pytest.mark.parametrize(
    ("nodes", "metadata", "of_shared", "of_rank_0"),
    [
        ([b"n1", b"n1"], b"", "n1", "n1"),
        ([b"n1", b"n1"], b"hostname=login01\n", "n1", "n1"),
        ([b"n1", b"n2"], b"hostname=login01\n", None, "n1"),
        ([b"n1"], b"", None, "n1"),
        ([b"n1", b"n1", b"n9"], b"", "n1", "n1"),  # there is no rank 2
        ([], b"hostname=login01\n", "login01", "login01"),
        ([], b"hostname=\n", None, None),
    ],
)
def test_nodes(
    tmp_path: Path, nodes: list[bytes], metadata: bytes, of_shared: str | None, of_rank_0: str | None
) -> None:
    """Traces tell where ranks ran; what all ranks share belongs to a node only if all of them ran there."""
    modules: dict[str, Rows | bytes] = {
        "POSIX": [made.row("POSIX", 1, -1, BYTES_WRITTEN=100), made.row("POSIX", 2, 0, BYTES_WRITTEN=1)]
    }
    path = log(tmp_path / "a.darshan", modules, nprocs=2, metadata=metadata or b"a=b\n")
    if nodes:
        traces = b"".join(trace(rank, node) for rank, node in enumerate(nodes))
        posix = b"".join(made.pack("POSIX", row, 4) for row in modules["POSIX"])  # type: ignore[arg-type]
        job = w.job(jobid=1, nprocs=2, metadata=metadata or b"a=b\n")
        regions = {"POSIX": (4, posix), "DXT_POSIX": (1, traces)}
        path.write_bytes(w.Log(job=job, names=None, modules=regions, compression=w.NONE).build())
    expected = {of_shared: 0, of_rank_0: 0}
    expected[of_shared] += 100
    expected[of_rank_0] += 1
    assert {group["host"]: group["bytes_written"] for group in groups("--by", "host", path)} == expected


def test_logs_of_one_job_can_be_told_apart(tmp_path: Path) -> None:
    for name in ("first", "second"):
        log(tmp_path / f"{name}.darshan", {"POSIX": [made.row("POSIX", 1, 0, BYTES_WRITTEN=len(name))]}, jobid=7)
    text = darrow("summary", "--by", "job", tmp_path).stdout.decode()
    assert "first.darshan" in text
    assert "second.darshan" in text
    two = {"POSIX": [made.row("POSIX", 1, 0, BYTES_WRITTEN=1)], "STDIO": [made.row("STDIO", 1, 0, BYTES_WRITTEN=1)]}
    log(tmp_path / "second.darshan", two, jobid=8)
    assert "first.darshan" not in darrow("summary", "--by", "job", tmp_path).stdout.decode()


@pytest.mark.parametrize("option", [("--sort", "bytes"), ("--limit", "3"), ("--threads", "2")])
def test_options_that_need_groups(tmp_path: Path, option: tuple[str, str]) -> None:
    path = log(tmp_path / "a.darshan", {"POSIX": [made.row("POSIX", 1, 0, BYTES_WRITTEN=1)]})
    run = darrow("summary", *option, path)
    assert (run.returncode, b"--by" in run.stderr) == (USAGE, True)
    assert darrow("summary", "--by", "file", *option, path).returncode == DONE


def test_ids_that_were_chosen_to_be_slow(tmp_path: Path) -> None:
    """Keys of several logs are found by a hash that nobody can foresee: a million steps, not a billion."""
    rows = [made.row("POSIX", n << 32, 0, BYTES_WRITTEN=1) for n in range(1, 20_000)]
    logs = [log(tmp_path / f"{n}.darshan", {"POSIX": rows}, jobid=n) for n in (1, 2)]
    run = darrow("summary", "--by", "file", "--limit", "1", "--threads", "1", *logs)
    assert run.returncode == DONE
