"""How the layers of a job lie on each other, file by file."""

from __future__ import annotations

from darrow import _core
from darrow._extras import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

    from darrow.log import Log

    Bytes = tuple[int | None, int | None]  # read, written

# Each layer with those that it may go through, the nearest first.
_LAYERS = {"H5D": ("MPI-IO", "POSIX"), "PNETCDF_VAR": ("MPI-IO", "POSIX"), "MPI-IO": ("POSIX",), "POSIX": ()}
_WAYS = ("read", "written")


def layers(log: Log) -> pa.Table:
    """What each layer moved of each file, and how much of it the layer below shows too; `Log.layers()`."""
    arrow = load("pyarrow", "layers()")
    moved = {
        module.name: _bytes_of_files(log, module)
        for module in _core.modules()
        if module.name in _LAYERS and module.name in log
    }
    rows = []
    for name, lower in _LAYERS.items():
        if not lower:
            continue
        for file, own in moved.get(name, {}).items():
            below = next((layer for layer in lower if file in moved.get(layer, {})), None)
            row = {"id": file, "name": log.names.get(file), "layer": name, "below": below}
            beneath = moved[below][file] if below else (None, None)
            for way, here, there in zip(_WAYS, own, beneath, strict=True):
                row |= _overlap(way, here, there)
            rows.append(row)
    numbers = [f"{part}_{way}" for way in _WAYS for part in ("bytes", "below", "through", "only_above", "only_below")]
    text, count = arrow.string(), arrow.int64()
    fields = [("id", arrow.uint64()), ("name", text), ("layer", text), ("below", text), *((n, count) for n in numbers)]
    return arrow.Table.from_pylist(rows, schema=arrow.schema(fields))


def _bytes_of_files(log: Log, module: _core.Module) -> dict[int, Bytes]:
    """Bytes read and written of each file; 0 is the id of no file."""
    table = log[module.name].aggregate(module.file)
    columns = [module.file, *(module.roles[f"bytes_{way}"][0] for way in _WAYS)]
    files = zip(*map(table.column, columns), strict=True)
    return {file: (r, w) for file, r, w in files if file}


def _overlap(way: str, here: int | None, there: int | None) -> dict[str, int | None]:
    both = None if here is None or there is None else min(here, there)
    return {
        f"bytes_{way}": here,
        f"below_{way}": there,
        f"through_{way}": both,
        f"only_above_{way}": None if both is None or here is None else here - both,
        f"only_below_{way}": None if both is None or there is None else there - both,
    }
