"""darrow sql: what it prints, its exit codes, its errors."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import exports
import pytest
from corpus import DATA
from exports import command, export_logs

pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")

EXAMPLE = DATA / "example.darshan"


run = partial(exports.run, "sql")


def on_terminal(width: int, *arguments: str | Path, **environment: str) -> str:
    """What is printed on a terminal of so many columns."""
    master, slave = pty.openpty()
    env = os.environ | {"COLUMNS": str(width), "TERM": "xterm"} | environment
    process = subprocess.Popen(command("sql", *arguments), stdout=slave, stderr=slave, env=env)
    os.close(slave)
    out = b""
    while True:
        try:
            part = os.read(master, 1 << 16)
        except OSError:
            break
        if not part:
            break
        out += part
    process.wait()
    os.close(master)
    return out.decode().replace("\r\n", "\n")


QUERY = "select id, name, POSIX_OPENS as opens from posix where rank = 2 order by id"
IDS = (2746992923466575821, 13594047924140574512)


def test_table() -> None:
    code, out, err = run(QUERY, EXAMPLE)
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "                  id  name                                            opens",
        " 2746992923466575821  /scratch/project/lustre-apmpi-all/m.2               1",
        "13594047924140574512  /scratch/project/lustre-apmpi-all/s1_rank2.out      1",
    ]


def test_csv_and_json() -> None:
    code, out, err = run(QUERY, EXAMPLE, "--format", "csv")
    assert (code, err) == (0, "")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [int(row["id"]) for row in rows] == list(IDS)
    rows = json.loads(run(QUERY, EXAMPLE, "--format", "json")[1])
    assert [row["id"] for row in rows] == [str(i) for i in IDS]
    assert [row["opens"] for row in rows] == [1, 1]
    assert json.loads(run(QUERY + " limit 0", EXAMPLE, "--format", "json")[1]) == []
    assert run(QUERY + " limit 0", EXAMPLE, "--format", "csv")[1] == "id,name,opens\n"


VALUES = """select 1.5::double as d, 'nan'::double as n, '-inf'::double as i, null::bigint as z, '' as e, 'a,"b' as q,
  18446744073709551615::ubigint as u, [1, null] as l, {'a': 'x'} as s, 'ab'::blob as b, true as t,
  sum(9223372036854775807::bigint) as h, date '2020-01-02' as day, 0.1 + 0.2::double as f from range(2)"""


def test_values() -> None:
    row = json.loads(run(VALUES, EXAMPLE, "--format", "json")[1])[0]
    assert row == {
        "d": 1.5, "n": None, "i": None, "z": None, "e": "", "q": 'a,"b', "u": "18446744073709551615", "l": [1, None],
        "s": {"a": "x"}, "b": "6162", "t": True, "h": 18446744073709551614, "day": "2020-01-02",
        "f": 0.30000000000000004,
    }  # fmt: skip
    text = run(VALUES, EXAMPLE, "--format", "csv")[1].splitlines()[1]
    assert text == (
        '1.5,,,,"","a,""b",18446744073709551615,"[1, null]","{""a"": ""x""}",6162,true,18446744073709551614,'
        "2020-01-02,0.30000000000000004"
    )
    shown = run(VALUES, EXAMPLE)[1].splitlines()[1].split()
    assert shown[:4] == ["1.5", "nan", "-inf", "-"]
    assert shown[-1] == "0.3"


TIMES = """select make_timestamp_ns(1577836800123456789) as ns, time_ns '12:00:00.000000001' as t,
  timestamp '11014-01-10' as y, [make_timestamp_ns(1)] as l, {'a': make_timestamp_ns(2)} as s,
  interval 13 month as m, interval 1 day + interval 1500 millisecond as i, -interval 1 second as n, interval 0 day as z,
  timestamp '2020-01-01' as p"""


def test_times_that_python_does_not_have() -> None:
    code, out, err = run(TIMES, EXAMPLE, "--format", "json")
    assert (code, err) == (0, "")
    assert json.loads(out) == [
        {
            "ns": "2020-01-01 00:00:00.123456789", "t": "12:00:00.000000001", "y": "11014-01-10 00:00:00.000000",
            "l": ["1970-01-01 00:00:00.000000001"], "s": {"a": "1970-01-01 00:00:00.000000002"},
            "m": "P13M", "i": "P1DT1.5S", "n": "PT-1S", "z": "PT0S", "p": "2020-01-01 00:00:00",
        }
    ]  # fmt: skip
    assert run(TIMES, EXAMPLE, "--format", "csv")[1].splitlines()[1].startswith("2020-01-01 00:00:00.123456789,12:00:0")
    assert run("select 'infinity'::timestamp as x", EXAMPLE)[0] == 0


def test_ids_in_lists_are_text() -> None:
    query = "select list(id order by id) as l, {'id': max(id)} as s, map([max(id)], [min(id)]) as m from posix"
    ids = sorted(map(int, run("select id from posix", EXAMPLE, "--format", "csv")[1].split()[1:]))
    (row,) = json.loads(run(query, EXAMPLE, "--format", "json")[1])
    assert row["l"] == [str(i) for i in ids]
    assert row["s"] == {"id": str(ids[-1])}
    assert row["m"] == [[str(ids[-1]), str(ids[0])]]


def test_names_of_any_kind() -> None:
    code, out, _ = run("select name from posix", DATA / "names-odd.darshan")
    assert code == 0
    assert all(line.isprintable() for line in out.splitlines())
    code, out, _ = run('select 1 as "a b", chr(27) || \'[1m\' as x, 1 as "a b"', EXAMPLE, "--format", "json")
    assert out == '[\n  {"a b": 1, "x": "\\u001b[1m", "a b": 1}\n]\n'
    assert "\x1b" not in run("select chr(27) as x", EXAMPLE)[1]


# Tables of any size

WIDE = "select repeat('\u65e5\u672c\u8a9e', 30) as w, repeat('x', 50) as b, 123456789012345 as n from posix"


@pytest.mark.parametrize("width", [60, 80, 120, 200])
@pytest.mark.parametrize(
    "query", ["from posix", "from posix limit 1", "from jobs", "from range(100000)", "from names", WIDE]
)
def test_tables_fit_the_terminal(width: int, query: str) -> None:
    out = on_terminal(width, query, EXAMPLE)
    lines = [line for line in out.splitlines() if not line.startswith("darrow: ")]
    plain = [line.replace("\x1b[1m", "").replace("\x1b[0m", "") for line in lines]
    assert max(map(len, plain)) <= width
    assert len(lines) <= 100
    assert lines[0].startswith("\x1b[1m") or "\x1b[1m" in lines[0]


def test_no_color() -> None:
    assert "\x1b" not in on_terminal(80, "from names", EXAMPLE, NO_COLOR="1")
    assert "\x1b" not in on_terminal(80, "from names", EXAMPLE, TERM="dumb")


def test_rows_shown() -> None:
    code, out, err = run("from range(100000)", EXAMPLE)
    assert (code, len(out.splitlines())) == (0, 51)
    assert err == "darrow: only the first 50 rows are shown: --rows 0 shows all, --format csv is for programs\n"
    assert len(run("from range(1000)", EXAMPLE, "--rows", "0")[1].splitlines()) == 1001
    assert run("from range(50)", EXAMPLE)[2] == ""
    assert len(run("from range(100000)", EXAMPLE, "--format", "csv")[1].splitlines()) == 100001


def test_columns_that_do_not_fit_are_counted() -> None:
    assert "of 93 columns do not fit: select fewer, or --format csv" in on_terminal(80, "from posix", EXAMPLE)
    few = on_terminal(80, "from posix limit 2", EXAMPLE)
    assert len(few.splitlines()) == 94  # a line a column
    assert "row 2" in few


# Where queries and logs come from


def test_queries(tmp_path: Path) -> None:
    file = tmp_path / "query.sql"
    file.write_text("-- how many\nselect count(*) as n from posix;\n")
    for arguments, stdin in (
        (["select count(*) as n from posix", EXAMPLE], ""),
        (["-f", file, EXAMPLE], ""),
        (["-", EXAMPLE], file.read_text()),
        ([EXAMPLE, "-f", "-"], file.read_text()),
    ):
        assert run(*arguments, "--format", "csv", stdin=stdin) == (0, "n\n16\n", "")


def test_lakes_and_exports(tmp_path: Path) -> None:
    export_logs([EXAMPLE], tmp_path / "export")
    query = "select count(*) as n from posix_files"
    for arguments in (["--lake", tmp_path / "export"], [tmp_path / "export"]):
        assert run(query, *arguments, "--format", "csv") == (0, "n\n16\n", "")
    code, _, err = run(query, "--lake", tmp_path)
    assert (code, err) == (
        4, f"darrow: {tmp_path}: neither a lake nor an export in Parquet: there is no lake.json and no jobs.parquet\n"
    )  # fmt: skip
    (tmp_path / "export" / "posix.parquet").write_bytes(b"PAR1")
    code, _, err = run(query, "--lake", tmp_path / "export")
    assert code == 4
    assert f"{tmp_path}/export/posix.parquet" in err


def test_output(tmp_path: Path) -> None:
    file = tmp_path / "out.csv"
    arguments = ("select 1 as x", EXAMPLE, "--format", "csv", "-o", file)
    assert run(*arguments) == (0, "", "")
    assert file.read_text() == "x\n1\n"
    code, _, err = run(*arguments)
    assert (code, err) == (2, f"darrow: {file}: is there already; --force replaces it\n")
    assert run(*arguments, "--force")[0] == 0
    code, _, err = run("select error('no') from jobs", EXAMPLE, "--format", "csv", "-o", tmp_path / "other.csv")
    assert (code, err) == (2, "darrow: no\n")
    assert list(tmp_path.iterdir()) == [file]
    assert run("select 1", EXAMPLE, "-o", tmp_path / "no" / "x")[0] == 4


# Errors


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([], 2, "no query is given"),
        (["select 1"], 2, "no logs are given, and no --lake"),
        (["select x from jobs", EXAMPLE], 2, "no column x; jobs has log, jobid, uid"),
        (["select 1 from x", EXAMPLE], 2, "no table x; there are: "),
        (["select from", EXAMPLE], 2, "(line 1, column"),
        (["select", "name", "from", "jobs", EXAMPLE], 2, "the query is only 'select': is it in quotes?"),
        ([EXAMPLE, "select 1"], 2, "the query comes first"),
        (["select end from dxt", EXAMPLE], 2, 'takes double quotes: "end"'),
        (["select 1", EXAMPLE, "-o", "nowhere/out.csv"], 4, "darrow: nowhere/out.csv: No such file or directory"),
        (["--rows", "-1", "select 1", EXAMPLE], 2, "--rows must not be negative"),
        (["--memory", "much", "select 1", EXAMPLE], 2, "darrow: memory much: Memory must have a number"),
        (["--format", "xml", "select 1", EXAMPLE], 2, "invalid choice"),
        (["select jobid from jobs", "nowhere.darshan"], 4, "nowhere.darshan"),
        (["select count(*) from jobs", DATA / "empty.darshan"], 4, "the file is empty"),
        (["select count(*) from jobs", EXAMPLE, DATA / "empty.darshan"], 3, "the file is empty"),
        (["-f", "nowhere.sql", EXAMPLE], 4, "nowhere.sql: No such file or directory"),
        (["--about", "nothing"], 2, "no table nothing; there are: "),
    ],
)  # fmt: skip
def test_errors(arguments: list[str | Path], code: int, message: str) -> None:
    found, _, err = run(*arguments)
    assert message in err
    assert err.startswith("darrow: ")
    assert err.count("\n") == 1
    assert found == code


@pytest.mark.slow
@pytest.mark.parametrize(
    "query",
    ["select count(*) from range(100000000) a(i), range(1000) b(j) where (i * j) % 7 = 3", "from range(1000000000)"],
)
def test_interrupt(query: str, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    process = subprocess.Popen(command("sql", query, EXAMPLE, "--format", "csv", "-o", out), stderr=subprocess.PIPE)
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=10)
    assert (process.returncode, err) == (130, b"")
    assert not list(tmp_path.iterdir())


def test_closed_pipe() -> None:
    shell = " ".join(command("sql", "'from range(100000000)'", EXAMPLE, "--format", "csv")) + " | head -1"
    done = subprocess.run(shell, shell=True, capture_output=True, text=True, check=False, timeout=60)
    assert (done.stdout, done.stderr) == ("range\n", "")


def test_an_export_is_asked_alone(tmp_path: Path) -> None:
    export_logs([EXAMPLE], tmp_path)
    code, _, err = run("select 1", tmp_path, EXAMPLE)
    assert (code, err) == (2, f"darrow: {tmp_path}: a lake or an export is asked alone\n")


# What there is


def test_tables_are_listed() -> None:
    code, out, err = run("--tables")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[:2] == ["table               a row for", "posix               each record of posix"]
    assert "files               each file of a log, POSIX, STDIO and DFS together: every byte once" in lines
    assert "posix_files         a file (an id) of a log: " in out
    assert lines[-1] == "The columns of one: darrow sql --about TABLE"
    rows = list(csv.DictReader(io.StringIO(run("--tables", EXAMPLE, "--format", "csv")[1])))
    tables = dict.fromkeys(row["table"] for row in rows)
    assert {"posix", "dxt", "files", "posix_jobs", "jobs", "failures"} <= tables.keys()
    assert not {"dfs", "dfs_files"} & tables.keys()


def test_columns_are_told() -> None:
    rows = {row["column"]: row for row in json.loads(run("--about", "posix_files", "--format", "json")[1])}
    opens = rows["POSIX_OPENS"]
    assert (opens["type"], opens["unit"], opens["rule"]) == ("bigint", "calls", "sum")
    assert rows["POSIX_ACCESS1_ACCESS"]["meaning"].startswith("always null: ")
    rows = {row["column"]: row for row in json.loads(run("--about", "metrics", "--format", "json")[1])}
    assert (rows["bytes_read"]["unit"], rows["bytes_read"]["meaning"]) == ("bytes", "bytes read")
    assert "descriptors obtained for the file: opens, POSIX_FILENOS" in on_terminal(80, "--about", "posix")
    code, out, _ = run("--about", "jobs")
    assert code == 0
    assert "run_time" in out


def test_help() -> None:
    code, out, _ = run("--help")
    assert code == 0
    assert "--lake DIR" in out
    assert sys.executable not in out
