"""The rules of a module's counters, for other engines: what `rules()` gives."""

from __future__ import annotations

from darrow import _core
from darrow._aggregate import aggregation_errors
from darrow._value import Value
from darrow.errors import AggregationError
from darrow.table import Held, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    import pandas as pd
    import polars as pl


class Rule(Value):
    """How one counter combines over records.

    Attributes
    ----------
    counter : str
        The column.
    type : str
        Its Arrow type: "int64", "uint64", "double", "string", "list<int64>".
    rule : str
        "sum", "max", "min", "start", "end", "flag", "same", "with_max", "fastest", "slowest", "variance", "top",
        "none".
    unit : str
        "bytes", "seconds", "calls", ... or "".
    meaning : str
        One line.
    decomposable : bool
        Whether a function over the columns in `needs` gives what `aggregate()` does.
    needs : list of str
        The columns that the rule looks at. Of the longest call and its size, the size needs both, the time first.
    instead : str or None
        If it is not decomposable: why, and what to do.
    """

    counter: str
    type: str
    rule: str
    unit: str
    meaning: str
    decomposable: bool
    needs: list[str]
    instead: str | None

    @property
    def bounds(self) -> tuple[float | None, float | None]:
        """The least and the largest number that is a value; others are taken as missing. None: there is no bound."""
        if self.unit == "id":
            return None, None
        return 0, _core.longest_time if self.type == "double" else None


class Rules(Table):
    """How the counters of a module combine: a table, and expressions for Polars, SQL and pandas.

    A table of a row for each counter, with the attributes of `Rule` as columns: `pyarrow.table(rules)`,
    `polars.DataFrame(rules)`. `rules["POSIX_READS"]` is one `Rule`.

    The expressions give what `aggregate()` gives (sums of times up to rounding) for every counter that is decomposable.
    The others are left out; who asks for one by name is told why.
    """

    __slots__ = ("_rules",)

    def __init__(self, table: _core.Table) -> None:
        super().__init__(Held(table))
        self._rules = {row["counter"]: Rule(**row) for row in self.to_pylist()}

    def __getitem__(self, counter: str) -> Rule:
        try:
            return self._rules[counter]
        except KeyError:
            raise KeyError(f"{self.name} has no counter {counter}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._rules)

    def __contains__(self, counter: object) -> bool:
        return counter in self._rules

    def __repr__(self) -> str:
        rows = [("counter", "rule", "unit", "in other engines")]
        rows += [(r.counter, r.rule, r.unit, r.instead or "yes") for r in self._rules.values()]
        widths = [max(len(row[i]) for row in rows) for i in range(3)]
        lines = ("  ".join([*(row[i].ljust(widths[i]) for i in range(3)), row[3]]) for row in rows)
        return "\n".join([f"<darrow.Rules {self.name}: {len(self.decomposable)} of {len(self)} decomposable>", *lines])

    @property
    def decomposable(self) -> list[str]:
        """The counters that other engines can combine."""
        return [rule.counter for rule in self._rules.values() if rule.decomposable]

    @property
    def not_decomposable(self) -> dict[str, str]:
        """The others: for each of them why not, and what to do."""
        return {rule.counter: rule.instead for rule in self._rules.values() if rule.instead}

    def polars(self, *counters: str) -> list[pl.Expr]:
        """Expressions for `select()` and `group_by().agg()` of data frames and lazy frames. Needs polars.

        Parameters
        ----------
        *counters : str
            Only these; all that are decomposable unless given.

        Returns
        -------
        list of polars.Expr
            One for each counter, called as the counter is. Sums of counts are int64, and null if they do not fit.

        Raises
        ------
        KeyError
            There is no such counter.
        AggregationError
            It is not decomposable.
        """
        from darrow._rules_polars import expression

        return [expression(rule, self._lead(rule)).alias(rule.counter) for rule in self._chosen(counters)]

    def sql(self, *counters: str) -> str:
        """A select list for DuckDB: `f"select id, {rules.sql()} from t group by id"`.

        Of longest calls that took equally long, DuckDB may take any; `aggregate()` takes the first.

        Parameters
        ----------
        *counters : str
            Only these; all that are decomposable unless given.

        Returns
        -------
        str
            An expression for each counter, called as the counter is. Sums of counts are bigint, and null if they do not
            fit.

        Raises
        ------
        KeyError
            There is no such counter.
        AggregationError
            It is not decomposable.
        """
        from darrow._rules_sql import expression

        chosen = self._chosen(counters)
        return ",\n".join(f"{expression(rule, self._lead(rule))} as {rule.counter}" for rule in chosen)

    def pandas(
        self, *counters: str, frame: pd.DataFrame | None = None
    ) -> dict[str, tuple[str, Callable[[pd.Series[Any]], Any]]]:
        """Named aggregations: `df.groupby("id").agg(**rules.pandas(frame=df))`. Needs pandas.

        The functions are plain Python: exact (sums of times too), but slow where there are many rows.

        Parameters
        ----------
        *counters : str
            Only these; all that are decomposable unless given.
        frame : pandas.DataFrame, optional
            The frame that is grouped, whose index must be unique. Functions of pandas see one column, and the size of
            the longest call takes two: without the frame it is left out.

        Returns
        -------
        dict of str to (str, function)
            For each counter the column and what becomes of its values in a group. Sums of counts that do not fit 64
            bits are NA.

        Raises
        ------
        KeyError
            There is no such counter, or the frame lacks a column.
        AggregationError
            It is not decomposable, or takes the frame.
        ValueError
            The index of the frame is not unique.
        """
        from darrow._rules_pandas import function

        if frame is not None and not frame.index.is_unique:
            raise ValueError("the index of the frame is not unique: reset_index() makes it so")
        chosen = self._chosen(counters)
        if frame is None:
            followers = [rule.counter for rule in chosen if self._lead(rule) is not rule]
            if followers and counters:
                raise AggregationError(f"{followers[0]} takes two columns: pandas({followers[0]!r}, frame=...)")
            chosen = [rule for rule in chosen if rule.counter not in followers]
        return {rule.counter: (rule.counter, function(rule, self._lead(rule), frame)) for rule in chosen}

    def _chosen(self, counters: tuple[str, ...]) -> list[Rule]:
        rules = [self[counter] for counter in counters or self.decomposable]
        for rule in rules:
            if rule.instead:
                raise AggregationError(f"{rule.counter} is not decomposable ({rule.rule}): {rule.instead}")
        return rules

    def _lead(self, rule: Rule) -> Rule:
        """The rule of the counter that decides: its own, but for the size of the longest call."""
        return self[rule.needs[0]]


def rules(module: str) -> Rules:
    """How the counters of a module combine, for engines that aggregate themselves.

    Parameters
    ----------
    module : str
        As `log[module]` takes it: "POSIX", "MPI-IO".

    Returns
    -------
    Rules
        A table, with expressions: `.polars()`, `.sql()`, `.pandas()`.

    Raises
    ------
    KeyError
        There is no such module; the message names those that there are.
    AggregationError
        Its records do not combine (LUSTRE, DXT, HEATMAP, APMPI, APXC).
    """
    with aggregation_errors():
        table = _core.rule_dictionary(module)
    if table is None:
        known = ", ".join(_combining())
        raise KeyError(f"no module is called {module!r}; records combine in: {known}")
    return Rules(table)


def rules_of_columns(columns: Iterable[str]) -> dict[str, Rule]:
    """The rules of those columns that are counters of a module whose records combine."""
    all_rules = {rule.counter: rule for module in _combining() for rule in rules(module)._rules.values()}
    return {column: all_rules[column] for column in columns if column in all_rules}


def _combining() -> list[str]:
    return [module.name for module in _core.modules() if module.combines]
