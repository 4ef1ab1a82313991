"""darrow sql: questions in SQL about logs, lakes and exports."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from threading import Event, Thread

from darrow._commands._common import DONE, LOST, NOTHING, USAGE, Failed, complain, data_set, held_interrupts, run
from darrow._commands._parser import FORMAT_HELP, LOGS_HELP, Parser
from darrow._commands._rows import Look, Reader, write_csv, write_json, write_table
from darrow._extras import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable
    from typing import Any, BinaryIO

    from darrow._sql import Session

_ROWS = 50


def main() -> int:
    """Runs the command; returns its exit code."""
    _leave_pandas_out()
    return run(_command)


def _leave_pandas_out() -> None:
    """pyarrow.dataset imports pandas where there is one; nothing here needs it, and it takes half a second."""

    class NoPandas:
        @staticmethod
        def find_spec(name: str, path: object = None, target: object = None) -> None:
            if name == "pandas":
                raise ImportError("not needed")

    sys.meta_path.insert(0, NoPandas)


def _command() -> int:
    with held_interrupts():  # argparse is in between while it sets options aside
        arguments = _parser().parse_intermixed_args()
    if arguments.rows < 0:
        raise Failed("--rows must not be negative", USAGE)
    words = arguments.words
    query: str | None
    if arguments.tables or arguments.about:
        query = None
    elif arguments.file is not None:
        query = _read(arguments.file)
    elif words:
        query = _read("-") if words[0] == "-" else _query(words[0])
        words = words[1:]
    else:
        raise Failed("no query is given; darrow sql --help tells more", USAGE)
    source, lost = _source(arguments.lake, words, query is None)
    with held_interrupts():
        from darrow._sql import Session
        from darrow._sql_errors import QueryError

        load("duckdb", "SQL")
        load("pyarrow.dataset", "SQL")
    try:
        session = Session(source, memory=arguments.memory)
        return max(lost, _in_thread(lambda: _answer(session, query, arguments), session.connection.interrupt))
    except QueryError as error:
        is_word = error.is_usage and query is not None and query.isalpha()
        told = f"{error}; the query is only {query!r}: is it in quotes?" if is_word else str(error)
        raise Failed(told, USAGE if error.is_usage else NOTHING) from None


def _query(word: str) -> str:
    if os.path.exists(word):
        raise Failed(f"{word}: a file, and no query: the query comes first", USAGE)
    return word


def _read(file: str) -> str:
    data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise Failed(f"{file}: the query is not UTF-8", USAGE) from None


def _source(lake: str | None, paths: list[str], may_be_none: bool) -> tuple[Any, int]:
    """What is asked, and what the exit code is at least."""
    from darrow._sql_files import FileTables, holds_tables
    from darrow.dataset import Dataset

    if lake is not None:
        if paths:
            raise Failed(f"--lake and logs ({paths[0]}) do not go together", USAGE)
        FileTables(lake)  # or it says what is missing
        return lake, DONE
    if len(paths) == 1 and holds_tables(Path(paths[0])):
        return paths[0], DONE
    for path in paths:
        if holds_tables(Path(path)):
            raise Failed(f"{path}: a lake or an export is asked alone", USAGE)
    if not paths and not may_be_none:
        raise Failed("no logs are given, and no --lake", USAGE)
    if not paths:
        return Dataset([]), DONE
    data, some_failed = data_set(paths)
    return data, LOST if some_failed else DONE


def _in_thread(work: Callable[[], int], stop: Callable[[], None]) -> int:
    """Runs it in a thread, so that Ctrl-C reaches this one while DuckDB works; what it raises is raised here."""
    results: list[int] = []
    errors: list[BaseException] = []
    is_done = Event()  # Thread.join() of Python 3.11 takes a thread for dead after Ctrl-C

    def body() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)
        is_done.set()

    Thread(target=body, daemon=True).start()
    try:
        is_done.wait()
    except BaseException:
        stop()
        is_done.wait()
        raise
    if errors:
        raise errors[0]
    return results[0]


def _answer(session: Session, query: str | None, arguments: argparse.Namespace) -> int:
    if query is None:
        return _tell_tables(session, arguments)
    batches = session.query(query).to_reader()
    reader = Reader(batches.schema, session.batches(batches))
    remarks = _write(lambda out, look: _write_rows(reader, out, arguments, look), arguments)
    for failure in session.failures:
        complain(str(failure))
    for remark in remarks:
        complain(remark)
    if session.failures and session.logs and len(session.failures) == len(session.logs.data.logs):
        return NOTHING
    return LOST if session.failures else DONE


def _tell_tables(session: Session, arguments: argparse.Namespace) -> int:
    """Writes what tables and columns there are."""
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

    from darrow._sql_about import About, columns_of, meaning_of, tables_with_rows

    if arguments.about:
        name = arguments.about.lower()
        if name not in session.names:
            raise Failed(f"no table {arguments.about}; there are: {', '.join(session.names)}", USAGE)
        tables = [name]
    else:
        is_given = session.files is not None or bool(session.logs and session.logs.data.logs)
        tables = tables_with_rows(session) if is_given else session.names

    def rows(of: list[str], columns: tuple[str, ...]) -> Reader:
        found = [
            {key: getattr(column, key) for key in columns} for table in of for column in columns_of(session, table)
        ]
        table = pa.Table.from_pylist(found, pa.schema([(key, pa.string()) for key in columns]))
        return Reader(table.schema, table.to_batches())

    def write(out: BinaryIO, look: Look) -> list[str]:
        if arguments.format != "table":
            return _write_rows(rows(tables, About._names), out, arguments, look)
        if not arguments.about:
            listed = pa.table({"table": tables, "a row for": [_row_of(session, table) for table in tables]})
            write_table(Reader(listed.schema, listed.to_batches()), out, Look(0, look.bold), 0)
            out.write(b"\nThe columns of one: darrow sql --about TABLE\n")
            return []
        for i, table in enumerate(tables):
            out.write(f"{chr(10) if i else ''}{table}: {meaning_of(session, table)}\n".encode())
            write_table(rows([table], About._names[1:]), out, Look(0, look.bold), 0)  # meanings are not cut
        return []

    _write(write, arguments)
    return DONE


def _row_of(session: Session, table: str) -> str:
    from darrow._sql_about import meaning_of

    return meaning_of(session, table).removeprefix("a row for ")


def _write(write: Callable[[BinaryIO, Look], list[str]], arguments: argparse.Namespace) -> list[str]:
    """Writes to stdout or into a new file; what there is to be said is returned."""
    if arguments.output is None:
        remarks = write(sys.stdout.buffer, Look.of_stdout())
        sys.stdout.buffer.flush()
        return remarks
    from darrow._new_file import NewFile

    if os.path.lexists(arguments.output) and not arguments.force:
        raise Failed(f"{arguments.output}: is there already; --force replaces it", USAGE)
    with NewFile(arguments.output) as new:
        return write(new.file, Look())


def _write_rows(reader: Reader, out: BinaryIO, arguments: argparse.Namespace, look: Look) -> list[str]:
    if arguments.format == "csv":
        write_csv(reader, out)
    elif arguments.format == "json":
        write_json(reader, out)
    else:
        return write_table(reader, out, look, arguments.rows)
    return []


def _parser() -> Parser:
    parser = Parser(
        "darrow sql",
        summary="a question in SQL about logs, a lake or an export",
        takes="[OPTION…] QUERY LOG…",
        about="QUERY is in the SQL of DuckDB, in quotes; - reads it from the standard input. What it does not need is "
        f"not read.\n\nLOG is a file; {LOGS_HELP}. A lake (darrow lake), or an export in Parquet (darrow export), may "
        "stand in place of all logs.\n\nTables have a row for each record of a module (posix), log (jobs), name, … "
        "Views add up by the rule of each counter: posix_files has a row a file, posix_jobs a row a log, files a row a "
        "file with what the program moved, and dxt all traces.",
        exits="0 done; 2 usage, or an error in QUERY; 3 answered without the logs that could not be read; 4 no answer.",
        examples=[
            "darrow sql --tables",
            "darrow sql --about posix_files",
            "darrow sql 'select name, bytes_read from files order by 2 desc' job.darshan",
            "darrow sql 'select uid, sum(bytes_read) from files join jobs using (log)",
            "            group by uid' logs/",
            "darrow sql -f query.sql --lake lake --format csv -o result.csv",
        ],
    )
    parser.add_argument("words", nargs="*", metavar=("QUERY", "LOG"))
    parser.add_argument("-f", "--file", metavar="FILE", help="a file with the query, in place of QUERY (-: stdin)")
    parser.add_argument("--lake", metavar="DIR", help="ask this lake, or export in Parquet, in place of LOG")
    parser.add_argument(
        "--tables",
        action="store_true",
        help="list what there is to ask, of logs or a lake only what has rows; as CSV or JSON with all columns",
    )
    parser.add_argument("--about", metavar="TABLE", help="list the columns of a table or view, and what they mean")
    parser.add_argument("-o", "--output", metavar="OUT", help="where the answer is written, in place of stdout")
    parser.add_argument("--force", action="store_true", help="overwrite OUT")
    parser.add_argument(
        "--format", choices=["table", "csv", "json"], default="table", metavar="FORMAT", help=FORMAT_HELP
    )
    parser.add_argument(
        "--rows",
        type=int,
        default=_ROWS,
        metavar="N",
        help=f"show at most N rows of a table for people (default {_ROWS}; 0: all)",
    )
    parser.add_argument(
        "--memory", metavar="SIZE", help="what DuckDB may hold in memory, such as 4GB (default: half of the machine's)"
    )
    parser.propose("--about", _names)
    return parser


def _names() -> list[str]:
    """Tables and views."""
    from darrow._sql_views import views
    from darrow._tables import table_names

    return table_names() + [view.name for view in views()]


if __name__ == "__main__":
    sys.exit(main())
