"""darrow lake: many logs as a Parquet data set that is kept up to date."""

from __future__ import annotations

import csv
import json
import sys

from darrow._commands._common import DONE, LOST, NOTHING, USAGE, Failed, Progress, complain, run
from darrow._commands._parser import FORMAT_HELP, LOGS_HELP, Parser
from darrow.errors import DarrowError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from darrow._lake_update import Report
    from darrow.lake import LakeInfo

_FORMATS = ("table", "csv", "json")
_SHOWN = 10  # names of vanished logs
_EXITS = (
    "0 done; 2 usage; 3 some logs could not be read, or something of them was lost or is untrusted; 4 nothing could be "
    "read or written, or another update is running."
)


def main() -> int:
    """The program darrow-lake."""
    return run(lambda: _command(sys.argv[1:]))


def _command(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    action = {"update": _update, "compact": _compact, "info": _info}[options.action]
    try:
        return action(options)
    except DarrowError as error:
        if error.code == "busy":
            raise Failed(f"{error} (--wait waits for it)") from error
        if error.code == "inside":
            raise Failed(str(error), USAGE) from error
        raise


def _parser() -> Parser:
    parser = Parser(
        "darrow lake",
        summary="many logs as one Parquet data set, kept up to date",
        takes="ACTION [OPTION…] DIR [PATH…]",
        about="DIR is the directory of the lake. darrow sql asks it, darrow import makes logs of it, and any program "
        "reads its Parquet files.",
        exits=_EXITS,
        examples=[
            "darrow lake update lake /logs/2026",
            "darrow lake update lake 'logs/*/1*.darshan' @more.txt",
            "darrow lake compact lake",
            "darrow lake info lake",
            "darrow sql 'select count(*) from jobs' --lake lake",
        ],
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    update = actions.add_parser(
        "update",
        prog="darrow lake update",
        summary="takes logs that are new or changed",
        takes="[OPTION…] DIR PATH…",
        about=f"DIR is the lake, which is made if it is not there. PATH is a file; {LOGS_HELP}.\n\nLogs that did not "
        "change are not opened, and of logs with the same content one is taken. What cannot be read is told on stderr, "
        "kept in the table failures, and not read again before it changes. An update may be interrupted or killed at "
        "any time: the next one goes on.",
        exits=_EXITS,
        examples=[
            "darrow lake update lake /logs/2026",
            "darrow lake update lake 'logs/*/1*.darshan' @more.txt",
            "darrow lake update lake /logs --forget-vanished --format json",
        ],
    )
    update.add_argument("directory", metavar="DIR")
    update.add_argument("paths", metavar="PATH", nargs="+")
    update.add_argument("--retry", action="store_true", help="read logs again that could not be read, though unchanged")
    update.add_argument(
        "--forget-vanished",
        action="store_true",
        help="remove the rows of logs that are not there any more (default: keep them)",
    )
    update.add_argument("--format", choices=_FORMATS, default="table", metavar="FORMAT", help=FORMAT_HELP)
    update.add_argument(
        "--threads",
        type=_count,
        metavar="N",
        help="logs read at the same time (default: one for each processor)",
    )
    compact = actions.add_parser(
        "compact",
        prog="darrow lake compact",
        summary="merges small files, so that each table has few large ones",
        takes="[OPTION…] DIR",
        about="DIR is the lake. Files grow to about 256 MB. Worthwhile after many updates that took a few logs each.",
        exits=_EXITS,
        examples=["darrow lake compact lake", "darrow lake compact --wait lake"],
    )
    compact.add_argument("directory", metavar="DIR")
    for one in (update, compact):
        one.add_argument(
            "--wait", action="store_true", help="wait until an update that is running ends (default: give up)"
        )
    info = actions.add_parser(
        "info",
        prog="darrow lake info",
        summary="what is in a lake: logs, tables, rows, files, bytes",
        takes="[OPTION…] DIR",
        about="DIR is the lake.",
        exits=_EXITS,
        examples=["darrow lake info lake", "darrow lake info --format json lake"],
    )
    info.add_argument("directory", metavar="DIR")
    info.add_argument("--format", choices=_FORMATS, default="table", metavar="FORMAT", help=FORMAT_HELP)
    return parser


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


_count.__name__ = "number"  # argparse: "invalid number value"


# Actions


def _update(options: argparse.Namespace) -> int:
    from darrow.lake import Lake

    progress = Progress()
    try:
        report = Lake(options.directory).update(
            options.paths,
            threads=options.threads,
            forget_vanished=options.forget_vanished,
            retry=options.retry,
            wait=options.wait,
            progress=lambda done, of: progress.show(f"{done} of {of} logs"),
        )
    finally:
        progress.clear()
    for name, reason in report.failures:
        complain(reason if reason.startswith(name) else f"{name}: {reason}")
    if options.format != "json" and not options.forget_vanished:
        for name in report.vanished[:_SHOWN]:
            complain(f"{name}: not there any more; its rows are kept (--forget-vanished removes them)")
        if len(report.vanished) > _SHOWN:
            complain(f"{len(report.vanished) - _SHOWN} more logs are not there any more")
    _print_report(report, options.format)
    if report.failures and not report.found:
        return NOTHING
    return LOST if report.failures or report.damaged else DONE


def _print_report(report: Report, form: str) -> None:
    counts = {name: value for name, value in report._items() if isinstance(value, int)}
    counts["vanished"] = len(report.vanished)
    if form == "json":
        failures = [{"log": name, "message": reason} for name, reason in report.failures]
        lists = {"vanished": list(report.vanished), "failures": failures}
        _print_json(counts | lists)
    elif form == "csv":
        _print_csv([tuple(counts), tuple(counts.values())])
    else:
        _print_table([(name, str(value)) for name, value in counts.items() if value or name == "found"])


def _compact(options: argparse.Namespace) -> int:
    from darrow.lake import Lake

    lake = Lake(options.directory)
    before = lake.info()
    lake.compact(wait=options.wait)
    after = lake.info()
    _print_table([("files", f"{before.files} -> {after.files}"), ("bytes", f"{before.bytes:,} -> {after.bytes:,}")])
    return DONE


def _info(options: argparse.Namespace) -> int:
    from darrow.lake import Lake

    info = Lake(options.directory).info()
    rows = [(table.name, table.rows, table.files, table.bytes) for table in info.tables]
    if options.format == "json":
        counts = {name: value for name, value in info._items() if name != "tables"}
        tables = {name: {"rows": count, "files": files, "bytes": size} for name, count, files, size in rows}
        _print_json(counts | {"tables": tables})
    elif options.format == "csv":
        _print_csv([("table", "rows", "files", "bytes"), *rows])
    else:
        _print_info(info, rows)
    return DONE


def _print_info(info: LakeInfo, rows: Sequence[tuple[str, int, int, int]]) -> None:
    names = ("logs", "ok", "damaged", "duplicates", "failed", "vanished")
    _print_table([(name, f"{getattr(info, name):,}") for name in names])
    print()
    numbers = [(name, *(f"{value:,}" for value in values)) for name, *values in rows]
    _print_table([("table", "rows", "files", "bytes"), *numbers, ("all", "", f"{info.files:,}", f"{info.bytes:,}")])


def _print_table(rows: Sequence[Sequence[str]]) -> None:
    """The first column on the left, numbers on the right."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        cells = [first.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))]
        print("  ".join(cells).rstrip())


def _print_csv(rows: Sequence[Sequence[object]]) -> None:
    csv.writer(sys.stdout, lineterminator="\n").writerows(rows)


def _print_json(value: object) -> None:
    print(json.dumps(value, indent=2, ensure_ascii=False))


if __name__ == "__main__":
    raise SystemExit(main())
