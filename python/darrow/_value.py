"""A base for small immutable objects (importing dataclasses would take longer than all of this package)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**_options):
        return lambda cls: cls


@dataclass_transform(frozen_default=True)
class Value:
    """Like a frozen dataclass: the annotations of a class are its fields, and the parameters of its constructor.

    Equal if all public fields are equal, hashable, picklable. Private fields are not compared, shown or pickled.
    """

    _names: tuple[str, ...]

    def __init_subclass__(cls) -> None:
        cls._names = tuple(cls.__annotations__)

    def __init__(self, *values: object, **named: object) -> None:
        names = self._names
        fields = dict(zip(names, values, strict=False)) | named
        missing = [name for name in names if name not in fields and not hasattr(type(self), name)]
        if missing or len(values) > len(names) or not fields.keys() <= set(names):
            raise TypeError(f"{type(self).__name__} takes {', '.join(names)}")
        self.__dict__.update(fields)

    def _items(self) -> list[tuple[str, object]]:
        return [(name, getattr(self, name)) for name in self._names if name[0] != "_"]

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} objects do not change")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} objects do not change")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Value) and type(other) is type(self) and other._items() == self._items()

    def __hash__(self) -> int:
        return hash(repr(self))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._items())})"

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), tuple(value for _, value in self._items())
