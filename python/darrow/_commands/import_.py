"""darrow import: logs from the tables of an export."""

from __future__ import annotations

import errno
import os
import sys

from darrow._commands._common import DONE, LOST, USAGE, Failed, Progress, complain, run
from darrow._commands._parser import Parser
from darrow._export_reader import Export
from darrow._import import import_log

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def main() -> int:
    """Runs the command; returns its exit code."""
    return run(_command)


def _command() -> int:
    arguments = _parser().parse_args()
    export = Export(arguments.export, arguments.log)
    targets = _targets(export.logs(), arguments)
    progress = Progress()
    damaged = False
    for log, path in targets:
        progress.show(log)
        done = import_log(export, log, path, overwrite=arguments.force)
        if done.damaged:
            damaged = True
            progress.clear()
            complain(f"{log}: damaged before the export, marked as partial: {', '.join(done.damaged)}")
    progress.clear()
    export.check_end()
    return LOST if damaged else DONE


def _targets(logs: list[str], arguments: argparse.Namespace) -> list[tuple[str, str]]:
    """Which logs to write, and where."""
    name, output = arguments.log, arguments.output
    if not logs and name is None:
        raise Failed(f"{arguments.export}: no log whose job could be read")
    if name is not None and name not in logs:
        raise Failed(f"{arguments.export}: no log {name}; there are: {_few(Export(arguments.export).logs())}")
    is_directory = output.endswith(os.sep) or os.path.isdir(output)
    if not is_directory:
        if len(logs) > 1 and name is None:
            raise Failed(f"{arguments.export} has {len(logs)} logs: --log NAME takes one, -o DIR/ all of them", USAGE)
        targets = [(name or logs[0], output)]
    else:
        os.makedirs(output, exist_ok=True)
        targets = [(log, os.path.join(output, os.path.basename(log))) for log in ([name] if name else logs)]
    paths: dict[str, str] = {}
    for log, path in targets:
        if (other := paths.setdefault(path, log)) != log:
            raise Failed(f"{other} and {log} would both become {path}: import each with --log NAME -o LOG", USAGE)
        if os.path.lexists(path) and not arguments.force:
            raise FileExistsError(errno.EEXIST, "is there already; --force replaces it", path)
    return targets


def _few(logs: list[str], most: int = 5) -> str:
    return ", ".join(logs[:most] or ["none"]) + (f" and {len(logs) - most} more" if len(logs) > most else "")


def _parser() -> Parser:
    parser = Parser(
        "darrow import",
        summary="logs again, from what darrow export wrote",
        takes="[OPTION…] DIR -o OUT",
        about="DIR is the directory of an export in Parquet or Arrow of whole logs, or a lake. A log that was damaged "
        "before gets what was read of it; modules of which something is missing are marked as partial and told on "
        "stderr.",
        exits="0 done; 2 usage; 3 written, but of a damaged log; 4 nothing, or not all, was written.",
        examples=[
            "darrow import tables -o job.darshan",
            "darrow import tables --log logs/job.darshan -o job.darshan",
            "darrow import tables -o copies/",
        ],
    )
    parser.add_argument("export", metavar="DIR")
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="OUT",
        help="where the log is written; a directory, or a name with a / at its end: where all of them are",
    )
    parser.add_argument("--force", action="store_true", help="overwrite logs that are there")
    parser.add_argument("--log", metavar="NAME", help="only this log, as the column log of the tables names it")
    return parser


if __name__ == "__main__":
    sys.exit(main())
