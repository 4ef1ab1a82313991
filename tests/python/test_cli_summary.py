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


def remark_and_header(lines: list[str], title: str) -> tuple[str, str]:
    """What stands behind or below a title, and the header of its table."""
    start = next(i for i, line in enumerate(lines) if line.startswith(title))
    end = next(i for i, line in enumerate(lines) if i > start and line.startswith("  module  "))
    return " ".join(line.strip() for line in lines[start:end]), lines[end]


def record(module: str, record_id: int, rank: int, values: dict[str, float]) -> bytes:
    """A record of the newest version with these counters, named without their prefix."""
    layout = SPEC.modules[module]
    numbers = [name.removeprefix(f"{module}_") for name in layout["int_counters"]]
    reals = [name.removeprefix(f"{module}_") for name in layout["float_counters"]]
    assert set(values) <= {*numbers, *reals}, "no such counters"
    stored = [*(int(values.get(name, 0)) for name in numbers), *(float(values.get(name, 0)) for name in reals)]
    return struct.pack(f"<Qq{len(numbers)}q{len(reals)}d", record_id, rank, *stored)


def posix(record_id: int, rank: int, values: dict[str, float]) -> bytes:
    return record("POSIX", record_id, rank, values)


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
    assert lines[2] == "  slowest rank not known in POSIX: records of all ranks hide it"


def test_a_job_of_one_process(tmp_path: Path):
    """Its records may be of all ranks: these are one."""
    shared = {"WRITES": 8, "BYTES_WRITTEN": 4096, "F_WRITE_TIME": 4.0, "F_SLOWEST_RANK_TIME": 4.0}
    log = write_log(tmp_path / "one.darshan", posix(1, -1, shared), job=w.job(nprocs=1))
    found = sections(text_of(log))
    header, row = (re.split(r"  +", line.strip()) for line in found["Time in I/O"][:2])
    told = dict(zip(header, row, strict=True))
    assert (told["slowest"], told["rank"], told["× mean"]) == ("4.00 s", "0", "1.00")
    assert "not known" not in "".join(found["Time in I/O"])
    assert re.search(r"POSIX +write-only, unique +1 ", "\n".join(found["Files"]))


def test_only_modules_whose_time_is_known_can_lack_the_slowest_rank():
    for name in ("fx_H5F_v2_be_3.21", "fx_PNETCDF_FILE_v2_le_3.41", "fx_MPI-IO_v3_be_3.20", "synth-all-modules"):
        log = DATA / f"{name}.darshan"
        text = " ".join(line.strip() for line in sections(text_of(log)).get("Time in I/O", []))
        found = re.search(r"slowest rank not known in (.*): records", text)
        (told,) = logs_of("summary", log)
        hidden = {m["module"] for m in told["modules"] if m["time_by_slowest"] and m["io_time_max"] is None}
        assert set(found[1].split(", ") if found else []) == hidden
        assert not hidden & {"H5F", "PNETCDF_FILE"}


def test_times_go_by_records_and_files_by_use(tmp_path: Path):
    """A file that all four processes used, with a record of each: shared, but its time is that of single ranks."""
    counters = {"WRITES": 1, "BYTES_WRITTEN": 10, "F_WRITE_TIME": 2.0}
    records = b"".join(posix(1, rank, dict(counters)) for rank in range(4))
    shared = {"WRITES": 1, "BYTES_WRITTEN": 10, "F_WRITE_TIME": 4.0, "F_SLOWEST_RANK_TIME": 3.0}
    lines = sections(text_of(write_log(tmp_path / "log.darshan", records + posix(2, -1, shared))))
    header, row = (re.split(r"  +", line.strip()) for line in lines["Time in I/O"][:2])
    told = dict(zip(header, row, strict=True))
    assert (told["single-rank"], told["all-rank"]) == ("2.00 s", "3.00 s")
    assert re.search(r"POSIX +write-only, shared +2 ", "\n".join(lines["Files"]))


def test_remarks_tell_of_shown_columns_only(tmp_path: Path):
    own = {"READS": 9, "WRITES": 1, "BYTES_READ": 9, "F_READ_TIME": 1.0, "FILE_NOT_ALIGNED": 5, "MEM_NOT_ALIGNED": 5}
    log = write_log(tmp_path / "own.darshan", posix(1, 0, dict(own)))
    for width in (60, 80, 120, 200):
        lines = in_terminal("summary", log, width=width, NO_COLOR="1").splitlines()
        for section, column, said in [
            ("Time in I/O", "slowest", "slowest rank"),
            ("Time in I/O", "single-rank", "I/O time in records of one rank, of all"),
            ("Access pattern", "small", "small: to 100 KiB"),
            ("Access pattern", "unaligned", "unaligned in file"),
            ("Access pattern", "in memory", "; in memory"),
        ]:
            remark, header = remark_and_header(lines, section)
            assert (f"  {column}" in header) == (said in remark), (width, column)
    shared = posix(1, -1, {"WRITES": 8, "F_WRITE_TIME": 4.0, "F_SLOWEST_RANK_TIME": 2.0})
    remark, _ = remark_and_header(text_of(write_log(tmp_path / "shared.darshan", shared)), "Time in I/O")
    assert "slowest rank" not in remark  # nobody knows it


def test_alignment_is_of_reads_and_writes_together(tmp_path: Path):
    both = {"READS": 30, "WRITES": 10, "FILE_NOT_ALIGNED": 10, "MEM_NOT_ALIGNED": 20}
    lines = sections(text_of(write_log(tmp_path / "both.darshan", posix(1, 0, dict(both)))))["Access pattern"]
    table = [re.split(r"  +", line.strip()) for line in lines if line]
    assert [row[:3] for row in table[1:]] == [["POSIX", "reads", "30"], ["writes", "10", "0%"], ["both", "40", "25.0%"]]
    assert table[3] == ["both", "40", "25.0%", "50.0%"]
    assert table[1][-1] != "50.0%"
    del both["READS"]
    lines = sections(text_of(write_log(tmp_path / "one.darshan", posix(1, 0, both | {"WRITES": 40}))))["Access pattern"]
    assert lines[1].split()[-2:] == ["25.0%", "50.0%"]
    assert not any(line.lstrip().startswith("both") for line in lines)


def test_what_files_are():
    daos = "\n".join(text_of(DATA / "fx_DAOS_v1_be_3.41.darshan"))
    assert "  files are objects of DAOS\n" in daos
    every = "\n".join(text_of(DATA / "synth-all-modules.darshan"))
    assert every.count("files are datasets of H5D, variables of PNETCDF_VAR, objects of DAOS\n") == 1
    assert "files are" not in "\n".join(text_of(DATA / "example.darshan"))


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


def test_many_files_fold_to_their_numbers(tmp_path: Path):
    """Files read by all, written by one, both by two; two that one rank only opened."""
    uses = [({"BYTES_READ": 1}, 4), ({"BYTES_WRITTEN": 1}, 1), ({"BYTES_READ": 1, "BYTES_WRITTEN": 1}, 2)]
    uses += [({"OPENS": 1}, 1), ({"OPENS": 1}, 1)]
    modules = {
        module: (
            version,
            b"".join(record(module, i, rank, use) for i, (use, n) in enumerate(uses) for rank in range(n)),
        )
        for module, version in [("POSIX", 4), ("STDIO", 2)]
    }
    log = write_log(tmp_path / "many.darshan", b"", modules=modules)
    remark, header = remark_and_header(text_of(log), "Files")
    kinds = ["read-only", "write-only", "both", "none", "unique", "partly", "shared"]
    assert re.split(r"  +", header.strip()) == ["module", "files", *kinds]
    assert "none: no I/O" in remark
    rows = [line.split() for line in sections(text_of(log))["Files"] if line.startswith(("  POSIX", "  STDIO"))]
    assert rows == [[module, "5", *"1112311"] for module in ("POSIX", "STDIO")]


def test_bottom_layer():
    log = DATA / "example.darshan"
    lines = text_of("--layer", "bottom", log)
    assert lines[4].startswith("  POSIX + STDIO  ")
    assert list(sections(lines)) == ["", "Files"]
    rows = [re.split(r"  +", line)[1:3] for line in sections(lines)["Files"][1:]]
    assert [kind for kind, _ in rows] == ["all", "read-only", "write-only", "read/write", "no I/O"]
    assert re.search("metric +unit +POSIX [+] STDIO", "\n".join(text_of("--layer=bottom", "--metric=rate", log)))
    (told,) = logs_of("summary", "--layer", "bottom", log)
    assert [row["module"] for row in told["modules"]] == ["bottom"]  # programs need not know which there are
    assert sections(text_of("--module", "stdio", "--layer", "bottom", log))[""][4].startswith("  STDIO  ")


def test_files_of_the_bottom_layer_add_up(tmp_path: Path):
    uses = [{"BYTES_READ": 1}, {"BYTES_WRITTEN": 1}, {"BYTES_WRITTEN": 1}, {"BYTES_READ": 1, "BYTES_WRITTEN": 1}]
    uses += [{"OPENS": 1}] * 5
    records = b"".join(posix(i + 1, 0, dict(use)) for i, use in enumerate(uses))
    lines = sections(text_of("--layer", "bottom", write_log(tmp_path / "log.darshan", records)))["Files"]
    files = {kind: int(number) for _, kind, number, *_ in (re.split(r"  +", line) for line in lines[1:])}
    assert files == {"all": 9, "read-only": 1, "write-only": 2, "read/write": 1, "no I/O": 5}


def test_logs_without_a_bottom_layer():
    daos = " ".join(line.strip() for line in text_of("--layer", "bottom", DATA / "fx_DAOS_v1_be_3.41.darshan"))
    assert "none of POSIX, STDIO, DFS can be summed up; modules of this log: DAOS" in daos
    assert "native DAOS I/O is not part of the bottom layer" in daos
    for options in (["--layer", "bottom"], ["--layer", "bottom", "--metric", "rate,mounts"]):
        for name in ("fx_BGQ_v2_be_3.41", "fx_H5F_v2_be_3.21"):
            text = "\n".join(text_of(*options, DATA / f"{name}.darshan"))
            assert "none of POSIX, STDIO, DFS" in text
            assert "DAOS" not in text
            assert "counted bytes" not in text
    every = " ".join(line.strip() for line in text_of("--layer", "bottom", DATA / "synth-all-modules.darshan"))
    assert "POSIX + STDIO + DFS" in every
    assert "native DAOS I/O is not part" in every


def test_logs_without_modules_that_combine(tmp_path: Path):
    log = tmp_path / "log.darshan"
    log.write_bytes(w.Log(job=w.job(), modules={}).build())
    assert text_of(log)[3:] == ["  no module that can be summed up; modules of this log: none"]
    log.write_bytes(w.Log(job=w.job(), modules={"POSIX": (77, w.posix(1)), "DXT_POSIX": (1, b"")}).build())
    assert "modules of this log: POSIX" in text_of(log)[3]
    assert text_of(log)[3].startswith("  no module that can be summed up")


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
    assert "?" not in run.stdout.decode()
    assert "8 EiB -" in run.stdout.decode() or f"{MAX:,} B -" in run.stdout.decode()
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


def test_ranks_are_no_amounts(tmp_path: Path):
    record = posix(1, 123456, {"WRITES": 1234, "BYTES_WRITTEN": 1014, "F_WRITE_TIME": 0.5})
    log = write_log(tmp_path / "rank.darshan", record, job=w.job(nprocs=200_000))
    text = "\n".join([*text_of(log), *text_of("--metric", "io_time_max_rank,writes", log)])
    assert re.search(r" 123456 ", text)
    assert re.search(r"io_time_max_rank +rank +123456$", text, re.M)
    assert "123,456" not in text
    assert " 1,234" in text
    assert "1,014 B" in text


@pytest.mark.parametrize("nprocs", [0, -1])
def test_an_unknown_number_of_processes(tmp_path: Path, nprocs: int):
    record = posix(1, 0, {"WRITES": 1})
    log = write_log(tmp_path / "nprocs.darshan", record, job=w.job(nprocs=nprocs))
    assert re.match(r"app -x, job 4242, number of processes unknown, 10\.", text_of(log)[1])


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
