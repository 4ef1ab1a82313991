"""What cannot be written is refused in one sentence that says where it is, and no file comes to be."""

from __future__ import annotations

import datetime
import decimal
import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import darrow
import pytest
from corpus import DATA

pa = pytest.importorskip("pyarrow")

JOB = {"nprocs": 4, "end_time_sec": 1}
POSIX = {"id": [1, 2], "rank": [0, -1], "POSIX_OPENS": [1, 2]}
NAN, INF = float("nan"), float("inf")
TRACE: dict[str, Any] = {
    "id": [1, 1], "rank": [0, 0], "host": ["a", "a"], "op": ["write", "read"], "offset": [0, 1], "length": [1, 1],
    "start": [0.0, 1.0], "end": [0.5, 1.5],
}  # fmt: skip
HEATMAP: dict[str, Any] = {"id": [1], "rank": [0], "bin_width": [0.1], "write": [[1, 2]], "read": [[3, 4]]}
MDHIM: dict[str, Any] = {"id": [1], "rank": [0], "servers": [[1, 2]]}
COMPONENT: dict[str, Any] = {"stripe_size": 1, "stripe_count": 2, "osts": [3, 4], "pool": "flash"}
HEADER = {"id": 1, "rank": 0, "sync_flag": 0, "variance_total_mpitime": 0.0, "variance_total_mpisynctime": 0.0}


def lustre(**changes: Any) -> dict[str, Any]:
    component = {name: value for name, value in (COMPONENT | changes).items() if value != "none"}
    return {"LUSTRE": {"id": [1], "rank": [0], "components": [[component]]}}


def refuse(folder: Path, tables: Any, error: type[Exception], *words: str, **options: Any) -> None:
    """The error is of that type, its message one line with these words; the folder stays as it was."""
    before = sorted(os.listdir(folder))
    options.setdefault("job", JOB)
    target = options.pop("path", folder / "new.darshan")
    with pytest.raises(error) as raised:
        darrow.write(target, tables, **options)
    message = str(raised.value)
    assert type(raised.value) is error or issubclass(error, OSError), f"{type(raised.value).__name__}: {message}"
    assert "\n" not in message, message
    assert len(message) < 400, message
    assert not [word for word in words if word not in message], message
    assert sorted(os.listdir(folder)) == before


# Values ---------------------------------------------------------------------------------------------------------------

DAY = datetime.datetime(2020, 1, 1)
NO_NUMBERS = {
    "text": (["1", "x"], "holds text, whole numbers expected"),
    "bytes": ([b"1", b"x"], "holds bytes, whole numbers expected"),
    "lists": ([[1], [2]], "holds lists, whole numbers expected"),
    "structures": ([{"a": 1}, {"a": 2}], "holds structures, whole numbers expected"),
    "timestamps": ([DAY, DAY], "is of type timestamp"),
    "dates": ([DAY.date(), DAY.date()], "is of type date"),
    "durations": ([DAY - DAY] * 2, "is of type duration"),
    "decimals": ([decimal.Decimal("1.5")] * 2, "is of type decimal"),
}


@pytest.mark.parametrize("kind", NO_NUMBERS)
@pytest.mark.parametrize("column", ["id", "rank", "POSIX_OPENS"])
def test_what_holds_no_numbers(tmp_path: Path, column: str, kind: str) -> None:
    values, words = NO_NUMBERS[kind]
    refuse(tmp_path, {"POSIX": POSIX | {column: values}}, ValueError, "POSIX: column", column, words)


@pytest.mark.parametrize(
    ("column", "value", "words"),
    [
        ("id", None, "null, a value is needed"),
        ("rank", None, "null, a value is needed"),
        ("id", NAN, "null, a value is needed"),
        ("id", -1, "-1 is not between 0 and 18446744073709551615"),
        ("rank", 2**63, "9223372036854775808 is not between"),
        ("POSIX_OPENS", 2**63, "9223372036854775808 is not between -9223372036854775808 and 9223372036854775807"),
        ("POSIX_RENAMED_FROM", -1, "-1 is not between 0 and"),
        ("POSIX_OPENS", 1.5, "1.5 is no whole number"),
        ("POSIX_OPENS", INF, "inf is no whole number"),
        ("POSIX_OPENS", -INF, "-inf is no whole number"),
        ("POSIX_OPENS", 2.0**53 + 2, "9007199254740994 may be inexact"),
        ("id", 2.0**60, "may be inexact"),
        ("rank", 0.5, "0.5 is no whole number"),
        ("POSIX_F_READ_TIME", 2**53 + 1, "9007199254740993 would change"),
        ("POSIX_F_READ_TIME", -(2**63) + 1, "would change"),
    ],
)
def test_values_that_do_not_fit(tmp_path: Path, column: str, value: Any, words: str) -> None:
    rest = 1.0 if isinstance(value, float) else 1
    refuse(tmp_path, {"POSIX": POSIX | {column: [rest, value]}}, ValueError, f"POSIX: column {column}, row 1: ", words)


def test_rows_are_those_of_the_table(tmp_path: Path) -> None:
    table = pa.table(POSIX | {"POSIX_OPENS": [1.0, 1.5]})
    batches = pa.Table.from_batches(table.to_batches(max_chunksize=1))
    refuse(tmp_path, {"POSIX": batches}, ValueError, "column POSIX_OPENS, row 1: ")


def test_rows_of_lists_are_those_of_the_table(tmp_path: Path) -> None:
    table = {"id": [1, 2], "rank": [0, 0], "bin_width": [0.1, 0.1], "write": [[1, 2], [3, 4.5]], "read": [[1, 2]] * 2}
    refuse(tmp_path, {"HEATMAP": table}, ValueError, "column write, row 1: 4.5")


@pytest.mark.parametrize("value", [2**64, -(2**63) - 1])
def test_numbers_of_more_than_64_bits(tmp_path: Path, value: int) -> None:
    refuse(tmp_path, {"POSIX": POSIX | {"id": [1, value]}}, ValueError, "POSIX: column id holds whole numbers")
    mixed = [{"id": 2**63, "rank": 0}, {"id": -1, "rank": 0, "POSIX_OPENS": 1}]
    refuse(tmp_path, {"POSIX": mixed}, ValueError, "POSIX: column id holds whole numbers")


def test_columns_of_mixed_values(tmp_path: Path) -> None:
    refuse(tmp_path, {"POSIX": POSIX | {"POSIX_OPENS": [1, "x"]}}, ValueError, "POSIX: column POSIX_OPENS", "'x'")
    refuse(tmp_path, {"POSIX": POSIX | {"name": ["/\udcff", "/b"]}}, ValueError, "POSIX: column name")
    refuse(tmp_path, {"POSIX": POSIX | {"id": 5}}, TypeError, "POSIX: column id")
    refuse(tmp_path, {"POSIX": POSIX | {"id": [1]}}, ValueError, "POSIX: ", "rank", "length 1 but got length 2")


# Columns --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tables", "words"),
    [
        ({"POSIX": {"rank": [0], "POSIX_OPENS": [1]}}, 'POSIX: no column "id", nor a column "name"'),
        ({"POSIX": {"id": [0], "POSIX_OPENS": [1]}}, 'POSIX: no column "rank"'),
        ({"POSIX": {"name": ["/a", None], "rank": [0, 0], "POSIX_OPENS": [1, 1]}}, "POSIX: column name, row 1: null"),
        ({"POSIX": {"name": [5], "rank": [0], "POSIX_OPENS": [1]}}, "POSIX: column name holds no text"),
        ({"STDIO": POSIX}, "STDIO: the table has no column of this module"),
        ({"POSIX": pa.table([[1], [0], [1], [1]], ["id", "rank", "POSIX_OPENS", "POSIX_OPENS"])},
         'two columns are called "POSIX_OPENS"'),
        ({"POSIX": pa.array([1])}, "POSIX: no table, but values of type"),
        ({"PNETCDF_VAR": {"id": [1], "rank": [0], "PNETCDF_VAR_OPENS": [1]}}, 'no column "file_rec_id"'),
        ({"DAOS": {"id": [1], "rank": [0], "DAOS_OBJ_OPENS": [1]}}, 'DAOS: no column "oid_hi"'),
        ({"HEATMAP": HEATMAP | {"nbins": [3]}}, "HEATMAP: record 0: 2 elements of write, but nbins is 3"),
        ({"HEATMAP": HEATMAP | {"read": [[1]]}}, "HEATMAP: record 0: 1 elements of read, but nbins is 2"),
        ({"HEATMAP": HEATMAP | {"bin_width": [None]}}, "HEATMAP: column bin_width, row 0: null"),
        ({"HEATMAP": HEATMAP | {"write": [5]}}, "HEATMAP: column write holds no lists"),
        ({"HEATMAP": HEATMAP | {"write": [["x", "y"]]}}, "HEATMAP: column write holds text"),
        ({"HEATMAP": HEATMAP | {"write": [[1, None]]}}, "HEATMAP: column write, row 1: null"),
        ({"HEATMAP": {k: v for k, v in HEATMAP.items() if k != "bin_width"}}, 'no column "bin_width", which is needed'),
        ({"HEATMAP": {k: v for k, v in HEATMAP.items() if k != "read"}}, 'no column "read", which is needed'),
        ({"MDHIM": MDHIM | {"MDHIM_SERVERS": [3]}}, "MDHIM: record 0: 2 elements of servers, but MDHIM_SERVERS is 3"),
        ({"MDHIM": MDHIM | {"MDHIM_SERVERS": [-1]}}, "MDHIM: record 0: 2 elements of servers, but MDHIM_SERVERS is -1"),
        ({"MDHIM": MDHIM | {"servers": [[]]}}, "MDHIM: record 0: 0 elements of servers"),
        ({"MDHIM": {"id": [1], "rank": [0], "MDHIM_PUTS": [1]}}, 'MDHIM: no column "servers"'),
        (lustre(stripe_count=3), "LUSTRE: row 0: a component with stripe_count 3 owns osts 2"),
        (lustre(stripe_count=-1, osts=[]), "LUSTRE: row 0: a component with stripe_count -1"),
        (lustre(stripe_count=None), "LUSTRE: row 0: a component with stripe_count"),
        (lustre(stripe_count="none"), 'LUSTRE: no column "stripe_count"'),
        (lustre(osts="none"), 'LUSTRE: no column "osts"'),
        (lustre(osts=5), "LUSTRE: column osts holds no lists"),
        (lustre(osts=["a", "b"]), "LUSTRE: column osts holds text"),
        (lustre(pool="x" * 17), "LUSTRE: column pool, row 0: text of 17 bytes, 16 fit"),
        (lustre(pool="x\0"), "LUSTRE: column pool, row 0: text of 2 bytes with a NUL"),
        (lustre(pool=5), "LUSTRE: column pool holds whole numbers, text expected"),
        ({"LUSTRE": {"id": [1], "rank": [0], "components": [[5]]}}, "components holds no lists of structures"),
        ({"LUSTRE": {"id": [1], "rank": [0], "components": [5]}}, "LUSTRE: column components holds no lists"),
        ({"DFS": {"id": [1], "rank": [0], "pool_uuid": ["xyz"]}}, 'DFS: column pool_uuid, row 0: "xyz" is no UUID'),
        ({"DFS": {"id": [1], "rank": [0], "pool_uuid": ["0" * 33]}}, "DFS: column pool_uuid, row 0: "),
        ({"DFS": {"id": [1], "rank": [0], "pool_uuid": ["-" * 36]}}, "DFS: column pool_uuid, row 0: "),
        ({"DFS": {"id": [1], "rank": [0], "pool_uuid": [5]}}, "DFS: column pool_uuid holds whole numbers"),
        ({"DFS": {"id": [1], "rank": [0], "pool_uuid": [b"0" * 16]}}, "DFS: column pool_uuid holds bytes"),
        ({"DXT_POSIX": TRACE | {"op": ["write", "x"]}}, 'DXT_POSIX: column op, row 1: "x" is neither "read" nor'),
        ({"DXT_POSIX": TRACE | {"op": ["write", None]}}, "DXT_POSIX: column op, row 1: "),
        ({"DXT_POSIX": TRACE | {"op": [0, 1]}}, "DXT_POSIX: column op holds no text"),
        ({"DXT_POSIX": TRACE | {"host": [0, 1]}}, "DXT_POSIX: column host holds no text"),
        ({"DXT_POSIX": TRACE | {"host": ["h", "h" * 65]}}, "DXT_POSIX: column host, row 1: text of 65 bytes, 64 fit"),
        ({"DXT_POSIX": TRACE | {"host": ["h", "ä" * 33]}}, "DXT_POSIX: column host, row 1: text of 66 bytes, 64 fit"),
        ({"DXT_POSIX": TRACE | {"host": ["h\0", "h"]}}, "DXT_POSIX: column host, row 0: text of 2 bytes with a NUL"),
        ({"DXT_POSIX": TRACE | {"segment": [0, None]}}, "DXT_POSIX: column segment, row 1: null"),
        ({"DXT_POSIX": TRACE | {"thread_id": [5, None]}}, "DXT_POSIX: column thread_id, row 1: null"),
        ({"DXT_POSIX": TRACE | {"start": [0.0, None]}}, "DXT_POSIX: column start, row 1: null"),
        ({"APMPI": {"id": [1], "rank": [0], "MPI_SEND_CALL_COUNT": [1]}}, "APMPI: the record that opens its region"),
        ({"FOO": POSIX}, 'no module "FOO"'),
        ({"module 40": POSIX}, "module 40: an unknown module: its data can be written as bytes only"),
        ({"module 64": b"x"}, "module 64: bytes need a version"),
        ({"module 40": b"x"}, "module 40: bytes need a version"),
        ({"POSIX": POSIX, "posix": POSIX}, "POSIX and posix: that is one module"),
        ({"DXT_POSIX": TRACE, "dxt-posix": TRACE}, "DXT_POSIX and dxt-posix: that is one module"),
    ],
)  # fmt: skip
def test_columns_and_lists(tmp_path: Path, tables: Any, words: Any) -> None:
    refuse(tmp_path, tables, ValueError, words)


@pytest.mark.parametrize("column", ["op", "offset", "length", "start", "end"])
def test_segments_need_all_they_have(tmp_path: Path, column: str) -> None:
    rest = {name: values for name, values in TRACE.items() if name != column}
    refuse(tmp_path, {"DXT_POSIX": rest}, ValueError, f'DXT_POSIX: no column "{column}"')


@pytest.mark.parametrize("size", [-1, None, "none"])
def test_components_without_a_size_would_be_lost(tmp_path: Path, size: Any) -> None:
    refuse(tmp_path, lustre(stripe_size=size), ValueError, "LUSTRE: ", "stripe_size")


@pytest.mark.parametrize("field", HEADER)
@pytest.mark.parametrize("value", ["none", None, "x", 2**64, [1]])
def test_headers(tmp_path: Path, field: str, value: Any) -> None:
    apmpi = darrow.open(DATA / "apmpi.darshan")["APMPI"].to_arrow()
    header = {name: number for name, number in (HEADER | {field: value}).items() if number != "none"}
    error = ValueError if value in ("none", 2**64) else TypeError
    refuse(tmp_path, {"APMPI": apmpi}, error, "APMPI: ", field, headers={"APMPI": header}, job={"nprocs": 1000})
    refuse(tmp_path, {"POSIX": POSIX}, ValueError, "no table of APMPI", headers={"APMPI": HEADER})
    refuse(tmp_path, {"POSIX": POSIX}, ValueError, "POSIX: this module has no header", headers={"POSIX": HEADER})


# Names, job, options --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "error", "words"),
    [
        ({1: "/a", 2: "/b\0c"}, ValueError, 'the name of id 2 must not hold a NUL, as it does behind "/b"'),
        (["/a\0"], ValueError, "must not hold a NUL"),
        ({1: "x" * 2**21}, ValueError, "the name of id 1 takes 2097152 bytes, at most 2097142 fit"),
        ({-1: "/a"}, ValueError, "an id in names is -1, which is not between 0 and 18446744073709551615"),
        ({2**64: "/a"}, ValueError, "is not between 0 and"),
        ({"1": "/a"}, TypeError, "an id in names is a whole number, not '1'"),
        ({1.0: "/a"}, TypeError, "an id in names is a whole number"),
        ({1: None}, TypeError, "a name is text, not None"),
        ([1], TypeError, "a name is text, not 1"),
        ("/a", TypeError, "names are a list of names, or a mapping of ids to names, not str"),
        (5, TypeError, "names are a list of names"),
    ],
)
def test_names(tmp_path: Path, names: Any, error: type[Exception], words: str) -> None:
    refuse(tmp_path, {"POSIX": POSIX}, error, words, names=names)


def test_two_names_for_one_id(tmp_path: Path) -> None:
    named = POSIX | {"name": ["/a", "/b"]}
    refuse(tmp_path, {"POSIX": named}, ValueError, 'two names for id 1: "/x" and "/a"', names={1: "/x"})
    refuse(tmp_path, {"POSIX": named | {"id": [7, 7]}}, ValueError, 'two names for id 7: "/a" and "/b"')
    other = {"id": [2], "rank": [0], "STDIO_OPENS": [1], "name": ["/c"]}
    refuse(tmp_path, {"POSIX": named, "STDIO": other}, ValueError, 'two names for id 2: "/b" and "/c"')
    refuse(tmp_path, {"POSIX": POSIX | {"name": ["/a\0", "/b"]}}, ValueError, "must not hold a NUL")


@pytest.mark.parametrize(
    ("job", "error", "words"),
    [
        (None, TypeError, "needs a job"),
        (5, TypeError, "a job is a darrow.Job or a mapping with nprocs, not 5"),
        ({}, ValueError, "a job needs nprocs"),
        ({"nprocs": 1, "user": 5}, ValueError, "a job has no user; there are uid, jobid, nprocs"),
        ({"nprocs": 0, "end_time_sec": 1}, ValueError, "number of processes: 0, 1 or more expected"),
        ({"nprocs": "4"}, TypeError, "nprocs of the job is a whole number, not '4'"),
        ({"nprocs": 2.5}, TypeError, "nprocs of the job is a whole number, not 2.5"),
        ({"nprocs": 2**63}, ValueError, "nprocs of the job is 9223372036854775808, which is not between"),
        ({"nprocs": 4, "start_time_sec": 5, "end_time_sec": 4}, ValueError, "ends at 4 s, before its start at 5 s"),
        ({"nprocs": 4, "run_time": 5.0}, ValueError, "a run time of 5 s, but no end time"),
        ({"nprocs": 4, "run_time": 5.0, "end_time_sec": 9}, ValueError, "a run time of 5 s, but 9 s between"),
        ({"nprocs": 4, "run_time": "5"}, TypeError, "run_time of the job is a number or None, not '5'"),
        ({"nprocs": 4, "exe": "a\nb"}, ValueError, 'the command line must not hold a line end, as it does behind "a"'),
        ({"nprocs": 4, "exe": "a\0"}, ValueError, "the command line must not hold a NUL"),
        ({"nprocs": 4, "exe": "x" * 3016}, ValueError, "the job record takes 4097 bytes, at most 4096 fit"),
        ({"nprocs": 4, "exe": 5}, TypeError, "exe of the job is text, not 5"),
        ({"nprocs": 4, "metadata": {"k": "v" * 1022}}, ValueError, "the metadata takes 1024 bytes"),
        ({"nprocs": 4, "metadata": {"a=b": "c"}}, ValueError, 'a key of the metadata must not hold "="'),
        ({"nprocs": 4, "metadata": {"a": "b\nc"}}, ValueError, "a value of the metadata must not hold a line end"),
        ({"nprocs": 4, "metadata": {"a\0": "b"}}, ValueError, "a key of the metadata must not hold a NUL"),
        ({"nprocs": 4, "metadata": {"a": 1}}, TypeError, "a value of the metadata is text, not 1"),
        ({"nprocs": 4, "metadata": ["a"]}, TypeError, "the metadata of a job is a mapping"),
    ],
)
def test_jobs(tmp_path: Path, job: Any, error: type[Exception], words: str) -> None:
    refuse(tmp_path, {"POSIX": {"id": [1], "rank": [0], "POSIX_OPENS": [1]}}, error, words, job=job)


@pytest.mark.parametrize(
    ("mounts", "error", "words"),
    [
        ([("/a\nb", "ext4")], ValueError, 'the path of a mount must not hold a line end, as it does behind "/a"'),
        ([("/a", "ex\tt4")], ValueError, 'the type of a mount must not hold a TAB, as it does behind "ex"'),
        ([("/a\0", "ext4")], ValueError, "the path of a mount must not hold a NUL"),
        ([("/a", "")], ValueError, "the type of a mount must not be empty"),
        ([("", "ext4")], ValueError, "the path of a mount must not be empty"),
        ([("/" + "a" * 3100, "ext4")], ValueError, "at most 4096 fit"),
        ([("/a",)], TypeError, "a mount is a pair of path and type, not ('/a',)"),
        ([("/a", None)], TypeError, "the type of a mount is text, not None"),
        (["ab"], TypeError, "a mount is a pair of path and type, not 'ab'"),
        ({"/a": "ext4"}, TypeError, "mounts are a list of pairs of path and type, not dict"),
    ],
)
def test_mounts(tmp_path: Path, mounts: Any, error: type[Exception], words: str) -> None:
    refuse(tmp_path, {"POSIX": POSIX}, error, words, mounts=mounts)


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        *(
            ({"target": text}, ValueError, "3.5.0")
            for text in ("3.3.0", "abc", "", "3.5", "3.5.0.1", "3.4.0", " 3.5.0")
        ),
        ({"target": 3.5}, TypeError, "target is text, not 3.5"),
        ({"level": 13}, ValueError, "compression zlib has no level 13: 1 to 12"),
        ({"level": -1}, ValueError, "compression zlib has no level -1"),
        ({"level": 10, "compression": "bzip2"}, ValueError, "compression bzip2 has no level 10: 1 to 9"),
        ({"level": 1, "compression": "none"}, ValueError, "compression none has no level 1"),
        ({"level": 2**40}, ValueError, "level is 1099511627776"),
        ({"level": "6"}, TypeError, "level is a whole number, not '6'"),
        ({"compression": "lz4"}, ValueError, 'no compression "lz4": there are zlib, bzip2 and none'),
        ({"compression": None}, TypeError, "compression is text, not None"),
        ({"byte_order": "middle"}, ValueError, 'no byte order "middle": there are little and big'),
        ({"byte_order": 1}, TypeError, "byte_order is text, not 1"),
        ({"strict": "no"}, TypeError, "strict is True or False, not 'no'"),
        ({"overwrite": "no"}, TypeError, "overwrite is True or False, not 'no'"),
        ({"versions": {"POSIX": 5}}, ValueError, "POSIX: no version 5: there are 1 to 4"),
        ({"versions": {"POSIX": 0}}, ValueError, "POSIX: no version 0"),
        ({"versions": {"FOO": 1}}, ValueError, 'no module "FOO"'),
        ({"versions": {"POSIX": "3"}}, TypeError, "versions['POSIX'] is a whole number, not '3'"),
        ({"versions": [3]}, TypeError, "versions go by module, in a mapping, not in list"),
        ({"headers": [3]}, TypeError, "headers go by module, in a mapping, not in list"),
        ({"partial": "POSIX"}, TypeError, "partial are a list of modules, not str"),
        ({"partial": ["FOO"]}, ValueError, 'no module "FOO"'),
        ({"partial": [1]}, TypeError, "a module in partial is text, not 1"),
    ],
)
def test_options(tmp_path: Path, options: dict[str, Any], error: type[Exception], words: str) -> None:
    refuse(tmp_path, {"POSIX": POSIX}, error, words, **options)


@pytest.mark.parametrize("tables", [[POSIX], "POSIX", 5, pa.table(POSIX), {1: POSIX}])
def test_tables_go_by_module(tmp_path: Path, tables: Any) -> None:
    refuse(tmp_path, tables, TypeError, "tables")


@pytest.mark.parametrize("table", [None, 5, "x", [[1]], {1, 2}, object(), (row for row in [{}])])
def test_no_tables(tmp_path: Path, table: Any) -> None:
    refuse(tmp_path, {"POSIX": table}, TypeError, "POSIX: ", "is no table; these are")


def test_lazy_frames(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    refuse(tmp_path, {"POSIX": polars.DataFrame(POSIX).lazy()}, TypeError, "POSIX: ", "collect() it first")


def test_versions_that_would_lose_something(tmp_path: Path) -> None:
    told = "POSIX: version 3 cannot hold POSIX_FILENOS, which is 5 in row 1"
    refuse(tmp_path, {"POSIX": POSIX | {"POSIX_FILENOS": [None, 5]}}, ValueError, told, versions={"POSIX": 3})
    threads = {"DXT_POSIX": TRACE | {"thread_id": [5, 6]}}
    told = "DXT_POSIX: version 1 cannot hold thread_id, which is 5 in row 0"
    refuse(tmp_path, threads, ValueError, told, versions={"DXT_POSIX": 1})
    refuse(tmp_path, {"DXT_POSIX": TRACE}, ValueError, "thread_id", versions={"DXT_POSIX": 2})
    refuse(tmp_path, lustre(), ValueError, "LUSTRE: version 1 ", versions={"LUSTRE": 1})
    told = "DXT_MPIIO: offsets of version 1"
    refuse(tmp_path, {"DXT_MPIIO": TRACE}, ValueError, told, versions={"DXT_MPIIO": 1})
    dfs = {"DFS": {"id": [1], "rank": [0], "DFS_OPENS": [1]}}
    refuse(tmp_path, dfs, ValueError, "DFS: release 3.4.1 does not know this module", target="3.4.1")


def test_byte_order_of_bytes_is_that_of_the_log() -> None:
    """A log of unknown modules cannot change it."""
    file = io.BytesIO()
    darrow.write(file, {"module 40": b"12345678"}, job=JOB, versions={"module 40": 1})
    with pytest.raises(ValueError, match="module 40: bytes are written as they are: little-endian numbers"):
        darrow.write(io.BytesIO(), darrow.open(file.getvalue()), byte_order="big")


@pytest.mark.parametrize(("rank", "kind"), [(4, "rank_beyond_nprocs"), (-2, "rank_negative")])
def test_ranks_that_the_job_does_not_have(tmp_path: Path, rank: int, kind: str) -> None:
    tables = {"POSIX": POSIX | {"rank": [0, rank]}}
    refuse(tmp_path, tables, ValueError, "POSIX: records of")
    problems = darrow.write(tmp_path / "lax", tables, job=JOB, strict=False)
    assert [p.module for p in problems if p.severity == "warning"] == ["POSIX"]
    assert darrow.open(tmp_path / "lax")["POSIX"].column("rank") == [0, rank]
    assert kind in [p.kind for p in darrow.open(tmp_path / "lax").verify()] or rank == -2


@pytest.mark.parametrize(
    "job", [{"nprocs": 0, "end_time_sec": 1}, {"nprocs": 4, "start_time_sec": 5, "end_time_sec": 4}]
)
def test_odd_jobs_are_written_where_nobody_is_strict(tmp_path: Path, job: dict[str, int]) -> None:
    tables = {"STDIO": {"id": [1], "rank": [-1], "STDIO_OPENS": [1]}}
    problems = darrow.write(tmp_path / "lax", tables, job=job, strict=False)
    assert [p.region for p in problems if p.severity == "warning"] == ["job"]
    read = darrow.open(tmp_path / "lax").job
    assert read is not None
    assert {name: getattr(read, name) for name in job} == job


# Places ---------------------------------------------------------------------------------------------------------------


def test_paths(tmp_path: Path) -> None:
    (tmp_path / "there").write_text("as it was")
    (tmp_path / "loop").symlink_to("loop")
    tables = {"POSIX": POSIX}
    refuse(tmp_path, tables, FileExistsError, "there", path=tmp_path / "there")
    refuse(tmp_path, tables, FileNotFoundError, "no/x", path=tmp_path / "no" / "x")
    refuse(tmp_path, tables, NotADirectoryError, "there/x", path=tmp_path / "there" / "x")
    refuse(tmp_path, tables, IsADirectoryError, tmp_path.name, path=tmp_path)
    refuse(tmp_path, tables, IsADirectoryError, tmp_path.name, path=tmp_path, overwrite=True)
    refuse(tmp_path, tables, IsADirectoryError, "x/", path=f"{tmp_path}/x/")
    refuse(tmp_path, tables, FileNotFoundError, "''", path="")
    refuse(tmp_path, tables, OSError, "loop", path=tmp_path / "loop")
    refuse(tmp_path, tables, OSError, "too long", path=tmp_path / ("x" * 256))
    refuse(tmp_path, tables, OSError, "No space", path="/dev/full")
    refuse(tmp_path, tables, ValueError, "a path must not hold a NUL", path=f"{tmp_path}/a\0b")
    for path in (5, None, ["x"]):
        refuse(tmp_path, tables, TypeError, "a path or an open binary file", path=path)
    assert (tmp_path / "there").read_text() == "as it was"


def test_checks_come_before_the_file(tmp_path: Path) -> None:
    """A file that is to be replaced stays if the new one cannot be written."""
    (tmp_path / "new.darshan").write_text("as it was")
    refuse(tmp_path, {"POSIX": POSIX | {"rank": [0, 9]}}, ValueError, "POSIX: ", overwrite=True)
    refuse(tmp_path, {"POSIX": POSIX | {"rank": [0, None]}}, ValueError, "POSIX: ", overwrite=True)
    refuse(tmp_path, {"POSIX": POSIX}, ValueError, "NUL", overwrite=True, names={1: "\0"})
    assert (tmp_path / "new.darshan").read_text() == "as it was"


def test_closed_and_damaged_logs(tmp_path: Path) -> None:
    log = darrow.open(DATA / "example.darshan")
    records = log["POSIX"]
    log.close()
    refuse(tmp_path, log, ValueError, "is closed")
    refuse(tmp_path, {"POSIX": records}, ValueError, "is closed")
    data = bytearray((DATA / "example.darshan").read_bytes())
    place = log.modules["POSIX"].offset
    data[place + 20 : place + 40] = bytes(20)
    refuse(tmp_path, darrow.open(bytes(data)), darrow.CorruptLogError, "POSIX")
    refuse(tmp_path, {"POSIX": darrow.open(bytes(data))["POSIX"]}, darrow.CorruptLogError, "POSIX")


# Producers that fail --------------------------------------------------------------------------------------------------


def failing(error: BaseException) -> Callable[[], Any]:
    def batches() -> Iterator[Any]:
        yield pa.record_batch(POSIX)
        raise error

    return lambda: pa.RecordBatchReader.from_batches(pa.record_batch(POSIX).schema, batches())


def test_streams_that_fail_midway(tmp_path: Path) -> None:
    told = "POSIX: the table cannot be read: "
    refuse(tmp_path, {"POSIX": failing(RuntimeError("the tape tore"))()}, ValueError, told, "the tape tore")
    refuse(tmp_path, {"POSIX": failing(ValueError("a\nb"))()}, ValueError, told)
    read = pa.table(POSIX).to_reader()
    stream = read.__arrow_c_stream__()

    class Used:
        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            return stream

    darrow.write(tmp_path / "once", {"POSIX": Used()}, job=JOB)
    refuse(tmp_path, {"POSIX": Used()}, ValueError, "POSIX: a stream that was read before")


def test_things_that_only_look_like_tables(tmp_path: Path) -> None:
    class Number:
        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            return 5

    class Raises:
        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            raise RuntimeError("not now")

    refuse(tmp_path, {"POSIX": Number()}, ValueError, "POSIX: ", "PyCapsule")
    refuse(tmp_path, {"POSIX": Raises()}, RuntimeError, "not now")


class Full:
    """A file that takes a little."""

    def __init__(self, most: int) -> None:
        self.most = most

    def write(self, data: bytes) -> int:
        if self.most <= 0:
            raise OSError(28, "No space left on device")
        self.most -= 100
        return 100


def test_files_that_fail(tmp_path: Path) -> None:
    refuse(tmp_path, {"POSIX": POSIX}, OSError, "No space left", path=Full(500))
    refuse(tmp_path, {"POSIX": POSIX}, TypeError, "string argument expected", path=io.StringIO())


# Records as bytes, and ids --------------------------------------------------------------------------------------------


def test_records_and_ids() -> None:
    for call, error, words in (
        (lambda: darrow.to_records(POSIX), TypeError, "needs the module"),
        (lambda: darrow.to_records(POSIX, "FOO"), ValueError, 'no module is called "FOO"'),
        (lambda: darrow.to_records(POSIX, "POSIX", 5), ValueError, "POSIX: no version 5: there are 1 to 4"),
        (lambda: darrow.to_records(POSIX, "STDIO"), ValueError, "STDIO: the table has no column"),
        (lambda: darrow.to_records(POSIX | {"id": [1, None]}, "POSIX"), ValueError, "POSIX: column id, row 1: null"),
        (lambda: darrow.from_records(b"x", "POSIX"), darrow.CorruptLogError, "1 of 704 bytes"),
        (lambda: darrow.from_records(b"", "POSIX", 5), darrow.UnsupportedVersionError, "no version 5"),
        (lambda: darrow.from_records(b"", "FOO"), ValueError, 'no module is called "FOO"'),
        (lambda: darrow.from_records(b"", "POSIX", byte_order="x"), ValueError, 'no byte order "x"'),
        (lambda: darrow.from_records(5, "POSIX"), TypeError, "records are bytes, not int"),  # type: ignore[arg-type]
        (lambda: darrow.from_records(bytes(47) + b"\x7f", "HEATMAP"), None, ""),
        (lambda: darrow.from_records(bytes(24) + b"\xff" * 8 + bytes(16), "HEATMAP"), darrow.CorruptLogError, "nbins"),
        (lambda: darrow.from_records(bytes(24) + b"\x7f" * 8 + bytes(16), "HEATMAP"), darrow.CorruptLogError, "nbins"),
        (lambda: darrow.record_id(5), TypeError, "a name is text, not 5"),  # type: ignore[arg-type]
        (lambda: darrow.record_id("\ud800"), UnicodeEncodeError, "surrogates"),
    ):
        if error is None:
            call()
            continue
        with pytest.raises(error) as raised:
            call()
        assert words in str(raised.value)
        assert "\n" not in str(raised.value)


def test_after_a_refusal_a_writer_writes_nothing() -> None:
    """What was added before the refusal may be there in part: every later call tells the same error."""
    from darrow import _core

    writer = _core.LogWriter.create("zlib", 0, "little", "3.4.1", True)
    writer.set_job([0, 0, 1, 0, 0, 1, 0], b"app", None, [])
    dfs = darrow.from_records(bytes(584), "DFS")._reader.table()
    posix = darrow.from_records(bytes(704), "POSIX")._reader.table()
    refused = "release 3.4.1 does not know this module"
    for attempt in (
        lambda: writer.add_table("DFS", [dfs]),
        lambda: writer.add_table("POSIX", [posix]),
        writer.to_bytes,
    ):
        with pytest.raises(ValueError, match=refused):
            attempt()
