"""What `darrow convert` writes, taken apart by `logwriter` and Python's zlib and bz2."""

from __future__ import annotations

import re
import struct
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import logwriter as w
import numpy as np
import pytest
from corpus import DATA, SPEC
from test_cli import DONE, GOOD, LOST, NO_LOG, NOTHING, SOME_LOST, USAGE, command, complaints, darrow

EXAMPLE = DATA / "example.darshan"
NUMBERS, METADATA, EXE = 56, 56, 1080  # of a job record of format 3.41: size of the numbers, where the texts start
POSIX_BYTES = len(w.posix(1))


# Taking logs apart ----------------------------------------------------------------------------------------------------


def convert(*arguments: str | Path, **options: Any) -> subprocess.CompletedProcess[bytes]:
    return darrow("convert", *arguments, **options)


def converted(log: Path, *options: str, code: int = DONE) -> w.Log:
    """What the command makes of a log, taken apart."""
    run = convert(*options, log, "-")
    assert run.returncode == code, run.stderr
    if code == DONE:
        assert run.stderr == b""
    return w.Log.parse(run.stdout)


def numbers_of(log: w.Log) -> dict[str, int]:
    names = ("uid", "start", "start_nsec", "end", "end_nsec", "nprocs", "jobid")
    return dict(zip(names, struct.unpack_from(f"{log.order}7q", log.job), strict=True))


def metadata_of(log: w.Log) -> bytes:
    return log.job[METADATA:EXE].split(b"\0")[0]


def exe_of(log: w.Log) -> bytes:
    return log.job[EXE:].split(b"\0")[0].split(b"\n")[0]


def mounts_of(log: w.Log) -> list[bytes]:
    return log.job[EXE:].split(b"\0")[0].split(b"\n")[1:]


def names_of(log: w.Log) -> dict[int, bytes]:
    names, at, data = {}, 0, log.names or b""
    while at < len(data):
        end = data.index(b"\0", at + 8)
        (record_id,) = struct.unpack_from(f"{log.order}Q", data, at)
        names[record_id] = data[at + 8 : end]
        at = end + 1
    return names


def posix_of(log: w.Log) -> list[tuple[int, int]]:
    """Ids and ranks of the POSIX records."""
    data = log.modules["POSIX"][1] if "POSIX" in log.modules else b""
    assert len(data) % POSIX_BYTES == 0
    return [struct.unpack_from(f"{log.order}Qq", data, at) for at in range(0, len(data), POSIX_BYTES)]


H5, TMP, ACCENT, ODD, NAMELESS, SPARE = 1, 2, 3, 4, 5, 6
NAMES = {
    H5: b"/scratch/data.h5",
    TMP: b"/scratch/tmp/x",
    ACCENT: "/home/é.h5".encode(),
    ODD: b"/home/\xff.dat",
    SPARE: b"/home/never opened",
}
RECORDS = [(H5, 0), (H5, 1), (TMP, 1), (ACCENT, 2), (ODD, -1), (NAMELESS, 3)]


def write_log(path: Path, **parts: Any) -> Path:
    given: dict[str, Any] = {
        "job": w.job(),
        "names": w.names(NAMES.items()),
        "modules": {
            "POSIX": (4, b"".join(w.posix(i, rank, opens=10 * i + rank) for i, rank in RECORDS)),
            "STDIO": (2, w.stdio(H5, 0)),
        },
    }
    path.write_bytes(w.Log(**(given | parts)).build())
    return path


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A log of RECORDS."""
    return write_log(tmp_path / "made.darshan")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Where nothing is yet, in a folder of its own."""
    (tmp_path / "out").mkdir()
    return tmp_path / "out" / "out.darshan"


# Usage ----------------------------------------------------------------------------------------------------------------


def test_help():
    run = convert("--help")
    text = run.stdout.decode()
    assert run.returncode == DONE
    assert max(map(len, text.splitlines())) <= 80
    assert "\nExamples:\n  darrow convert " in text
    assert darrow("help", "convert").stdout == run.stdout
    for option in (
        *("--force", "--compression", "--bzip2", "--level", "--byte-order", "--target", "--module-version", "--strict"),
        *("--max-region-bytes", "--name", "--exclude", "--id", "--file", "--rank", "--module", "--reset-md"),
        *("--annotate", "--obfuscate", "--obfuscate-jobid", "--obfuscate-uid", "--obfuscate-exe", "--obfuscate-names"),
        "--key",
    ):
        assert f"  {option} " in text or f", {option} " in text
    for clear in ("ids", "mounts", "metadata", "host", "pools", "times"):  # what obfuscating leaves as it is
        assert clear in text.partition("no anonymity")[2]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "IN is missing"),
        (["in"], "OUT is missing"),
        (["in", "out", "more"], "more"),
        (["--nonsense"], "--nonsense"),
        (["--compression", "gzip"], "gzip"),
        (["--bzip2", "--compression", "zlib"], "--bzip2"),
        (["--level", "0"], '"0" is no level'),
        (["--level", "13"], "13"),
        (["--level", "10", "--bzip2"], "10"),
        (["--level", "1", "--compression", "none"], "level"),
        (["--level", "6x"], '"6x"'),
        (["--byte-order", "middle"], "middle"),
        (["--target", "3.4.0"], '"3.4.0"'),
        (["--target", "new"], '"new"'),
        (["--module-version", "POSIX"], '"POSIX" is no MODULE=N'),
        (["--module-version", "POSIX=x"], '"POSIX=x"'),
        (["--module-version", "POSIX=5"], "POSIX has no version 5; there are 1 to 4"),
        (["--module-version", "MINE=1"], '"MINE"; there are: NULL, POSIX'),
        (["--annotate", "nothing"], '"nothing" is no KEY=VALUE'),
        (["--annotate", "a=b\tnothing"], '"nothing"'),
        (["--annotate", "=x"], '"=x"'),
        (["--annotate", ""], '""'),
        (["--annotate", "a=b\nc=d"], r'"a=b\nc=d"'),
        (["--name", "(a"], "--name: missing ): (a"),
        (["--exclude", "a{2,1}"], "invalid repetition"),
        (["--name", "\udcff"], "UTF-8"),
        (["--id", "x"], '"x"'),
        (["--id", "-1"], '"-1"'),
        (["--file", "18446744073709551616"], "18446744073709551616"),
        (["--rank", "a"], '"a"'),
        (["--rank", "3-1"], '"3-1"'),
        (["--rank", "1-"], '"1-"'),
        (["--module", "mine"], '"mine"; there are: NULL, POSIX'),
        (["--key", "0x10"], '"0x10"'),
        (["--key", "4294967296"], "4294967296"),
        (["--max-region-bytes", "many"], "many"),
    ],
)
def test_wrong_usage(made: Path, out: Path, arguments: list[str], told: str):
    files = [made, out] if arguments and arguments[0].startswith("--") else []
    run = convert(*arguments, *files)
    assert run.returncode == USAGE
    assert told in complaints(run)[0]
    assert all(line.startswith("darrow: ") for line in complaints(run))
    assert list(out.parent.iterdir()) == []


# The form of the log --------------------------------------------------------------------------------------------------


def without_pointers(log: w.Log) -> w.Log:
    """Words in heat maps that mean nothing are 0."""
    if "HEATMAP" in log.modules:
        version, data = log.modules["HEATMAP"]
        words, at = bytearray(data), 0
        while at < len(data):
            (bins,) = struct.unpack_from(f"{log.order}q", data, at + 24)
            words[at + 32 : at + 48] = bytes(16)
            at += 48 + 16 * bins
        log.modules["HEATMAP"] = (version, bytes(words))
    return log


@pytest.mark.parametrize("name", ["posix-ops", "stdio-streams", "hdf5-parallel", "pnetcdf-nonblocking", "lustre"])
def test_what_is_current_stays_in_every_byte(name: str):
    before = w.Log.parse((DATA / f"{name}.darshan").read_bytes())
    assert before.version == "3.41"
    assert before.modules
    assert converted(DATA / f"{name}.darshan") == without_pointers(before)


@pytest.mark.parametrize(
    ("options", "number", "start"),
    [
        ([], w.ZLIB, b"x"),
        (["--compression", "zlib"], w.ZLIB, b"x"),
        (["--level", "1"], w.ZLIB, b"x"),
        (["--level", "12"], w.ZLIB, b"x"),
        (["--bzip2"], w.BZIP2, b"BZh9"),
        (["--compression", "bzip2"], w.BZIP2, b"BZh9"),
        (["--bzip2", "--level", "3"], w.BZIP2, b"BZh3"),
        (["--compression", "none"], w.NONE, b""),
    ],
)
def test_compression(options: list[str], number: int, start: bytes):
    log = convert(*options, GOOD, "-").stdout
    header = w.read_header(log)
    assert header.compression == number == log[16]
    assert all(log[region.offset :].startswith(start) for region in header.regions)
    before, after = without_pointers(w.Log.parse(GOOD.read_bytes())), w.Log.parse(log)
    assert (after.job, after.names, after.modules) == (before.job, before.names, before.modules)


def test_higher_levels_are_smaller():
    sizes = [len(convert("--level", level, EXAMPLE, "-").stdout) for level in ("1", "6", "12")]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[2]
    assert len(convert(EXAMPLE, "-").stdout) == sizes[1]


def test_byte_order():
    little, big = converted(GOOD), converted(GOOD, "--byte-order", "big")
    assert (little.order, big.order) == ("<", ">")
    assert numbers_of(big) == numbers_of(little)
    assert big.job[NUMBERS:] == little.job[NUMBERS:]
    assert names_of(big) == names_of(little)
    words = np.frombuffer(little.modules["POSIX"][1], "<u8")
    assert big.modules["POSIX"] == (4, words.astype(">u8").tobytes())
    assert converted(DATA / "fx_POSIX_v4_be_3.21.darshan").order == "<"


def test_the_same_log_each_time():
    runs = [convert(EXAMPLE, "-").stdout for _ in range(3)]
    assert runs[0] == runs[1] == runs[2]
    again = subprocess.run([*command(), "convert", "-", "-"], input=runs[0], capture_output=True, check=True)
    assert again.stdout == runs[0]


def test_target_leaves_thread_ids_out():
    log = DATA / "dxt-v2-posix.darshan"
    newest = converted(log)
    assert newest.modules["DXT_POSIX"][0] == 2
    run = convert("--target", "3.4.1", log, "-")
    assert run.returncode == DONE
    assert [line for line in complaints(run) if "DXT_POSIX" in line] == complaints(run) != []
    assert "left out" in complaints(run)[0]
    older = w.Log.parse(run.stdout)
    assert older.modules["DXT_POSIX"][0] == 1
    assert len(older.modules["DXT_POSIX"][1]) < len(newest.modules["DXT_POSIX"][1])


def posix_that_fits(version: int, **counters: int) -> bytes:
    """A POSIX record of the newest version with nothing in it that this older one cannot hold."""
    layout = SPEC.modules["POSIX"]
    values = dict.fromkeys(layout["int_counters"], 0) | layout["versions"][str(version)].get("default_int", {})
    values |= counters
    return struct.pack(f"<Qq{len(values)}q", H5, 2, *values.values()) + bytes(8 * len(layout["float_counters"]))


def test_module_version(tmp_path: Path, out: Path):
    log = write_log(tmp_path / "log", modules={"POSIX": (4, posix_that_fits(3, POSIX_OPENS=7))})
    version, data = converted(log, "--module-version", "posix=3").modules["POSIX"]
    assert (version, data[:24]) == (3, struct.pack("<Qqq", H5, 2, 7))
    assert len(data) < POSIX_BYTES
    log = write_log(tmp_path / "log", modules={"POSIX": (4, posix_that_fits(3, POSIX_FILENOS=7))})
    run = convert("--module-version", "POSIX=3", log, out)
    assert run.returncode == NOTHING
    assert re.search(r"version 3 .*POSIX_FILENOS", complaints(run)[0])
    assert list(out.parent.iterdir()) == []


# Job and metadata -----------------------------------------------------------------------------------------------------


def test_metadata(tmp_path: Path):
    log = write_log(tmp_path / "log", job=w.job(metadata=b"lib_ver=3.5.0\nh=a=1;b\nlast=no line end"))
    assert metadata_of(converted(log)) == b"lib_ver=3.5.0\nh=a=1;b\nlast=no line end\n"
    assert metadata_of(converted(log, "--reset-md")) == b""
    given = ["--annotate", "new=x", "--annotate", "h=other\tlate=y=z\tnew=w"]
    assert metadata_of(converted(log, *given)) == b"lib_ver=3.5.0\nh=other\nlast=no line end\nnew=w\nlate=y=z\n"
    assert metadata_of(converted(log, *given, "--reset-md")) == b"new=w\nh=other\nlate=y=z\n"
    assert metadata_of(converted(log, "--annotate", "empty=", "--reset-md")) == b"empty=\n"


def test_metadata_has_its_limit(tmp_path: Path, out: Path):
    log = write_log(tmp_path / "log")
    for size in (1020, 1021):  # the longest has no line end
        assert metadata_of(converted(log, "--reset-md", "--annotate", "a=" + size * "x")).strip() == b"a=" + size * b"x"
    run = convert("--reset-md", "--annotate", "a=" + 1022 * "x", log, out)
    assert run.returncode == NOTHING
    assert "metadata" in complaints(run)[0]
    assert "1023" in complaints(run)[0]
    assert list(out.parent.iterdir()) == []


def old_job(mounts: Iterable[bytes], bytes_of_text: int) -> bytes:
    """A job record before format 3.41, its command line so long that all has that size."""
    lines = b"".join(b"\next4\t" + mount for mount in mounts)
    return w.job(version="3.21", text=b"x" * (bytes_of_text - len(lines) - 1) + lines + b"\0")


@pytest.mark.parametrize(
    ("bytes_of_text", "kept"),
    [
        (3016, [b"/", b"/scratch", b"/unused1", b"/home", b"/unused2"]),
        (3017, [b"/", b"/scratch", b"/unused1", b"/home"]),
        (3030, [b"/", b"/scratch", b"/unused1", b"/home"]),
        (3031, [b"/", b"/scratch", b"/home"]),
        (3032, [b"/", b"/scratch", b"/home"]),
    ],
)
def test_mounts_without_names_make_room(tmp_path: Path, bytes_of_text: int, kept: list[bytes]):
    mounts = [b"/", b"/scratch", b"/unused1", b"/home", b"/unused2"]
    log = write_log(tmp_path / "log", version="3.21", job=old_job(mounts, bytes_of_text))
    run = convert(log, "-")
    assert mounts_of(w.Log.parse(run.stdout)) == [b"ext4\t" + mount for mount in kept]
    dropped = len(mounts) - len(kept)
    assert run.returncode == (SOME_LOST if dropped else DONE)
    assert [line for line in complaints(run) if line.endswith(f"no name lies: {dropped}")] == complaints(run)
    assert len(complaints(run)) == bool(dropped)


def test_a_job_that_does_not_fit(tmp_path: Path, out: Path):
    log = write_log(tmp_path / "log", version="3.21", job=old_job([b"/scratch", b"/home"], 3032))
    run = convert(log, out)
    assert run.returncode == NOTHING
    assert "4096" in complaints(run)[0]
    assert list(out.parent.iterdir()) == []
    assert mounts_of(converted(log, "--obfuscate-exe")) == [b"ext4\t/scratch", b"ext4\t/home"]


# A part of the log ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "records", "names"),
    [
        (["--name", r"\.h5$"], [(H5, 0), (H5, 1), (ACCENT, 2)], [H5, ACCENT]),
        (["--name", "h5", "--name", "tmp"], [(H5, 0), (H5, 1), (TMP, 1), (ACCENT, 2)], [H5, TMP, ACCENT]),
        (["--name", "^/h.me/[é]\\.h5$"], [(ACCENT, 2)], [ACCENT]),
        (["--name", "(?i)É"], [(ACCENT, 2)], [ACCENT]),
        (["--name", "^/home/.*dat$"], [(ODD, -1)], [ODD]),
        (["--name", r"\\xff"], [(ODD, -1)], [ODD]),
        (["--name", "/scratch", "--exclude", "tmp"], [(H5, 0), (H5, 1)], [H5]),
        (["--exclude", "h5", "--exclude", "tmp"], [(ODD, -1), (NAMELESS, 3)], [ODD, SPARE]),
        (["--exclude", "no such"], RECORDS, [H5, TMP, ACCENT, ODD, SPARE]),
        (["--id", "1"], [(H5, 0), (H5, 1)], [H5]),
        (["--file", "2"], [(TMP, 1)], [TMP]),
        (["--id", "5,6", "--id", "3"], [(ACCENT, 2), (NAMELESS, 3)], [ACCENT, SPARE]),
        (["--id", "1,2", "--name", "tmp"], [(TMP, 1)], [TMP]),
        (["--id", "1,5", "--exclude", "h5"], [(NAMELESS, 3)], []),
        (["--rank", "1"], [(H5, 1), (TMP, 1)], [H5, TMP]),
        (["--rank", "-1"], [(ODD, -1)], [ODD]),
        (["--rank", "2-1000000000000,0"], [(H5, 0), (ACCENT, 2), (NAMELESS, 3)], [H5, ACCENT]),
        (["--rank", "-1-0", "--rank", "3"], [(H5, 0), (ODD, -1), (NAMELESS, 3)], [H5, ODD]),
        (["--rank", "1", "--name", "h5"], [(H5, 1)], [H5]),
        (["--rank", "1", "--id", "2"], [(TMP, 1)], [TMP]),
        (["--module", "posix"], RECORDS, [H5, TMP, ACCENT, ODD]),
        (["--module", "Stdio"], [], [H5]),
        (["--module", "stdio,posix", "--rank", "0"], [(H5, 0)], [H5]),
    ],
)
def test_choosing_records(made: Path, options: list[str], records: list[tuple[int, int]], names: list[int]):
    log = converted(made, *options)
    assert posix_of(log) == records
    assert list(names_of(log)) == names
    assert all(names_of(log)[i] == NAMES[i] for i in names)
    assert log.modules.get("POSIX", (4, b""))[1] == b"".join(w.posix(i, r, opens=10 * i + r) for i, r in records)
    with_stdio = ("posix" not in options and (H5, 0) in records) or options[-1].lower() == "stdio"
    assert set(log.modules) == {*(["POSIX"] if records else []), *(["STDIO"] if with_stdio else [])}
    assert numbers_of(log) == numbers_of(w.Log.parse(made.read_bytes()))


def test_modules_of_which_nothing_is_chosen_are_left_out(tmp_path: Path):
    log = write_log(tmp_path / "log", partial=("POSIX", "STDIO", "MPI-IO"))
    assert converted(log).partial == ("POSIX", "MPI-IO", "STDIO")
    chosen = converted(log, "--rank", "3")
    assert (list(chosen.modules), chosen.partial) == (["POSIX"], ("POSIX",))
    assert converted(log, "--module", "mpi-io,posix").partial == ("POSIX", "MPI-IO")


def test_records_of_traces_and_headers_are_chosen(tmp_path: Path):
    """Segments go with their records, header records stay."""
    traced = write_log(tmp_path / "log", modules={"DXT_POSIX": (1, w.dxt(H5, 0, 2, 1) + w.dxt(TMP, 1, 1, 0))})
    assert converted(traced, "--rank", "1").modules["DXT_POSIX"] == (1, w.dxt(TMP, 1, 1, 0))
    whole = w.Log.parse((DATA / "apmpi.darshan").read_bytes()).modules["APMPI"][1]
    part = converted(DATA / "apmpi.darshan", "--module", "apmpi", "--rank", "0").modules["APMPI"][1]
    assert whole.startswith(part[:24])
    assert 24 < len(part) < len(whole)


def test_nothing_chosen(made: Path):
    run = convert("--name", "no such", made, "-")
    assert run.returncode == SOME_LOST
    assert len(complaints(run)) == 1
    log = w.Log.parse(run.stdout)
    assert (log.modules, names_of(log)) == ({}, {})
    assert darrow("info", "-", input=run.stdout).returncode == DONE


def test_modules_that_are_not_there(made: Path, out: Path):
    run = convert("--module", "posix,h5f,lustre", made, out)
    assert run.returncode == SOME_LOST
    assert complaints(run) == [
        f"darrow: {made}: no module {name} in this log; it has: POSIX, STDIO" for name in ("H5F", "LUSTRE")
    ]
    out.unlink()
    run = convert("--module", "h5f", made, out)
    assert run.returncode == NOTHING
    assert complaints(run) == [f"darrow: {made}: no module H5F in this log; it has: POSIX, STDIO"]
    assert list(out.parent.iterdir()) == []


def test_unknown_modules(tmp_path: Path):
    parts = {"POSIX": (4, w.posix(H5)), "module 40": (7, b"whatever this is"), "STDIO": (99, b"newer")}
    log = write_log(tmp_path / "log", modules=parts)
    assert darrow("info", log).returncode == SOME_LOST  # a version that it does not know
    run = convert(log, "-")
    assert run.returncode == SOME_LOST
    assert [("STDIO version 99" in line) for line in complaints(run)] == [True]
    assert w.Log.parse(run.stdout).modules == parts
    only = converted(log, "--module", "module 40")
    assert only.modules == {"module 40": parts["module 40"]}
    assert names_of(only) == NAMES  # nobody knows which ones it needs
    run = convert("--rank", "0", log, "-")
    assert run.returncode == SOME_LOST
    left_out = [line for line in complaints(run) if "left out" in line]
    assert [line.split(": ")[2].split(" is ")[0] for line in left_out] == ["STDIO", "module 40"]
    assert list(w.Log.parse(run.stdout).modules) == ["POSIX"]


def test_unknown_modules_stay_in_their_byte_order(tmp_path: Path):
    job, names = w.job(order=">"), w.names(NAMES.items(), order=">")
    parts = {"POSIX": (4, w.posix(H5, order=">")), "module 40": (7, b"whatever this is")}
    log = write_log(tmp_path / "log", order=">", job=job, names=names, modules=parts)
    assert converted(log, "--byte-order", "big").modules == parts
    run = convert(log, "-")
    assert run.returncode == SOME_LOST
    assert len(complaints(run)) == 1
    assert "module 40 is left out" in complaints(run)[0]
    assert "--byte-order big" in complaints(run)[0]
    assert list(w.Log.parse(run.stdout).modules) == ["POSIX"]


# Obfuscation ----------------------------------------------------------------------------------------------------------


def hashed(data: bytes, key: int = 0) -> int:
    """Jenkins's lookup3, 32 bits."""

    def rotated(x: int, n: int) -> int:
        return (x << n | x >> (32 - n)) & 0xFFFFFFFF

    a = b = c = (0xDEADBEEF + len(data) + key) & 0xFFFFFFFF
    if not data:
        return c
    words = list(struct.unpack(f"<{3 * -(-len(data) // 12)}I", data.ljust(12 * -(-len(data) // 12), b"\0")))
    while True:
        a, b, c = (x + word & 0xFFFFFFFF for x, word in zip((a, b, c), words, strict=False))
        del words[:3]
        if not words:
            break
        for n in (4, 6, 8, 16, 19, 4):
            a = (a - c & 0xFFFFFFFF) ^ rotated(c, n)
            c = c + b & 0xFFFFFFFF
            a, b, c = b, c, a
    c = (c ^ b) - rotated(b, 14) & 0xFFFFFFFF
    for n in (11, 25, 16, 4, 14, 24):
        a = (a ^ c) - rotated(c, n) & 0xFFFFFFFF
        a, b, c = b, c, a
    return c


@pytest.mark.parametrize(
    ("data", "key", "value"),
    [
        (b"", 0, 3735928559),
        (b"a", 0, 1490454280),
        (b"abc", 7, 3206860443),
        (b"0123456789ab", 0, 275113226),
        (b"0123456789abc", 0, 1934741078),
        (b"/tmp/test/mpi-io-test.tmp.dat", 7, 1661404020),
        (struct.pack("<q", 1000), 0, 2613050389),
    ],
)
def test_the_hash_of_these_tests(data: bytes, key: int, value: int):
    assert hashed(data, key) == value


def hashed_number(number: int, key: int = 0) -> int:
    return hashed(struct.pack("<q", number), key)


@pytest.mark.parametrize("key", [0, 7, 12345, -3, 2**32 - 1])
@pytest.mark.parametrize("spelling", ["-", "_"])
def test_obfuscated_job(made: Path, key: int, spelling: str):
    before = numbers_of(w.Log.parse(made.read_bytes()))

    def with_options(*names: str) -> w.Log:
        return converted(made, *(f"--obfuscate{spelling}{name}" for name in names), "--key", str(key))

    assert numbers_of(with_options("jobid")) == before | {"jobid": hashed_number(4242, key)}
    assert numbers_of(with_options("uid")) == before | {"uid": hashed_number(1000, key)}
    hidden = with_options("exe")
    assert (exe_of(hidden), numbers_of(hidden)) == (str(hashed(b"/bin/app -x", key)).encode(), before)
    hidden = with_options("names")
    assert (exe_of(hidden), numbers_of(hidden)) == (b"/bin/app -x", before)
    assert mounts_of(hidden) == [b"ext4\t/", b"lustre\t/scratch"]
    assert names_of(hidden) == {
        i: (b"/scratch/" if name.startswith(b"/scratch/") else b"//") + str(hashed(name, key)).encode()
        for i, name in NAMES.items()
    }
    assert with_options("jobid", "uid", "exe", "names") == converted(made, "--obfuscate", "--key", str(key))


def test_what_obfuscation_leaves_alone(tmp_path: Path):
    names = {
        H5: b"<STDIN>",
        TMP: b"<STDOUT> of something",
        ACCENT: b"<STDERR>",
        ODD: b"heatmap:POSIX",
        SPARE: b"/scratchy/x",
        NAMELESS: b"no path",
    }
    job = w.job(jobid=0, uid=0, text=b"app\nlustre\t/scratch\0", metadata=b"h=secret=1\n")
    log = write_log(tmp_path / "log", names=w.names(names.items()), job=job)
    after = converted(log, "--obfuscate")
    assert (numbers_of(after)["jobid"], numbers_of(after)["uid"]) == (0, hashed_number(0))
    assert names_of(after) == names | {i: str(hashed(names[i])).encode() for i in (SPARE, NAMELESS)}
    assert metadata_of(after) == b"h=secret=1\n"
    assert after.modules == w.Log.parse(log.read_bytes()).modules


def test_obfuscation_comes_after_choosing(made: Path):
    log = converted(made, "--obfuscate-names", "--name", r"\.h5$", "--annotate", "note=/scratch/data.h5")
    assert names_of(log)[H5] == b"/scratch/" + str(hashed(NAMES[H5])).encode()
    assert len(names_of(log)) == 2
    assert metadata_of(log).endswith(b"note=/scratch/data.h5\n")


# Damage ---------------------------------------------------------------------------------------------------------------


def test_a_damaged_log(made: Path, tmp_path: Path, out: Path):
    records = w.posix(H5, 0) + w.posix(TMP, 1)
    log = write_log(tmp_path / "log", modules={"POSIX": (4, records + b"rest"), "STDIO": (2, w.stdio(H5))})
    run = convert(log, out)
    assert run.returncode == SOME_LOST
    assert len(complaints(run)) == 1
    assert complaints(run)[0].startswith(f"darrow: {log}: 4 of ")
    after = w.Log.parse(out.read_bytes())
    assert (after.modules["POSIX"], after.partial) == ((4, records), ("POSIX",))
    out.unlink()
    run = convert("--strict", log, out)
    assert run.returncode == NOTHING
    assert len(complaints(run)) == 1
    assert list(out.parent.iterdir()) == []
    assert converted(made, "--strict").partial == ()


def test_strict_judges_what_is_not_chosen(tmp_path: Path):
    log = write_log(tmp_path / "log", modules={"POSIX": (4, w.posix(H5) + b"rest"), "STDIO": (2, w.stdio(H5))})
    assert converted(log, "--module", "stdio").modules == {"STDIO": (2, w.stdio(H5))}
    assert convert("--module", "stdio", "--strict", log, "-").returncode == NOTHING


def test_a_limit_on_regions(tmp_path: Path):
    log = write_log(tmp_path / "log", modules={"POSIX": (4, 3 * w.posix(H5))})
    run = convert("--max-region-bytes", str(2 * POSIX_BYTES), log, "-")
    assert run.returncode == SOME_LOST
    assert w.Log.parse(run.stdout).modules["POSIX"] == (4, 2 * w.posix(H5))


@pytest.mark.parametrize(
    ("log", "told"),
    [
        (DATA / "no such file", "No such file or directory"),
        (NO_LOG, "the file is empty"),
        (DATA, "Is a directory"),
    ],
)
def test_no_log(log: Path, told: str, out: Path):
    run = convert(log, out)
    assert run.returncode == NOTHING
    assert [told in line for line in complaints(run)] == [True]
    assert list(out.parent.iterdir()) == []


def test_a_log_without_job(tmp_path: Path, out: Path):
    log = write_log(tmp_path / "log", job=b"short")
    run = convert(log, out)
    assert run.returncode == NOTHING
    assert complaints(run)[-1] == f"darrow: {log}: no job can be read, and no log can be written without one"
    assert list(out.parent.iterdir()) == []


@pytest.mark.parametrize("log", [GOOD, LOST, EXAMPLE], ids=lambda log: log.stem)
def test_info_agrees(log: Path):
    """What is written reads back without new problems."""
    run = convert(log, "-")
    assert run.returncode == darrow("info", log).returncode
    assert darrow("info", "--strict", "-", input=run.stdout).returncode == DONE
