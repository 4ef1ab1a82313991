"""darrow export: the tables of logs as files."""

from __future__ import annotations

import argparse
import re
import sys

from darrow._commands._common import DONE, LOST, USAGE, Failed, Progress, complain, data_set, run
from darrow._commands._parser import LOGS_HELP, Parser
from darrow._core import check_pattern
from darrow._dxt_explorer import export_dxt_explorer
from darrow._export import FORMATS, export
from darrow._scan_batches import Filters
from darrow.dataset import scan_tables, table_called


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
    parser = Parser(
        "darrow export",
        summary="all that logs hold as Parquet, CSV, JSON or Arrow",
        takes="[OPTION…] LOG… -o DIR",
        about=f"LOG is a file; {LOGS_HELP}.\n\nEach table that has rows becomes a file of DIR, for any program that "
        "reads such files: posix.parquet, jobs.parquet, … (darrow sql --tables tells what a row of each is). What "
        "cannot be read is told on stderr and in the tables problems and failures. darrow import makes logs again of "
        "whole ones in Parquet or Arrow.",
        exits="0 done; 2 usage; 3 written, but something was lost or is untrusted, or a log could not be read; "
        "4 nothing was written.",
        examples=[
            "darrow export job.darshan -o tables",
            "darrow export logs/ -o tables --table posix,jobs",
            "darrow export job.darshan -o text --format csv --rank 0-7",
            "darrow export job.darshan -o dxt --profile dxt-explorer",
        ],
    )
    parser.add_argument("logs", nargs="+", metavar="LOG")
    parser.add_argument("-o", "--output", required=True, metavar="DIR", help="where files go; made if it is not there")
    parser.add_argument("--force", action="store_true", help="overwrite the tables of an earlier export")
    parser.add_argument(
        "--format",
        choices=FORMATS,
        metavar="FORMAT",
        help="parquet (the default), csv, json (an object a line) or arrow",
    )
    parser.add_argument(
        "--table",
        action="extend",
        metavar="NAME",
        type=_tables,
        help="only this table, such as posix; may be given again, or several with commas",
    )
    parser.add_argument(
        "--name",
        metavar="REGEX",
        type=_pattern,
        help="only records with REGEX in their name (syntax of RE2)",
    )
    parser.add_argument(
        "--rank",
        action="extend",
        metavar="R",
        type=_ranks,
        help="only records of this rank; 0-7: of these, -1: of all ranks together; again and with commas",
    )
    parser.add_argument(
        "--profile",
        choices=["dxt-explorer"],
        metavar="PROGRAM",
        help="dxt-explorer: the traces of one log as the table that DXT Explorer reads, csv unless --format is given",
    )
    parser.propose("--table", scan_tables)
    parser._negative_number_matcher = re.compile(r"-\d[-,\d]*$")  # ranks that begin with -1 are no options
    return parser


def _tables(names: str) -> list[str]:
    try:
        return [table_called(name) for name in names.split(",")]
    except KeyError as error:
        raise argparse.ArgumentTypeError(error.args[0]) from None


def _pattern(expression: str) -> str:
    try:
        check_pattern(expression)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return expression


def _ranks(text: str) -> list[int]:
    """ "0,4-7,-1"."""
    ranks: list[int] = []
    for part in text.split(","):
        found = re.fullmatch(r"(-?\d{1,7})(?:-(\d{1,7}))?", part, re.ASCII)
        of_part = range(int(found[1]), int(found[2] or found[1]) + 1) if found else range(0)
        if not of_part:
            raise argparse.ArgumentTypeError(f'"{part}" is no rank, and no ranks such as 0-7')
        ranks += of_part
    return ranks


if __name__ == "__main__":
    sys.exit(main())
