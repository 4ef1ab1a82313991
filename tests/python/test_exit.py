"""How Python ends while tables of many logs are still held, or were read in part: at once, and without a word."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import weakref

import darrow
import duckdb
import pyarrow as pa
import pytest
from corpus import DATA

TRACE = DATA / "dxt-posix.darshan"
DAMAGED = DATA / "badver_mod.darshan"
MANY = f"many = darrow.scan(['{TRACE}'] * 80, threads=4)['DXT_POSIX']; "
STRICT = f"t = darrow.scan(['{TRACE}', '{DAMAGED}'] * 9, threads=4, strict=True)['POSIX']; "
FAILS = "\ntry: {}\nexcept (duckdb.Error, darrow.DarrowError): exit(3)"
CASES = {
    "half read": MANY + "batches = many.batches(1); next(batches); exit(3)",
    "half read by pyarrow": MANY + "reader = many.to_reader(1); reader.read_next_batch(); exit(3)",
    "half read by duckdb": MANY
    + "rows = duckdb.connect().execute('select * from many'); print(rows.fetchmany(1)); exit(3)",
    "half read by a query": MANY
    + "reader = darrow.sql('select rank from dxt_posix', many._reader.dataset).to_reader(); "
    + "left = duckdb.sql('from reader'); print(left.limit(1).fetchall()); exit(3)",
    "half read at a fork": MANY
    + "batches = many.batches(1); next(batches); pid = os.fork(); "
    + "exit(3) if pid == 0 else exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))",
    "error": STRICT + FAILS.format("t.to_arrow()"),
    "error in duckdb": STRICT + FAILS.format("duckdb.sql('select * from t').fetchall()"),
    "error in a connection": STRICT
    + "c = duckdb.connect(); c.register('x', t)"
    + FAILS.format("c.sql('select sum(POSIX_OPENS) from x').fetchall()"),
    "error in a query": STRICT
    + "query = darrow.sql('select * from posix', t._reader.dataset)"
    + FAILS.format("query.relation.fetchall()"),
}


@pytest.mark.parametrize("case", CASES)
def test_nothing_is_told(case: str) -> None:
    if case.startswith("half read") and "libasan" in os.environ.get("LD_PRELOAD", ""):
        pytest.skip("the instrumented extension tells what others keep")
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", f"import os, darrow, duckdb; {CASES[case]}"]
    for _ in range(3):
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, done.stderr) == (3, "")


READ = {
    "duckdb": lambda posix: duckdb.sql("select * from posix").fetchall(),
    "pyarrow": lambda posix: pa.table(posix),
    "ours": lambda posix: posix.to_arrow(),
}


@pytest.mark.parametrize("how", READ)
def test_an_error_keeps_nothing(how: str) -> None:
    """No ring of references, which lives on where DuckDB keeps a part of it until Python has ended."""

    def fail() -> weakref.ref[darrow.Dataset]:
        dataset = darrow.scan([DAMAGED] * 3, strict=True, threads=2)
        told = ""
        try:
            READ[how](dataset["POSIX"])
        except (duckdb.Error, OSError, darrow.DarrowError) as error:
            told = str(error)
        assert "version 9" in told
        return weakref.ref(dataset)

    gc.disable()
    try:
        assert fail()() is None
    finally:
        gc.enable()
