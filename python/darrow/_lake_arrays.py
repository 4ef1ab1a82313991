"""Arrow arrays of numpy's and of bytes, and back, by their buffers.

array(), scalar() and to_numpy() of pyarrow import pandas if there is one: longer than an update that finds nothing new.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
import pyarrow.compute as pc  # type: ignore[import-untyped, unused-ignore]

Numbers = np.ndarray[Any, Any]


def of_bytes(values: Sequence[bytes]) -> Any:
    """An array of large_binary."""
    offsets = np.zeros(len(values) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, values), np.int64, len(values)), out=offsets[1:])
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(b"".join(values))]
    return pa.Array.from_buffers(pa.large_binary(), len(values), buffers)


def of_texts(values: Sequence[str]) -> Any:
    """An array of string."""
    return of_bytes([value.encode() for value in values]).cast(pa.binary()).cast(pa.string())


def of_numbers(values: Numbers) -> Any:
    """An array of integers or floats, on the same memory if that is contiguous."""
    kind = pa.from_numpy_dtype(values.dtype)
    return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(np.ascontiguousarray(values))])


def of_bools(values: Any) -> Any:
    """An array of bool."""
    return pa.Array.from_buffers(pa.bool_(), len(values), [None, pa.py_buffer(np.packbits(values, bitorder="little"))])


def filled(column: Any, value: int) -> Any:
    """A column of 64-bit integers without its nulls."""
    return pc.coalesce(column, of_numbers(np.array([value]))[0])


def numbers(column: Any, kind: str) -> Numbers:
    """A column without nulls as numbers that may be changed."""
    return np.frombuffer(fixed(column), kind)


def fixed(column: Any) -> bytearray:
    """A copy of the bytes of a column of fixed width without nulls."""
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    width = column.type.byte_width
    return bytearray().join(
        memoryview(c.buffers()[1])[c.offset * width : (c.offset + len(c)) * width] for c in chunks if len(c)
    )
