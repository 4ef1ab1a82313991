"""Rules as functions over a column of pandas."""

from __future__ import annotations

from math import fsum, inf

from darrow._extras import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import pandas as pd

    from darrow._rules import Rule

MOST = 2**63 - 1


def function(rule: Rule, lead: Rule, frame: pd.DataFrame | None) -> Callable[[pd.Series[Any]], Any]:
    """What becomes of a counter's values in a group. `lead`: the rule of the counter that decides, maybe the same."""
    missing = load("pandas", "pandas()").NA

    def is_value(rule: Rule) -> Callable[[Any], bool]:
        least, most = (-inf if rule.bounds[0] is None else rule.bounds[0]), rule.bounds[1] or inf
        return lambda value: value is not None and value is not missing and least <= value <= most

    def combine(column: pd.Series[Any]) -> Any:
        values = list(filter(is_own, column.tolist()))
        result = combined(rule, values) if values else None
        return missing if result is None else result

    def follow(column: pd.Series[Any]) -> Any:
        leads = all_leads.loc[column.index].tolist()
        pairs = [pair for pair in zip(leads, column.tolist(), strict=True) if is_lead(pair[0])]
        result = max(pairs, key=lambda pair: pair[0])[1] if pairs else None
        return result if is_own(result) else missing

    is_own, is_lead = is_value(rule), is_value(lead)
    if lead is rule or frame is None:
        return combine
    all_leads = frame[lead.counter]
    return follow


def combined(rule: Rule, values: list[Any]) -> Any:
    """Values, at least one, as one; None if there is none."""
    match rule.rule:
        case "sum" if rule.type == "double":
            return fsum(values)
        case "sum":
            total = sum(values)
            return total if total <= MOST else None
        case "min" | "start":
            return min((value for value in values if value > 0), default=0)
        case "flag":
            return int(max(values) > 0)
        case "same":
            return values[0] if len(set(values)) == 1 else None
        case _:  # max, end, with_max
            return max(values)
