"""Rules as expressions of Polars."""

from __future__ import annotations

from darrow._extras import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    import polars as pl

    from darrow._rules import Rule


def expression(rule: Rule, lead: Rule) -> pl.Expr:
    """What a counter comes to. `lead`: the rule of the counter that decides, maybe the same."""
    polars = load("polars", "polars()")

    def is_value(rule: Rule) -> pl.Expr:
        column: pl.Expr = polars.col(rule.counter)
        least, most = rule.bounds
        if most is not None:
            return column.is_between(least, most)  # NaN is not
        return column.is_not_null() if least is None else column >= least

    column = polars.col(rule.counter)
    values: pl.Expr = column.filter(is_value(rule))
    result: pl.Expr
    match rule.rule:
        case "sum" if rule.type == "double":
            result = polars.when(values.len() > 0).then(values.sum())
        case "sum":
            total = values.cast(polars.Int128).sum().cast(polars.Int64, strict=False)
            result = polars.when(values.len() > 0).then(total)
        case "min" | "start":
            above_0 = values.filter(values > 0)
            result = polars.coalesce(above_0.min(), values.min())
        case "flag":
            result = values.clip(0, 1).max()
        case "same":
            result = polars.when(values.min() == values.max()).then(values.min())
        case "with_max" if lead is not rule:
            leads = polars.col(lead.counter)
            is_largest = leads == leads.filter(is_value(lead)).max()
            result = polars.when(is_value(rule)).then(column).filter(is_largest).first()
        case _:  # max, end, with_max itself
            result = values.max()
    return result
