"""Damage made on purpose, one kind at a time: it is reported, all else is delivered, memory stays flat."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import random
import resource
import struct
import time
import zlib
from pathlib import Path

import darrow
import logwriter as w
import pytest
from robustness import Content, Watch, in_child, is_prefix, log_bytes, peak_rss, readable, same

MIB = 1 << 20


def read(log: bytes, **options) -> darrow.Log:
    return darrow.open(log, strict=False, **options)


def found(log: darrow.Log) -> list[tuple]:
    """All problems, in short."""
    return [(p.kind, p.region, p.offset, p.offset_of, p.count) for p in log.verify()]


def simple(**parts) -> bytes:
    """A log of two POSIX records and their names, or with other parts."""
    order, version = parts.get("order", "<"), parts.get("version", "3.41")
    plain = {
        "job": w.job(order=order, version=version),
        "names": w.names([(1, b"/scratch/a"), (2, b"/home/b")], order=order, version=version),
        "modules": {"POSIX": (4, w.posix(1, 0, order=order) + w.posix(2, 1, opens=7, order=order))},
    }
    return w.Log(**(plain | parts)).build()


def opens(log: darrow.Log) -> list[int]:
    return log["POSIX"].column("POSIX_OPENS")


# A byte flipped in each region ----------------------------------------------------------------------------------------

FLIPPED = [
    "small/lustre-apmpi-all",
    "small/synth-all-modules",
    "small/many-shared-per-rank",
    "small/bzip2-lustre",
    "small/bzip2-dxt-mpiio",
    "synthetic/multi_le_c1",
    "synthetic/multi_be_c0",
    "synthetic/partial_be_3.00",
]


def first_bad_stream(data: bytes, compression: int) -> tuple[str, int, int] | None:
    """Of a region: kind of the problem, start of the stream, inflated bytes of the streams before it."""
    at = before = 0
    while at < len(data):
        stream = zlib.decompressobj() if compression == w.ZLIB else bz2.BZ2Decompressor()
        try:
            out = stream.decompress(data[at:])
        except (zlib.error, OSError, ValueError):
            return "stream_damaged", at, before
        if not stream.eof:
            return "stream_truncated", at, before
        before += len(out)
        at = len(data) - len(stream.unused_data)
    return None


@pytest.mark.parametrize("name", FLIPPED)
def test_flip_in_each_region(name):
    log = log_bytes(name)
    header, whole = w.read_header(log), Content.of(read(log))
    intact = {p.kind for p in read(log).verify()}
    for region in header.regions:
        damaged = bytearray(log)
        damaged[region.offset + region.length // 2 + 3] ^= 0xFF  # not the first byte of a stream in any of these logs
        data = bytes(damaged[region.offset : region.offset + region.length])
        kind, start, before = first_bad_stream(data, header.compression)
        part = read(bytes(damaged))
        content = Content.of(part)

        assert {p.region for p in content.errors} == {region.name}
        stream = next(p for p in content.errors if p.kind.startswith("stream_"))
        assert (stream.kind, stream.offset, stream.offset_of) == (kind, region.offset + start, "file"), region.name
        assert {p.kind for p in part.verify() if p.region != region.name} <= intact
        if region.name != "job":
            assert (content.job, content.mounts) == (whole.job, whole.mounts)
        if region.name != "names":
            assert content.names == whole.names
        for module, table in whole.tables.items():
            if module != region.name:
                assert same(content.tables[module], table), f"{module} after damage in {region.name}"
        if region.name == "POSIX":  # no record has more bytes
            rows = before // 704
            assert is_prefix(whole.tables["POSIX"].slice(0, rows), content.tables["POSIX"])


# Streams --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("compression", [w.ZLIB, w.BZIP2])
@pytest.mark.parametrize("surplus", [b"\0", b"\0" * 50, b"rubbish" * 20], ids=["1 byte", "zeros", "text"])
def test_bytes_behind_the_last_stream(compression, surplus):
    records = w.compress(w.posix(1), compression)
    log = simple(modules={"POSIX": (4, w.Stored(records + surplus))}, compression=compression)
    at = w.read_header(log).modules["POSIX"].offset + len(records)
    assert found(read(log)) == [("trailing_bytes", "POSIX", at, "file", len(surplus))]
    assert opens(read(log)) == [1]


@pytest.mark.parametrize("compression", [w.ZLIB, w.BZIP2])
def test_wrong_checksum(compression):
    """Everything inflates, but must not be trusted."""
    records = bytearray(w.compress(w.posix(1) + w.posix(2), compression))
    # bzip2 ends with the checksum of the whole, 4 bytes before the last bits; the block has its own in front.
    records[-1 if compression == w.ZLIB else 12] ^= 0xFF
    log = simple(modules={"POSIX": (4, w.Stored(records))}, compression=compression)
    at = w.read_header(log).modules["POSIX"].offset
    ((kind, region, offset, offset_of, count),) = found(read(log))
    assert (kind, region, offset, offset_of) == ("stream_damaged", "POSIX", at, "file")
    assert count == (1408 if compression == w.ZLIB else count)
    assert opens(read(log)) == [1] * (count // 704)


@pytest.mark.parametrize("compression", [pytest.param(w.ZLIB, marks=pytest.mark.slow), w.BZIP2])
def test_many_empty_streams(compression):
    stream = w.compress(b"", compression)
    records = w.Stored(stream * 50_000 + w.compress(w.posix(1), compression))
    log = read(simple(modules={"POSIX": (4, records)}, compression=compression))
    assert found(log) == []
    assert opens(log) == [1]


@pytest.mark.parametrize("compression", [w.ZLIB, w.BZIP2])
def test_records_across_streams(compression):
    records = w.posix(1, opens=3) + w.posix(2, opens=4)
    streams = w.Stored(b"".join(w.compress(records[at : at + 100], compression) for at in range(0, len(records), 100)))
    log = read(simple(modules={"POSIX": (4, streams)}, compression=compression))
    assert found(log) == []
    assert opens(log) == [3, 4]


# Bombs ----------------------------------------------------------------------------------------------------------------

LIMIT = 16 * MIB


def explode(compression: int, single: bool) -> dict[str, list]:
    """A great many zeros in each kind of region in turn: problems, and memory above that of a small log."""
    watch, results = Watch(), {}
    Content.of(read(simple(compression=compression)))
    if single:
        bomb = w.Stored(w.compress(bytes(128 * MIB), compression))
    else:
        bomb = w.Stored(w.compress(bytes(16 * MIB + 5), compression) * 64)
    bombs = {
        "job": {"job": bomb},
        "names": {"names": bomb},
        **{
            name: {"modules": {name: (version, bomb)}}
            for name, version in (("POSIX", 4), ("LUSTRE", 2), ("DXT_POSIX", 1), ("HEATMAP", 1), ("module 40", 1))
        },
    }
    for region, parts in bombs.items():
        log = simple(**parts, compression=compression)
        before = peak_rss()
        watch(region)
        part = read(log, max_region_bytes=LIMIT)
        problems = [p for p in found(part) if p[0] == "region_too_large"]
        rows = sum(len(part[module]) for module in readable(part))
        results[region] = [problems, rows, peak_rss() - before, w.read_header(log).layout.size]
    return results


@pytest.mark.slow
@pytest.mark.parametrize("single", [True, False], ids=["one stream", "many streams"])
@pytest.mark.parametrize("compression", [w.ZLIB, w.BZIP2], ids=["zlib", "bzip2"])
def test_bomb(compression, single):
    sizes = {"POSIX": 704, "LUSTRE": 32, "DXT_POSIX": 0, "HEATMAP": 48}
    for region, (problems, rows, memory, _) in in_child(explode, compression, single).items():
        ((_, where, offset, offset_of, count),) = problems
        assert (where, offset_of, count) == (region, "file", LIMIT)
        assert offset is not None
        if region in sizes:
            assert rows == (LIMIT // sizes[region] if sizes[region] else 0)
        # Inflated data, its columns, and room for the bookkeeping of small records: not all that would inflate.
        assert memory < 8 * LIMIT, region


@pytest.mark.parametrize("compression", [w.ZLIB, w.BZIP2, w.NONE])
def test_region_of_just_the_limit(compression):
    records = w.posix(1) * 10
    log = simple(modules={"POSIX": (4, records)}, compression=compression)
    assert found(read(log, max_region_bytes=7040)) == []
    ((kind, region, _, offset_of, count), *_) = found(read(log, max_region_bytes=7039))
    assert (kind, region, offset_of, count) == ("region_too_large", "POSIX", "file", 7039)
    assert len(read(log, max_region_bytes=7039)["POSIX"]) == 9


def starve() -> dict:
    """Reads a region that needs more memory than the process may have."""
    bomb = w.Stored(w.compress(bytes(64 * MIB), w.ZLIB) * 40)
    log = read(simple(modules={"POSIX": (4, bomb), "STDIO": (2, w.stdio(1))}))
    has = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (has + 512 * MIB, resource.RLIM_INFINITY))
    try:
        len(log["POSIX"])
    except MemoryError as e:
        message = str(e)
    return {"message": message, "problems": [p[:2] for p in found(log)], "rows": [len(log["STDIO"]), len(log.names)]}


@pytest.mark.slow
def test_no_memory_left():
    """An exception, not the end; and everything else can still be read."""
    result = in_child(starve)
    assert result["message"]
    assert result["problems"] == [["out_of_memory", "POSIX"]]
    assert result["rows"] == [1, 2]


# Counts in records ----------------------------------------------------------------------------------------------------

HUGE = [-1, -(2**63), 2**63 - 1, 2**62, 2**61, 2**60, 2**40, 2**31, 1000]
COUNTS = {
    "LUSTRE": (2, lambda a, b, o: w.lustre(1, -1, [2], [3, 4], counts=(a, b), order=o), (1, 2)),
    "DXT_POSIX": (1, lambda a, b, o: w.dxt(1, 0, 2, 1, counts=(a, b), order=o), (2, 1)),
    "HEATMAP": (1, lambda a, _, o: w.heatmap(1, 0, [1, 2], [3, 4], nbins=a, order=o), (2, 0)),
    "MDHIM": (1, lambda a, _, o: w.mdhim(1, 0, [1, 2, 3], servers=a, order=o), (3, 0)),
}


def lie(module: str) -> list[str]:
    """Reads logs whose second record lies about its counts."""
    watch, complaints = Watch(), []
    version, record, true = COUNTS[module]
    lies = [(n, true[1]) for n in HUGE]
    if true[1]:
        lies += [(true[0], n) for n in HUGE] + [(n, m) for n in HUGE for m in HUGE]
    before = peak_rss()
    for order in "<>":
        good = record(*true, order)
        for counts in lies:
            watch(f"{module} {order} {counts}")
            bad = record(*counts, order) + good
            log = read(simple(modules={module: (version, good + bad)}, order=order))
            problems = found(log)
            if problems != [("record_malformed", module, len(good), "inflated", len(bad))]:
                complaints.append(f"{counts}: {problems}")
            if len(log[module].records) != 1:
                complaints.append(f"{counts}: {len(log[module].records)} records")
    if peak_rss() - before > 16 * MIB:
        complaints.append(f"{(peak_rss() - before) / MIB:.0f} MiB more memory")
    return complaints


@pytest.mark.parametrize("module", COUNTS)
def test_counts_that_cannot_be_true(module):
    assert in_child(lie, module) == []


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("module", COUNTS)
def test_counts_that_are_one_too_many(module, order):
    """The last record claims one element more than there is."""
    version, record, true = COUNTS[module]
    good, bad = record(*true, order), record(true[0] + 1, true[1], order)
    log = read(simple(modules={module: (version, good + bad)}, order=order))
    assert found(log) == [("record_malformed", module, len(good), "inflated", len(bad))]


def test_stripes_of_more_osts_than_stored():
    log = read(simple(modules={"LUSTRE": (2, w.lustre(1, -1, [2, 2**40], [5, 6, 7]))}))
    assert found(log) == [("layout_osts", "LUSTRE", None, None, 1)]
    ((components,),) = [log["LUSTRE"].column("components")]
    assert [c["osts"] for c in components] == [[5, 6], [7]]


@pytest.mark.parametrize("count", [-1, -(2**63)])
def test_negative_stripe_count(count):
    log = read(simple(modules={"LUSTRE": (2, w.lustre(1, -1, [count, 2], [5, 6]))}))
    log.verify()
    assert len(log["LUSTRE"].to_arrow()) == 1


def test_ranks_do_not_cost_memory():
    ranks = [-1, -2, 3, 4, 2**31, 2**40, 2**63 - 1, -(2**63)]
    log = read(simple(modules={"POSIX": (4, b"".join(w.posix(1, rank) for rank in ranks))}))
    assert log["POSIX"].column("rank") == ranks
    assert sorted(found(log)) == [
        ("rank_below_minus_one", "POSIX", None, None, 2),
        ("rank_beyond_nprocs", "POSIX", None, None, 4),
    ]


# Names ----------------------------------------------------------------------------------------------------------------

NAMES = [(1, b"/scratch/a"), (2, b"/home/b")]


def names_of(table: bytes, **parts) -> tuple[dict[int, str], list[tuple]]:
    log = read(simple(names=table, **parts))
    assert opens(log) == [1, 7]
    return dict(log.names), found(log)


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("version", ["3.41", "3.21", "3.10"])
def test_unterminated_name(version, order):
    table = w.names(NAMES, order=order)
    assert names_of(table[:-1], order=order, version=version) == (
        {1: "/scratch/a"},
        [("name_unterminated", "names", 19, "inflated", 7)],
    )


@pytest.mark.parametrize("left", range(1, 8))
def test_name_table_cut_in_an_id(left):
    table = w.names(NAMES)
    assert names_of(table[: 19 + left]) == (
        {1: "/scratch/a"},
        [("name_truncated", "names", 19, "inflated", left)],
    )


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("length", [8, 1000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFF0, 0xFFFFFFFF])
def test_name_of_format_300_longer_than_the_table(length, order):
    table = bytearray(w.names(NAMES, version="3.00", order=order))
    struct.pack_into(order + "I", table, 22 + 8, length)
    assert names_of(bytes(table), version="3.00", order=order) == (
        {1: "/scratch/a"},
        [("name_truncated", "names", 22, "inflated", 19)],
    )


def test_repeated_names():
    table = w.names([(1, b"a"), (2, b""), (1, b"a"), (2, b"b"), (1, b"c"), (2, b"")])
    problems = [("name_duplicate", "names", None, None, 3), ("name_conflict", "names", None, None, 1)]
    assert names_of(table) == ({1: "a", 2: "b"}, problems)


def test_20000_names():
    pairs = [(i * 0x9E3779B97F4A7C15 & (2**64 - 1), b"/scratch/%d" % i) for i in range(20_000)]
    log = read(simple(names=w.names(pairs)))
    assert {i: name.encode() for i, name in log.names.items()} == dict(pairs)
    assert found(log) == []


@pytest.mark.parametrize("step", [1, 1 << 32, 1 << 40, 0xF1DE83E19937733D], ids=hex)
def test_ids_that_a_hash_table_may_dislike(step):
    """Among them the inverse of 2^64 / golden ratio, the usual multiplier: products that are 1, 2, 3, …"""
    pairs = [(i * step & (2**64 - 1), b"%d" % i) for i in range(200_000)]
    log = read(simple(names=w.names(pairs)))
    began = time.process_time()
    assert len(log.names) == len(dict(pairs))
    assert time.process_time() - began < 2


def repeat_a_long_name(module: str, column: str, tail: str) -> dict:
    """A name of 3 MiB that 50,000 rows refer to: what a column of names holds, and what it costs."""
    watch = Watch()
    Content.of(read(simple()))
    records = {"POSIX": (4, w.posix(1) * 1000), "DXT_POSIX": (1, w.dxt(1, 0, 500, 500))}
    version, thousand = records[module]
    region = w.Stored(w.compress(thousand, w.ZLIB) * 50)
    name = b"x" * (3 * MIB) + tail.encode("latin-1")
    log = read(simple(names=w.names([(1, name)]), modules={module: (version, region)}))
    before = peak_rss()
    watch(f"{module} {column}")
    names = log[module].select([column]).to_arrow().column(column)
    return {
        "rows": len(names),
        "without name": names.null_count,
        "length": len(names[0].as_py()),
        "problems": [[p.kind, p.count] for p in log.problems if p.kind != "text_not_utf8"],
        "memory": peak_rss() - before,
    }


@pytest.mark.slow
@pytest.mark.parametrize("tail", ["", "\xff"], ids=["UTF-8", "not UTF-8"])
@pytest.mark.parametrize(("module", "column"), [("POSIX", "name"), ("POSIX", "name_bytes"), ("DXT_POSIX", "name")])
def test_long_name_of_many_records(module, column, tail):
    """All rows have the name, or those that would need too much memory have none and are counted."""
    result = in_child(repeat_a_long_name, module, column, tail)
    lost, shown = result["without name"], len(tail) * (1 if column == "name_bytes" else 4)  # \xff
    assert (result["rows"], result["length"]) == (50_000, 3 * MIB + shown)
    assert result["problems"] == ([["name_text_too_large", lost]] if lost else [])
    assert result["memory"] < 1024 * MIB


# The job --------------------------------------------------------------------------------------------------------------

EXE, MOUNTS = "/bin/app -x", [("/", "ext4"), ("/scratch", "lustre")]


def job_of(text: bytes, **parts) -> tuple[str, list[tuple[str, str]], list[tuple]]:
    log = read(simple(job=w.job(text=text), **parts))
    assert opens(log) == [1, 7]
    return log.job.exe, [(m.path, m.fs_type) for m in log.mounts], found(log)


@pytest.mark.parametrize("tail", [b"", b"\0", b"\0" + b"\xff" * 200, b"\0\0\0", b"\0ext4\t/rubbish\0"])
def test_job_text_is_what_stands_before_the_first_nul(tail):
    """No NUL at all, one, and rubbish behind it."""
    assert job_of(b"/bin/app -x\next4\t/\nlustre\t/scratch" + tail) == (EXE, MOUNTS, [])


def test_rubbish_that_no_nul_precedes():
    exe, mounts, problems = job_of(b"/bin/app -x\next4\t/\nlustre\t/scratch" + b"\xff" * 200)
    assert (exe, mounts[0]) == (EXE, MOUNTS[0])
    assert mounts[1] == ("/scratch" + "\udcff" * 200, "lustre")
    assert problems == [("text_not_utf8", "job", None, None, 1)]


def test_mount_line_without_a_tab():
    text = b"/bin/app -x\next4\t/\nlustre /scratch\n\t/x\nnfs\t\nlustre\t/scratch\0"
    assert job_of(text) == (EXE, MOUNTS, [("mount_malformed", "job", None, None, 3)])


def test_blanks_in_a_mount_path():
    assert job_of(b"a\nfuse.x\t/my disk\t2 \0")[1:] == ([("/my disk\t2 ", "fuse.x")], [])


@pytest.mark.parametrize("text", [b"", b"\0"])
def test_job_without_text(text):
    assert job_of(text) == ("", [], [])


def test_metadata_of_1024_bytes():
    """All the room, and no NUL: the command line is not part of it."""
    log = read(simple(job=w.job(metadata=b"k=" + b"v" * 1022)))
    assert log.job.metadata == {"k": "v" * 1022}
    assert log.job.exe == EXE
    assert found(log) == []


def test_more_job_text_than_the_format_allows():
    text = b"/bin/app -x\next4\t/\nlustre\t/scratch\n" + b"nfs\t/home\n" * 400
    exe, mounts, problems = job_of(text)
    assert (exe, mounts[:2]) == (EXE, MOUNTS)
    assert problems[0] == ("job_oversized", "job", None, None, 1080 + len(text) - 4096)


@pytest.mark.parametrize("version", ["3.41", "3.21", "3.00"])
@pytest.mark.parametrize("order", "<>")
def test_job_region_too_short(version, order):
    size = 1080 if version == "3.41" else 1064
    whole = w.job(version=version, order=order)
    log = read(simple(job=whole[:size], version=version, order=order))
    assert (log.job.uid, log.job.nprocs, log.job.exe, found(log)) == (1000, 4, "", [])
    log = read(simple(job=whole[: size - 1], version=version, order=order))
    assert log.job is None
    assert found(log) == [("job_unreadable", "job", None, None, size - 1)]
    assert opens(log) == [1, 7]
    with pytest.raises(darrow.CorruptLogError):
        darrow.open(simple(job=whole[: size - 1], version=version, order=order), strict=True)


def test_job_region_missing():
    log = read(simple(job=w.Stored(b"")))
    assert log.job is None
    assert ("job_unreadable", "job") in [p[:2] for p in found(log)]
    assert opens(log) == [1, 7]
    assert dict(log.names) == {1: "/scratch/a", 2: "/home/b"}


def test_aborted_run():
    log = read(simple(job=w.job(end=0)))
    assert log.job.run_time is None
    assert [p[:2] for p in found(log)] == [("job_unfinished", "job")]


def test_end_before_start():
    log = read(simple(job=w.job(start=2000, end=1000)))
    assert log.job.run_time == -999.5
    assert [p[:2] for p in found(log)] == [("time_reversed", "job")]


@pytest.mark.parametrize("start", [0, 1, -1, 2**62, 2**63 - 1, -(2**63)])
@pytest.mark.parametrize("end", [0, 1, -1, 2**62, 2**63 - 1, -(2**63)])
@pytest.mark.parametrize("version", ["3.41", "3.21"])
def test_absurd_times(start, end, version):
    log = read(simple(job=w.job(start=start, end=end, version=version), version=version))
    log.verify()
    assert (log.job.start_time_sec, log.job.end_time_sec) == (start, end)
    assert (log.job.run_time is None) == (end == 0)
    assert str((log, log.job, log.job.start_time, log.job.end_time))


# Header and maps ------------------------------------------------------------------------------------------------------


def test_version_of_32_bits():
    log = read(simple(modules={"POSIX": (0xFFFFFFFE, w.posix(1))}))
    assert log.modules["POSIX"].version == 0xFFFFFFFE
    assert [(p[0], p[4]) for p in found(log)] == [("module_version", 0xFFFFFFFE)]


def patched(log: bytes, region: str, offset: int, length: int) -> bytes:
    """The log with another entry in its maps."""
    header = w.read_header(log)
    at = header.layout.names if region == "names" else header.layout.entry(header.modules[region].slot)
    out = bytearray(log)
    struct.pack_into(header.order + "QQ", out, at, offset, length)
    return bytes(out)


FAR = [2**64 - 1, 2**63, 2**63 - 1, 2**62, 2**32]


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("length", [*FAR, 10_000])
def test_length_past_the_end_of_the_file(length, order):
    """The region is cut at the end of the file; what is there is whole."""
    log = simple(order=order)
    region = w.read_header(log).modules["POSIX"]
    part = read(patched(log, "POSIX", region.offset, length))
    missing = min(region.offset + length - len(log), 2**63 - 1)
    assert found(part) == [("region_outside_file", "POSIX", region.offset, "file", missing)]
    assert opens(part) == [1, 7]


@pytest.mark.parametrize("offset", FAR)
@pytest.mark.parametrize("length", [1, 30, *FAR])
def test_offset_past_the_end_of_the_file(offset, length):
    part = read(patched(simple(), "POSIX", offset, length))
    missing = min(length, 2**63 - 1)
    assert found(part) == [("region_outside_file", "POSIX", offset, "file", missing)]
    assert len(part["POSIX"]) == 0
    assert len(part.names) == 2


@pytest.mark.parametrize("offset", [1, 100, 1327])
@pytest.mark.parametrize("region", ["POSIX", "names"])
def test_region_in_the_header(region, offset):
    log = simple()
    part = read(patched(log, region, offset, 30))
    assert ("region_in_header", region, offset, "file") in [p[:4] for p in found(part)]
    assert part.job.uid == 1000
    assert len(part.names) == (0 if region == "names" else 2)
    assert len(part["POSIX"]) == (0 if region == "POSIX" else 2)


def test_regions_that_are_the_same():
    """All that have room for the same bytes read them; nothing is counted twice in memory that matters."""
    log = simple(modules={"POSIX": (4, w.posix(1)), "STDIO": (2, w.stdio(2))})
    region = w.read_header(log).modules["POSIX"]
    part = read(patched(log, "STDIO", region.offset, region.length))
    assert ("region_overlap", "STDIO", region.offset, "file", None) in found(part)
    assert opens(part) == [1]
    assert len(part["STDIO"]) == 704 // 248


def test_module_map_does_not_move_the_job():
    """A module said to begin inside the job region is the one that is wrong: job and names are whole."""
    log = simple()
    part = read(patched(log, "POSIX", 1328 + 10, 50))
    assert part.job.exe == EXE
    assert len(part.names) == 2
    assert any(p.region == "POSIX" and p.severity == "error" for p in part.verify())


def test_partial_flags():
    log = read(simple(partial=("POSIX", "STDIO", "module 63")))
    assert {name for name, module in log.modules.items() if module.partial} == {"POSIX", "STDIO", "module 63"}
    assert [p[:2] for p in found(log) if p[0] == "module_partial"] == [
        ("module_partial", "POSIX"),
        ("module_partial", "STDIO"),
        ("module_partial", "module 63"),
    ]
    assert opens(log) == [1, 7]


# Files that are no logs -----------------------------------------------------------------------------------------------


REFUSED = {
    "empty": (b"", "not_a_log"),
    "text": (b"Some text that is long enough to hold a header.\n" * 100, "not_a_log"),
    "short text": (b"short", "truncated"),
    "zeros": (bytes(2048), "unfinished"),
    "header of zeros": (bytes(2048) + simple()[2048:] * 3, "unfinished"),
    "gzip, as Darshan 2 wrote": (gzip.compress(b"2.06\0" * 1000), "unsupported_version"),
    "magic number alone": (simple()[:16], "truncated"),
    "fixed part of the header": (simple()[:17], "truncated"),
    "header but a byte": (simple()[:1327], "truncated"),
    "header": (simple()[:1328], "corrupt"),
    "header without regions": (w.Log(job=w.Stored()).build(), "corrupt"),
    "short header but a byte": (simple(version="3.21")[:359], "truncated"),
    "short header": (simple(version="3.21")[:360], "corrupt"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_no_log(name):
    data, code = REFUSED[name]
    for strict in (False, True):
        with pytest.raises(darrow.DarrowError) as error:
            darrow.open(data, strict=strict)
        assert error.value.code == code
        assert "\n" not in str(error.value)


def test_no_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        darrow.open(tmp_path / "missing.darshan")
    with pytest.raises(IsADirectoryError):
        darrow.open(tmp_path)


# Random bytes ---------------------------------------------------------------------------------------------------------


def read_all(log: bytes) -> None:
    with contextlib.suppress(darrow.DarrowError):
        Content.of(read(log, max_region_bytes=64 * MIB))


def random_logs(seed: int, count: int) -> None:
    """Valid headers before random bytes, as they are or as records."""
    watch, rng = Watch(), random.Random(seed)
    names = [*w.MODULES, "module 20", "module 63"]
    for i in range(count):
        watch(f"random, seed {seed}, number {i}")
        version, order = rng.choice(["3.00", "3.10", "3.20", "3.21", "3.41"]), rng.choice("<>")
        slots = {w.module_name(w.id_of_slot(s, version)) for s in range(w.layout_of(version).slots)}

        def region(rng=rng):
            kind, size = rng.randrange(4), rng.choice([0, 1, 7, 48, 104, 500, 5000])
            data = rng.choice([rng.randbytes, bytes])(size)
            small = bytes(rng.choice([0, 0, 0, 0, 0, 0, 0, 1, 2, 255]) for _ in range(min(size, 600)))
            return (data, small, w.Stored(data), b"")[kind]

        modules = {name: (rng.randrange(6), region()) for name in rng.sample(names, 4) if name in slots}
        log = w.Log(
            job=rng.choice([w.job(version=version, order=order), region()]),
            names=rng.choice([None, region(), w.names(NAMES, version=version, order=order)]),
            modules=modules,
            version=version,
            order=order,
            compression=rng.randrange(3),
        )
        read_all(log.build())


def mutated_logs(seed: int, count: int, names: list[str]) -> None:
    """Intact logs with a few bytes changed, removed or repeated, also inside the inflated regions."""
    watch, rng = Watch(), random.Random(seed)
    originals = [log_bytes(name) for name in names]

    def mutate(data: bytes) -> bytes:
        out = bytearray(data)
        for _ in range(rng.choice([1, 1, 2, 8])):
            if not out:
                break
            at = rng.randrange(len(out))
            match rng.randrange(5):
                case 0 | 1:
                    out[at] = rng.choice([0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)])
                case 2:
                    out[at : at + 8] = struct.pack("<q", rng.choice(HUGE))
                case 3:
                    del out[at : at + rng.randrange(64)]
                case 4:
                    out[at:at] = out[at : at + rng.randrange(64)]
        return bytes(out)

    for i in range(count):
        watch(f"mutated, seed {seed}, number {i}")
        original = rng.choice(originals)
        if rng.random() < 0.3:
            read_all(mutate(original))
            continue
        log = w.Log.parse(original)
        for name, (version, records) in log.modules.items():
            if rng.random() < 0.5:
                log.modules[name] = (version, mutate(records))
        log.names = mutate(log.names) if log.names and rng.random() < 0.3 else log.names
        log.job = mutate(log.job) if rng.random() < 0.3 else log.job
        log.compression = w.NONE if rng.random() < 0.5 else log.compression
        read_all(log.build())


# Small ones, with modules of all kinds.
MUTATED = [
    "small/lustre-apmpi-all",
    "small/synth-all-modules",
    "small/bzip2-lustre",
    "small/dxt-v3-mpiio",
    "small/names-odd",
    "small/hdf5-shapes",
    "synthetic/partial_be_3.00",
    "synthetic/lustre_v1_be",
    "synthetic/fx_POSIX_v1_be_3.00",
]


def test_random_bytes():
    in_child(random_logs, 1, 3000)


def test_mutated_logs():
    in_child(mutated_logs, 1, 1500, MUTATED)
