"""List columns, unfolded to a row for each element."""

from __future__ import annotations

from darrow._extras import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def unfold(lists: Any, caller: str) -> tuple[Any, Any, Any]:
    """Row, number within the row, and value of each element of a pyarrow.ListArray."""
    arrow, compute = load("pyarrow", caller), load("pyarrow.compute", caller)
    rows = compute.list_parent_indices(lists)
    values = compute.list_flatten(lists)
    position = compute.subtract(compute.cumulative_sum(arrow.repeat(arrow.scalar(1, arrow.int64()), len(rows))), 1)
    first = compute.subtract(lists.offsets.take(rows), lists.offsets[0])
    return rows, compute.subtract(position, first), values
