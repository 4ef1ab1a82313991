"""`df.darrow`: aggregation where the dataframe is at hand."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from darrow._aggregate import Aggregate, By


class Accessor:
    """What Darrow does with a dataframe: `df.darrow`."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def aggregate(self, by: By = None, *, module: str | None = None, nprocs: int | None = None) -> Aggregate:
        """`darrow.aggregate()` of this frame."""
        from darrow._aggregate import aggregate

        return aggregate(self._frame, by, module=module, nprocs=nprocs)


_registered: set[str] = set()


def register() -> None:
    """Adds `df.darrow` to the dataframes of pandas and Polars, as far as these are imported."""
    if "pandas" not in _registered and (pandas := sys.modules.get("pandas")) and hasattr(pandas, "DataFrame"):
        _registered.add("pandas")
        pandas.api.extensions.register_dataframe_accessor("darrow")(Accessor)
    if "polars" not in _registered and (polars := sys.modules.get("polars")) and hasattr(polars, "DataFrame"):
        _registered.add("polars")
        polars.api.register_dataframe_namespace("darrow")(Accessor)
