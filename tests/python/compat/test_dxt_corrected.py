"""`darrow dxt` without --compat: what an independent decoder reads of our own traces, and the OSTs by brute force."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import darrow as package
import pyarrow as pa
import pytest
from corpus import LOGS, NO_LOGS, Expected, expected_columns, few, text
from golden_text import ENVIRONMENT
from test_cli import DONE, SOME_LOST, darrow
from test_expected import cases, mounts_of
from test_parse_corrected import component_mount, escaped

Component = dict[str, Any]
NO_THREADS = {("DXT_POSIX", 1), ("DXT_MPIIO", 1), ("DXT_MPIIO", 2)}
COLUMNS = "# Module    Rank  Wt/Rd  Segment          Offset          Length    Start(s)      End(s)"


@pytest.fixture(scope="module", params=cases())
def expected(request: pytest.FixtureRequest) -> Expected:
    return request.param


def targets(components: list[Component], offset: int, length: int) -> list[int]:
    """OSTs of an access, stripe by stripe; within a component each once."""
    out: list[int] = []
    at = offset
    for component in components:
        end = component["ext_end"] if component["ext_end"] != -1 else 1 << 63
        size, osts = component["stripe_size"], component["osts"]
        seen: list[int] = []
        while osts and component["ext_start"] <= at < min(end, offset + length):
            stripe = (at - component["ext_start"]) // size
            if len(seen) < len(osts):
                seen.append(osts[stripe % len(osts)])
            at = min(end, component["ext_start"] + (stripe + 1) * size)
        out += seen
    return out


def record_lines(
    module: str, version: int, record: Any, place: list[str], components: list[Component] | None
) -> Iterator[str]:
    name, mount, kind = place
    threads = 1 if (module, version) in NO_THREADS else max(1, len({segment[4] for segment in record["segs"]}))
    yield ""
    yield f"# DXT, file_id: {record['id']}, file_name: {name}"
    yield f"# DXT, rank: {record['rank']}, hostname: {escaped(text(record['hostname']))}"
    yield f"# DXT, number of threads: {threads}"
    yield f"# DXT, write_count: {record['wc']}, read_count: {record['rc']}"
    yield f"# DXT, mnt_pt: {mount}, fs_type: {kind}"
    if components is not None:
        yield "# DXT, Lustre stripe components:"
        for number, c in enumerate(components, 1):
            end = "EOF" if c["ext_end"] == -1 else c["ext_end"]
            osts = "".join(f" {ost}" for ost in c["osts"])
            yield (
                f"#\t[Component {number}] stripe_ext: {c['ext_start']} - {end}, stripe_size: {c['stripe_size']}, "
                f"stripe_count: {c['stripe_count']}, OSTs:{osts}"
            )
    yield COLUMNS + ("   [OST]" if components is not None else "") + "   Pthread-ID"
    for i, (offset, length, start, end, thread) in enumerate(record["segs"]):
        op, number = ("write", i) if i < record["wc"] else ("read", i - record["wc"])
        line = f"X_{module[4:]:<5}".rjust(8) + f"{record['rank']:8}{op:>7}{number:9}{offset:16}{length:16}"
        line += f"{float(start):12.4f}{float(end):12.4f}  "
        if components is not None:
            line += "".join(f" [{ost}]" for ost in targets(components, offset, length)) + ("  " if components else "")
        yield line + (" N/A" if thread is None else f" {thread:4}")


def lines_of(expected: Expected) -> Iterator[str]:
    entry, mounts = expected.entry, mounts_of(expected)
    names = {int(key): text(value) for key, value in entry["names"].items()}
    layouts: dict[int, list[Component]] = {}
    if lustre := entry["modules"].get("LUSTRE"):
        columns = expected_columns("LUSTRE", lustre["records"])
        layouts = dict(zip(map(int, columns["id"]), columns["components"], strict=True))
    for module in ("DXT_POSIX", "DXT_MPIIO"):
        if module not in entry["modules"]:
            continue
        version = entry["modules"][module]["version"]
        yield from ("", f"# {'*' * 51}", f"# {module} module data", f"# {'*' * 51}")
        if module in entry["partial"]:
            yield "partial"
        for record in entry["modules"][module]["records"]:
            key = record["id"]
            place = (
                [escaped(names[key]), *component_mount(names[key], mounts)]
                if key in names
                else ["(null)", "UNKNOWN", "UNKNOWN"]
            )
            components = layouts.get(key) if module == "DXT_POSIX" else None
            yield from record_lines(module, version, record, place, components)


def body(lines: list[str]) -> list[str]:
    """From the first banner on, without the comment on missing records."""
    start = next((i for i, line in enumerate(lines) if line == f"# {'*' * 51}"), len(lines))
    return lines[start - 1 : -1]


def test_segments(expected: Expected) -> None:
    run = darrow("dxt", expected.path, env=ENVIRONMENT)
    assert run.returncode == DONE, run.stderr
    ours = run.stdout.decode().split("\n")
    theirs = list(lines_of(expected))
    if not theirs:
        assert "# no DXT module data available for this Darshan log." in ours
        return
    shown = body(ours)
    while "partial" in theirs:
        at = theirs.index("partial")
        assert "*WARNING*" in shown[at + 1]
        del shown[at : at + 9]
        del theirs[at]
    wrong = [f"ours   {a!r}\ntheirs {b!r}" for a, b in zip(shown, theirs, strict=False) if a != b]
    assert not wrong, few(wrong)
    assert len(shown) == len(theirs)


# Large traces ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A trace that is inflated piece by piece: twice that of a large log, in two records of each file."""
    source = LOGS / "large" / "dxt-1m-v2.darshan"
    if not source.exists():
        pytest.skip(NO_LOGS)
    log = package.open(source)
    table = log["DXT_POSIX"].to_arrow().combine_chunks()
    ranks = table["rank"]
    second = table.set_column(table.column_names.index("rank"), "rank", pa.compute.add(ranks, log.job.nprocs))
    path = tmp_path_factory.mktemp("large") / "dxt-2m.darshan"
    job = {"uid": 1, "jobid": 2, "nprocs": 2 * log.job.nprocs, "start_time_sec": 0, "end_time_sec": 1, "exe": ""}
    package.write(path, {"DXT_POSIX": pa.concat_tables([table, second])}, job=job, mounts=log.mounts)
    return path


def segment_lines(path: Path) -> list[bytes]:
    return [line for line in darrow("dxt", path).stdout.split(b"\n") if line.startswith(b" X_")]


def test_large_traces_read_the_same(large: Path) -> None:
    once = segment_lines(LOGS / "large" / "dxt-1m-v2.darshan")
    twice = segment_lines(large)
    assert len(once) == 1_000_000
    assert twice[: len(once)] == once
    assert [line[16:] for line in twice[len(once) :]] == [line[16:] for line in once]


def test_a_large_trace_that_is_cut(large: Path) -> None:
    """What inflates is shown, and the damage told."""
    cut = large.with_name("cut.darshan")
    cut.write_bytes(large.read_bytes()[:12_000_000])
    run = darrow("dxt", cut)
    assert run.returncode == SOME_LOST
    shown = run.stdout.count(b"\n X_POSIX")
    assert 1_000_000 < shown < 1_500_000
    assert b"ends early" in run.stderr
