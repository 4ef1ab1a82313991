"""darrow lake: many logs as a Parquet data set that is kept up to date."""

from __future__ import annotations

import csv
import json
import sys

from darrow._commands._common import DONE, LOST, NOTHING, USAGE, Failed, Parser, Progress, complain, run
from darrow.errors import DarrowError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from darrow._lake_update import Report
    from darrow.lake import LakeInfo

_FORMATS = ("table", "csv", "json")
_SHOWN = 10  # names of vanished logs


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


class _ActionParser(Parser):
    """Options of one action; argparse names it itself."""

    def __init__(self, command: str, about: str, examples: Sequence[tuple[str, str]], prog: str = "") -> None:
        super().__init__(command, about, examples)


def _parser() -> Parser:
    parser = Parser(
        "lake",
        "Keep many logs as one data set of Parquet files.",
        [
            ("darrow lake update lake /logs/2026", "take what is new below a directory"),
            ("darrow lake info lake", "what is in it"),
            ('darrow sql "select count(*) from jobs" --lake lake', "ask it"),
        ],
    )
    actions = parser.add_subparsers(
        dest="action", parser_class=_ActionParser, required=True, metavar="{update,compact,info}"
    )
    update = _action(
        actions,
        "update",
        "Take logs that are new or changed. Unchanged ones are not opened, equal ones are taken once;\n"
        "what cannot be read is told and kept in the table failures. An update may be interrupted at\n"
        "any time: the next one goes on.",
        [
            ("darrow lake update lake /logs/2026", "all *.darshan below a directory"),
            ("darrow lake update lake 'logs/*/1*.darshan' @more.txt", "patterns, lists of logs"),
            ("darrow lake update lake /logs --forget-vanished", "drop those whose files were removed"),
        ],
    )
    update.add_argument("paths", metavar="PATH", nargs="+", help="log, directory, pattern, or @FILE with one a line")
    update.add_argument(
        "--threads", type=_count, metavar="N", help="logs that are read at a time (default: processors)"
    )
    update.add_argument("--retry", action="store_true", help="read logs again that could not be read, though unchanged")
    update.add_argument(
        "--forget-vanished",
        action="store_true",
        help="remove logs that are not there any more (default: keep their rows)",
    )
    update.add_argument("--format", choices=_FORMATS, default="table", help="of the report (default: table)")
    compact = _action(
        actions,
        "compact",
        "Merge small files, so that each table has few of about 256 MB.",
        [("darrow lake compact lake", "after many small updates")],
    )
    for one in (update, compact):
        one.add_argument("--wait", action="store_true", help="wait if another update is running (default: give up)")
    info = _action(
        actions,
        "info",
        "What is in a lake: logs, tables, rows, files, bytes.",
        [("darrow lake info lake --format json", "for programs")],
    )
    info.add_argument("--format", choices=_FORMATS, default="table", help="default: table")
    return parser


def _action(
    actions: argparse._SubParsersAction[_ActionParser], name: str, about: str, examples: Sequence[tuple[str, str]]
) -> Parser:
    parser = actions.add_parser(name, command=f"lake {name}", about=about, examples=examples)
    parser.add_argument("directory", metavar="DIR", help="the lake")
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
