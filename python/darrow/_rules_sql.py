"""Rules as expressions of SQL, as DuckDB has it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from darrow._rules import Rule


def expression(rule: Rule, lead: Rule) -> str:
    """What a counter comes to. `lead`: the rule of the counter that decides, maybe the same."""
    column = rule.counter
    is_value = _is_value(rule)

    def over_values(function: str) -> str:
        return f"{function}({column}) filter (where {is_value})" if is_value else f"{function}({column})"

    least, largest = over_values("min"), over_values("max")
    match rule.rule:
        case "sum" if rule.type == "double":
            return over_values("fsum")
        case "sum":
            return f"try_cast({over_values('sum')} as bigint)"
        case "min" | "start":
            return f"coalesce(min(nullif({column}, 0)) filter (where {is_value}), {least})"
        case "flag":
            return f"max(({column} > 0)::bigint) filter (where {is_value})"
        case "same":
            return f"case when {least} = {largest} then {least} end"
        case "with_max" if lead is not rule:
            value = f"case when {is_value} then {column} end"
            return f"arg_max_null({value}, {lead.counter}) filter (where {_is_value(lead)})"
        case _:  # max, end, with_max itself
            return largest


def _is_value(rule: Rule) -> str:
    """A condition; empty for ids, which are all values."""
    least, most = rule.bounds
    if most is not None:
        return f"{rule.counter} between {least} and {most:g}"  # NaN is not
    return "" if least is None else f"{rule.counter} >= {least}"
