"""Views over the tables, so that queries need not add up what does not add up."""

from __future__ import annotations

from darrow import _core
from darrow._rules import rules
from darrow._value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from darrow._rules import Rule, Rules

_TYPES = {"int64": "bigint", "uint64": "ubigint", "double": "double", "string": "varchar", "list<int64>": "bigint[]"}
# What stands before the counters of a view, with its meaning.
_JOB = [("log", "log", "path of the log"), ("jobid", "jobid", "job id")]
_FILE = [
    ("id", "id", "record id"),
    ("name", "any_value(name)", "name of the file or object"),
    ("mount", "any_value(mount)", "mount point"),
    ("fs_type", "any_value(fs_type)", "file system type"),
    (
        "rank",
        "case when min(rank) = max(rank) then min(rank) else -1 end",
        "the rank, if all records are of one; −1: several or all",
    ),
    ("records", "count(*)", "records of the file"),
    ("ranks", "count(distinct rank) filter (where rank >= 0)", "ranks that have a record of their own"),
]
_LOG = [
    ("records", "count(*)", "records of the log"),
    ("files", "count(distinct id)", "distinct record ids"),
    ("ranks", "count(distinct rank) filter (where rank >= 0)", "ranks that have a record of their own"),
]
# What of files adds up over modules, as their tables call the roles of counters.
_MOVED = [
    ("bytes_read", "bytes", "bytes read"),
    ("bytes_written", "bytes", "bytes written"),
    ("read_time", "seconds", "time in read calls, summed over ranks"),
    ("write_time", "seconds", "time in write calls, summed over ranks"),
    ("meta_time", "seconds", "time in metadata calls, summed over ranks"),
]


class ViewColumn(Value):
    """A column of a view. `rule`: how records were combined."""

    name: str
    expression: str
    unit: str
    meaning: str
    rule: str


class View(Value):
    """A view: the tables and views that it stands on, what a row is, its columns, and what comes after them."""

    name: str
    needs: tuple[str, ...]
    meaning: str
    columns: tuple[ViewColumn, ...]
    rows: str
    by: str

    @property
    def sql(self) -> str:
        """The statement that makes it."""
        columns = ",\n".join(f"{column.expression} as {quoted(column.name)}" for column in self.columns)
        return f"create temp view {quoted(self.name)} as select {columns}\nfrom {self.rows} {self.by}"


def quoted(name: str) -> str:
    """A name as SQL takes any."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Text as SQL takes any."""
    return "'" + text.replace("'", "''") + "'"


def views() -> list[View]:
    """All views, in an order in which they can be made."""
    all_views = [_traces()]
    modules = [module for module in _core.modules() if module.combines]
    for module in sorted(modules, key=lambda module: module.example):
        of = rules(module.name)
        all_views += [_combined(module.sql_name, of, True), _combined(module.sql_name, of, False)]
    all_views.append(_bottom([module for module in modules if module.bottom]))
    return all_views


def _combined(table: str, of: Rules, by_file: bool) -> View:
    """A row for each file of a log, or for each log: every counter by its own rule."""
    columns = [ViewColumn(name, sql, "", meaning, "") for name, sql, meaning in [*_JOB, *(_FILE if by_file else _LOG)]]
    columns += [_counter(of, of[name]) for name in of]
    by = "group by log, jobid, id" if by_file else "group by log, jobid"
    what = "a file (an id)" if by_file else "the whole"
    meaning = f"a row for {what} of a log: the records of {table} together, each counter by its rule"
    return View(f"{table}_{'files' if by_file else 'jobs'}", (table,), meaning, tuple(columns), quoted(table), by)


def _counter(of: Rules, rule: Rule) -> ViewColumn:
    if rule.decomposable:
        expression = of.sql(rule.counter).removesuffix(f" as {rule.counter}")
        return ViewColumn(rule.counter, expression, rule.unit, rule.meaning, rule.rule)
    nothing = f"null::{_TYPES[rule.type]}"
    return ViewColumn(rule.counter, nothing, rule.unit, f"always null: {rule.instead}", rule.rule)


def _traces() -> View:
    """The segments of both layers."""
    rows = (
        "(select 'POSIX' as api, * from dxt_posix union all by name select 'MPIIO' as api, * from dxt_mpiio) as layers"
    )
    columns = tuple(
        ViewColumn(name, quoted(name), "", "the layer: POSIX or MPIIO" if name == "api" else "", "")
        for name in ("api", *_trace_columns())
    )
    return View("dxt", ("dxt_posix", "dxt_mpiio"), "a row for each segment of both traces", columns, rows, "")


def _trace_columns() -> list[str]:
    names: list[str] = _core.scan_schema("dxt_posix", []).columns
    return names


def _bottom(modules: list[_core.Module]) -> View:
    """The files of modules through which data leaves the program; what is above or below them would count twice."""
    needs = tuple(f"{module.sql_name}_files" for module in modules)
    parts = []
    for module, files in zip(modules, needs, strict=True):
        moved = ", ".join(f"{' + '.join(module.roles.get(role, ['null']))} as {role}" for role, _, _ in _MOVED)
        parts.append(f"select log, jobid, id, name, mount, fs_type, records, {moved} from {files}")
    columns = [ViewColumn(name, sql, "", meaning, "") for name, sql, meaning in [*_JOB, *_FILE[:4]]]
    columns.append(ViewColumn("records", "sum(records)::bigint", "", "records of the file", ""))
    for name, unit, meaning in _MOVED:
        add = f"fsum({name})" if unit == "seconds" else f"try_cast(sum({name}) as bigint)"
        columns.append(ViewColumn(name, add, unit, meaning, "sum"))
    rows = "(" + " union all ".join(parts) + ") as moved"
    *others, last = (module.name for module in modules)
    meaning = f"a row for each file of a log, {', '.join(others)} and {last} together: every byte once"
    return View("files", needs, meaning, tuple(columns), rows, "group by log, jobid, id")
