"""darrow import: logs from the tables of an export."""

from __future__ import annotations

import errno
import os
import sys

from darrow._commands._common import DONE, LOST, USAGE, Failed, Parser, Progress, complain, run
from darrow._export_reader import Export
from darrow._import import import_log

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

_EXAMPLES = [
    ("darrow import tables -o job.darshan", "the log of an export of one"),
    ("darrow import tables -o job.darshan --log logs/job.darshan", "one of many, by its name in the tables"),
    ("darrow import tables -o copies/", "all of them"),
]


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
    parser = Parser("import", "Writes logs from the tables of an export (Parquet or Arrow) or of a lake.", _EXAMPLES)
    parser.add_argument("export", metavar="DIR", help="directory of an export or a lake")
    parser.add_argument("-o", "--output", required=True, metavar="LOG", help="log to write, or DIR/ for all")
    parser.add_argument("--log", metavar="NAME", help="only this log, as the tables name it")
    parser.add_argument("--force", action="store_true", help="replace logs that are there")
    return parser


if __name__ == "__main__":
    sys.exit(main())
