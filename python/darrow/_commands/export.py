"""darrow export: the tables of logs as files."""

from __future__ import annotations

import argparse
import sys

from darrow._commands._common import DONE, LOST, USAGE, Failed, Parser, Progress, complain, data_set, run
from darrow._dxt_explorer import export_dxt_explorer
from darrow._export import FORMATS, export
from darrow._scan_batches import Filters
from darrow.dataset import table_called

_EXAMPLES = [
    ("darrow export job.darshan -o tables", "everything, as Parquet"),
    ("darrow export logs -o tables --table posix", "one table of many logs"),
    ("darrow export job.darshan -o text --format csv", "as text"),
    ("darrow export job.darshan -o dxt --profile dxt-explorer", "traces for DXT Explorer"),
]


def main() -> int:
    """Runs the command; returns its exit code."""
    return run(_command)


def _command() -> int:
    arguments = _parser().parse_args()
    if arguments.profile:
        return _explorer(arguments)
    dataset, some_failed = data_set(arguments.logs)
    filters = Filters(ranks=arguments.rank and frozenset(arguments.rank), pattern=arguments.name)
    progress = Progress()

    try:
        done = export(
            dataset,
            arguments.output,
            format=arguments.format or "parquet",
            tables=arguments.table,
            filters=filters,
            overwrite=arguments.force,
            progress=progress.show,
        )
    finally:
        progress.clear()
    for failure in done.failures:
        complain(str(failure))
    if done.lost:
        complain(f"{arguments.output}: {done.lost} problems tell what was lost or is untrusted: table problems")
    return LOST if some_failed or done.failures or done.lost else DONE


def _explorer(arguments: argparse.Namespace) -> int:
    if len(arguments.logs) != 1 or arguments.table or arguments.name or arguments.rank:
        raise Failed("--profile dxt-explorer takes one log, all of it", USAGE)
    log = arguments.logs[0]
    rows = export_dxt_explorer(log, arguments.output, format=arguments.format or "csv", overwrite=arguments.force)
    if not rows:
        complain(f"{log}: no traces (DXT) in it")
    return DONE


def _parser() -> Parser:
    parser = Parser("export", "Writes the tables of logs into a directory, a file a table.", _EXAMPLES)
    parser.add_argument("logs", nargs="+", metavar="LOG", help="log, directory of logs, glob, or @list")
    parser.add_argument("-o", "--output", required=True, metavar="DIR", help="directory; made if it is not there")
    parser.add_argument("--format", choices=FORMATS, help="parquet unless given; only it and arrow can be imported")
    parser.add_argument("--profile", choices=["dxt-explorer"], help="the table of another program (csv unless given)")
    parser.add_argument(
        "--table", action="append", metavar="NAME", type=_table, help="only this table, as posix; may be repeated"
    )
    parser.add_argument("--name", metavar="REGEX", help="only records whose name it finds; cannot be imported then")
    parser.add_argument(
        "--rank", type=int, action="append", metavar="N", help="only records of this rank (-1: shared ones); likewise"
    )
    parser.add_argument("--force", action="store_true", help="replace the tables of an earlier export")
    return parser


def _table(name: str) -> str:
    try:
        return table_called(name)
    except KeyError as error:
        raise argparse.ArgumentTypeError(error.args[0]) from None


if __name__ == "__main__":
    sys.exit(main())
