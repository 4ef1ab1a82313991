"""`darrow summary` for people: its sections, how it fits terminals, and logs with odd contents."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import logwriter as w
import pytest
from corpus import DATA, LOGS, ROOT, SPEC
from test_cli import DONE, PARTIAL, darrow, in_terminal, logs_of, rows_of

TITLES = ["Time in I/O", "Access pattern", "Access sizes", "Most common sizes", "Files", "Where the files lie"]
MAX = 2**63 - 1


def text_of(*arguments: str | Path) -> list[str]:
    return darrow("summary", *arguments).stdout.decode().splitlines()


def sections(lines: list[str]) -> dict[str, list[str]]:
    """Lines below each title; those above the first one under ""."""
    found: dict[str, list[str]] = {"": []}
    for line in lines:
        title = line.split(":")[0]
        if title in TITLES and not line.startswith(" "):
            found[title] = []
        else:
            found[list(found)[-1]].append(line)
    return found


def posix(record_id: int, rank: int, values: dict[str, float]) -> bytes:
    """A record of version 4 with these counters, named without their prefix."""
    layout = SPEC.modules["POSIX"]
    numbers = [int(values.pop(name.removeprefix("POSIX_"), 0)) for name in layout["int_counters"]]
    reals = [float(values.pop(name.removeprefix("POSIX_"), 0)) for name in layout["float_counters"]]
    assert not values, "no such counters"
    return struct.pack("<Qq69q17d", record_id, rank, *numbers, *reals)


def write_log(path: Path, records: bytes, **parts: object) -> Path:
    given = {
        "job": w.job(),
        "names": w.names([(1, b"/scratch/a"), (2, b"/home/b")]),
        "modules": {"POSIX": (4, records)},
    }
    path.write_bytes(w.Log(**(given | parts)).build())  # type: ignore[arg-type]
    return path


# Sections -------------------------------------------------------------------------------------------------------------


def test_overview():
    """Numbers of that program: 100 files of 4 processes."""
    lines = text_of(DATA / "many-shared-per-rank.darshan")
    assert lines[1] == "manyshared, job 700085, 4 processes, 71.8 ms"
    assert lines[3] == "  module  files  records      read   written  I/O time        rate"
    assert lines[4] == "  POSIX     100      400  9.77 KiB  39.1 KiB   25.0 ms  1.90 MiB/s"
    partial = "\n".join(text_of(PARTIAL))
    assert "  POSIX*  " in partial
    assert "\n  * partial: " in partial
    assert text_of(DATA / "ctime.darshan")[-1] == "  no module counted bytes"


def test_sections_of_a_rich_log():
    lines = text_of(DATA / "example.darshan")
    assert list(sections(lines)) == ["", *TITLES]
    assert len(lines) <= 60  # one or two screens
    assert all(len(line) <= 80 for line in lines)


def test_sections_with_nothing_to_say_are_left_out():
    assert list(sections(text_of(DATA / "fx_BGQ_v2_be_3.41.darshan"))) == ["", "Files"]
    assert "Most common sizes" not in sections(text_of(DATA / "stdio-streams.darshan"))


def test_the_slowest_rank(tmp_path: Path):
    """One of 64 ranks does all of it: the mean hides that."""
    records = b"".join(posix(1, rank, {"OPENS": 1}) for rank in range(63))
    records += posix(1, 63, {"WRITES": 9, "BYTES_WRITTEN": 4096, "F_WRITE_TIME": 32.0, "F_META_TIME": 32.0})
    log = write_log(tmp_path / "one.darshan", records, job=w.job(nprocs=64))
    header, row = (line.split("  ") for line in sections(text_of(log))["Time in I/O"][:2])
    told = dict(zip(*([cell.strip() for cell in line if cell] for line in (header, row)), strict=True))
    assert {key: told[key] for key in ("write", "meta", "slowest", "rank", "× mean")} == {
        "write": "500 ms",
        "meta": "500 ms",
        "slowest": "64.0 s",
        "rank": "63",
        "× mean": "64.0",
    }


def test_shared_records_hide_the_slowest_rank(tmp_path: Path):
    shared = {"WRITES": 8, "BYTES_WRITTEN": 4096, "F_WRITE_TIME": 4.0, "F_SLOWEST_RANK_TIME": 2.0}
    lines = sections(text_of(write_log(tmp_path / "shared.darshan", posix(1, -1, shared))))["Time in I/O"]
    assert "rank" not in lines[0].split()
    assert lines[2].startswith("  slowest rank not known")


def test_access_pattern_and_sizes(tmp_path: Path):
    counters = {"READS": 1000, "SEQ_READS": 1000, "CONSEC_READS": 1, "SIZE_READ_0_100": 250, "SIZE_READ_1M_4M": 750}
    counters |= {"FILE_NOT_ALIGNED": 999, "ACCESS1_ACCESS": 47008, "ACCESS1_COUNT": 600}
    counters |= {"ACCESS2_ACCESS": 1 << 20, "ACCESS2_COUNT": 150, "BYTES_READ": 1 << 30, "F_READ_TIME": 1}
    found = sections(text_of(write_log(tmp_path / "sizes.darshan", posix(1, 0, dict(counters)))))
    pattern = ["POSIX", "reads", "1,000", "100%", "0.1%", "25.0%", "99.9%", "0%"]
    assert found["Access pattern"][1].split() == pattern
    rows = found["Access sizes"][1:3]
    assert [re.findall(r"[\d,]+", row.split("B ")[-1]) for row in rows] == [["250", "0"], ["750", "0"]]
    assert [row.count("█") for row in rows] == [4, 12]  # of 12 cells
    assert found["Most common sizes"][1] == "  POSIX   47,008 B 60.0%, 1 MiB 15.0%, others 25.0%"


def test_files_by_category():
    found = sections(text_of(DATA / "file-categories.darshan"))["Files"]
    kinds = {"all", "read-only", "write-only", "read/write", "no I/O", "unique", "partly shared", "shared"}
    rows = {kind: row for row in found[1:] for kind in kinds if re.search(f"  {kind}  ", row)}
    told = {row[9]: row[10] for row in rows_of("summary", "--metric", "categories", DATA / "file-categories.darshan")}
    assert re.search(rf"all +{told['all']} ", rows["all"])
    assert re.search(rf"read-only +{told['read_only']} ", rows["read-only"])
    assert re.search(rf"partly shared +{told['partially_shared']} ", rows["partly shared"])


def test_many_categories_fold_unless_a_module_is_asked_for():
    log = DATA / "synth-all-modules.darshan"
    assert any("100 MiB" in line and "10 MiB" not in line for line in sections(text_of(log))["Access sizes"])
    assert "█" not in "".join(text_of(log))
    assert "█" in "".join(text_of("--module", "posix,stdio,h5d,dfs", log))


def test_bottom_layer():
    lines = text_of("--layer", "bottom", DATA / "example.darshan")
    assert lines[4].startswith("  bottom ")
    assert list(sections(lines)) == ["", "Files"]
    kinds = [re.split(r"  +", line)[1] for line in sections(lines)["Files"][1:]]
    assert kinds == ["all", "read-only", "write-only", "read/write"]


def test_chosen_metrics_have_all_digits():
    log = DATA / "example.darshan"
    (told,) = logs_of("summary", "--metric", "rate,bytes_read", log)
    lines = text_of("--metric", "rate,bytes_read", log)
    text = "\n".join(lines)
    assert re.search(r"  metric +unit +POSIX +MPI-IO", text)
    for row in told["modules"]:
        assert f" {row['rate']}" in text
        assert f" {row['bytes_read']:,}" in text
    assert re.search(r"rate +bytes/s ", text)
    table = text_of("--metric", "categories,access_sizes", log)
    assert "categories" in table
    assert "access_sizes" in table
    assert all(len(line) <= 80 for line in [*lines, *table])


def test_the_readme_shows_what_the_demo_prints():
    demo = darrow("summary", "tests/data/example.darshan", cwd=ROOT).stdout.decode()
    assert f".venv/bin/darrow summary tests/data/example.darshan\n{demo}```" in (ROOT / "README.md").read_text()


# Terminals ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [60, 80, 120, 200])
@pytest.mark.parametrize("options", [[], ["--metric", "layers"], ["--metric", "categories,mounts"]], ids=str)
def test_every_width(width: int, options: list[str]):
    logs = [DATA / f"{name}.darshan" for name in ("example", "synth-all-modules", "mounts-odd", "fx_DFS_v1_be_3.21")]
    text = in_terminal("summary", *options, *logs, width=width, NO_COLOR="1")
    lines = [line for line in text.splitlines() if line not in set(map(str, logs))]
    assert max(map(len, lines)) <= max(width, 80)
    assert not any(line != line.rstrip() for line in lines)
    assert "\x1b" not in text


def test_wide_terminals_show_more():
    narrow, wide = (in_terminal("summary", DATA / "example.darshan", width=width, NO_COLOR="1") for width in (80, 160))
    for header in ("opens", "other meta", "all", "writes      read"):
        assert re.search(rf" {header} ", wide)
    assert "other meta" not in narrow
    assert "(30)" in wide  # the count of a common size


def test_titles_are_bold():
    assert "\x1b[1mTime in I/O\x1b[0m" in in_terminal("summary", DATA / "example.darshan")


# Odd logs -------------------------------------------------------------------------------------------------------------


def test_huge_numbers(tmp_path: Path):
    huge = dict.fromkeys(["READS", "BYTES_READ", "MAX_BYTE_READ", "SIZE_READ_1G_PLUS", "OPENS"], MAX)
    huge |= {"F_READ_TIME": 1e8, "ACCESS1_ACCESS": MAX, "ACCESS1_COUNT": MAX}
    log = write_log(tmp_path / "huge.darshan", posix(1, 0, dict(huge)) + posix(2, 1, dict(huge)))
    run = darrow("summary", log)
    assert run.returncode == DONE
    assert "1157 d 10 h" in run.stdout.decode()
    (told,) = logs_of("summary", log)
    assert told["modules"][0]["bytes_read"] is None  # the sum does not fit
    assert told["problems"]
    assert max(map(len, in_terminal("summary", log, width=120, NO_COLOR="1").splitlines()[1:])) <= 120
    one = write_log(tmp_path / "one.darshan", posix(1, 0, dict(huge)))
    assert "8.00 EiB" in "".join(text_of(one))
    assert f"{MAX:,}" in "".join(text_of("--metric", "bytes_read", one))


def test_no_records(tmp_path: Path):
    log = write_log(tmp_path / "none.darshan", b"")
    lines = text_of(log)
    assert list(sections(lines)) == [""]
    for format in ("json", "csv"):
        assert darrow("summary", "--format", format, log).stdout


def test_a_number_of_processes_that_cannot_be(tmp_path: Path):
    record = posix(1, 0, {"WRITES": 1, "BYTES_WRITTEN": 7, "F_WRITE_TIME": 0.5})
    log = write_log(tmp_path / "nprocs.darshan", record, job=w.job(nprocs=0))
    time = sections(text_of(log))["Time in I/O"]
    assert time[0].split()[:3] == ["module", "slowest", "rank"]
    (told,) = logs_of("summary", log)
    assert (told["modules"][0]["io_time_mean"], told["modules"][0]["io_time_imbalance"]) == (None, None)


def test_mounts_with_odd_names(tmp_path: Path):
    mounts = b'/bin/app\nlustre\t/mnt/tab\\t\x1b[31m\nnfs\t/\xff\xfe,"q"\0'
    names = w.names([(1, b"/mnt/tab\\t\x1b[31m/x"), (2, b'/\xff\xfe,"q"/y')])
    records = posix(1, 0, {"BYTES_READ": 5, "READS": 1}) + posix(2, 0, {"BYTES_READ": 3, "READS": 1})
    log = write_log(tmp_path / "odd.darshan", records, job=w.job(text=mounts), names=names)
    text = "\n".join(text_of(log))
    assert r"/mnt/tab\t\x1b[31m" in text
    text += "\n".join(text_of("--metric", "mounts", log))
    assert "\x1b" not in text
    rows = rows_of("summary", "--metric", "mounts", log)[1:]
    assert [row[8:10] for row in rows] == [["/mnt/tab\\t\x1b[31m", "lustre"], [r'/\xff\xfe,"q"', "nfs"]]


def test_many_mounts_fold(tmp_path: Path):
    mounts = b"/bin/app" + b"".join(b"\next4\t/m%d" % i for i in range(20)) + b"\0"
    names = w.names([(i + 1, b"/m%d/file" % i) for i in range(20)])
    records = b"".join(posix(i + 1, 0, {"WRITES": 1, "BYTES_WRITTEN": 100 + i}) for i in range(20))
    log = write_log(tmp_path / "mounts.darshan", records, job=w.job(text=mounts), names=names)
    rows = sections(text_of(log))["Where the files lie"]
    assert [row.split()[0] for row in rows[1:-1]] == [f"/m{i}" for i in range(19, 11, -1)]  # the most bytes first
    assert rows[-1] == "  and 12 with less: --metric mounts tells all"
    assert len(sections(text_of("--module", "posix", log))["Where the files lie"]) == 21


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["small", "large", "synthetic"])
def test_every_log_of_the_corpus(folder: str):
    logs = sorted((LOGS / folder).glob("*.darshan"))
    if not logs:
        pytest.skip("needs the folder `shared` beside the repository")
    text = in_terminal("summary", *logs, width=100, NO_COLOR="1")
    assert max(len(line) for line in text.splitlines() if not line.startswith("/")) <= 100
    assert not re.search(r"\bnan\b|\binf\b|\bnull\b", text)
