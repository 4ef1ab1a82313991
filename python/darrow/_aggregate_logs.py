"""Many logs added up: counters of one module, or metrics of all, by groups."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from darrow import _core
from darrow._aggregate import Aggregate, aggregation_errors, grouping_of, problems_of
from darrow.errors import DarrowError
from darrow.table import Held, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from darrow._aggregate import By
    from darrow.dataset import Dataset
    from darrow.info import Problem
    from darrow.scanned import ScannedTable
