"""Where the bytes of a Lustre file lie."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any


class Layout:
    """The layout of a file, from the components of a LUSTRE record."""

    __slots__ = ("_components", "_known", "_plain")

    def __init__(self, components: Iterable[dict[str, Any]]) -> None:
        self._components = [
            (
                c["ext_start"],
                float("inf") if c["ext_end"] == -1 else c["ext_end"],
                c["stripe_size"] or 0,
                c["stripe_count"],
                c["osts"],
            )
            for c in components
        ]
        # Stripe size and count of the common layout of one component.
        start, end, size, count, _ = self._components[0] if len(self._components) == 1 else (0, 0, 0, 0, [])
        self._plain = (size, count) if start == 0 and end == float("inf") and size > 0 and count > 0 else None
        self._known: dict[tuple[tuple[int, int, int], ...], list[int]] = {}

    def osts(self, offset: int, length: int) -> list[int]:
        """The OSTs that hold the bytes from `offset` on, in order, each once."""
        if self._plain and offset >= 0 and length > 0:
            size, count = self._plain
            first = offset // size
            stripes: tuple[tuple[int, int, int], ...]
            stripes = ((0, first % count, min((offset + length - 1) // size - first + 1, count)),)
        else:
            stripes = tuple(self._stripes(offset, offset + length))
        osts = self._known.get(stripes)
        if osts is None:
            osts = self._known[stripes] = list(dict.fromkeys(self._targets(stripes)))
        return osts

    def _targets(self, stripes: Iterable[tuple[int, int, int]]) -> Iterator[int]:
        for component, first, number in stripes:
            *_, count, targets = self._components[component]
            # How far behind the first one each OST comes. A damaged log may have fewer of them than stripes.
            behind = sorted(((i - first) % count, ost) for i, ost in enumerate(targets[:count]))
            yield from (ost for distance, ost in behind if distance < number)

    def _stripes(self, at: int, end: int) -> Iterator[tuple[int, int, int]]:
        """Component, first stripe and number of stripes of each part of at <= byte < end that lies on OSTs."""
        while at < end:
            number = next((i for i, c in enumerate(self._components) if c[0] <= at < c[1]), None)
            if number is None:
                at = min((c[0] for c in self._components if c[0] > at), default=end)
                continue
            _, component_end, size, count, _ = self._components[number]
            stop = min(end, component_end)
            if size > 0 and count > 0:
                first = at // size
                yield number, first % count, min((int(stop) - 1) // size - first + 1, count)
            at = int(stop)
