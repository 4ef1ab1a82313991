"""The name table of a log."""

from __future__ import annotations

from collections.abc import Mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from darrow import _core


class Names(Mapping[int, str]):
    """Names by record id, in the order of the file. Decoded when asked for.

    Bytes that are not UTF-8 stand as surrogates, as in `os.fsdecode`; `bytes()` gives them as stored.
    Stays usable when the log is closed.
    """

    __slots__ = ("_core",)

    def __init__(self, core: _core.Names) -> None:
        self._core = core

    def _position(self, id: object) -> int:
        if isinstance(id, int) or hasattr(id, "__index__"):
            number = id.__index__()
            if 0 <= number < 2**64:
                position = self._core.find(number)
                if position >= 0:
                    return position
        raise KeyError(id)

    def __getitem__(self, id: int) -> str:
        return self._core.text(self._position(id))

    def bytes(self, id: int) -> bytes:
        """The name as stored. KeyError if the log has none for this id."""
        return self._core.bytes(self._position(id))

    def __contains__(self, id: object) -> bool:
        try:
            self._position(id)
        except KeyError:
            return False
        return True

    def __iter__(self) -> Iterator[int]:
        return map(self._core.id, range(len(self._core)))

    def __len__(self) -> int:
        return len(self._core)

    def __repr__(self) -> str:
        return f"<darrow.Names: {len(self)} names>"
