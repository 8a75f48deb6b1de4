"""Who holds which tensor: nobody the intermediates, the graph its leaves until it closes."""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Iterator
from typing import Any, NoReturn


class _Place(weakref.ref[Any]):
    """A weak reference that knows the place that its tensor stands at, and where in memory it lay."""

    __slots__ = ("address", "uid")

    address: int
    uid: int


class ReferenceManager:
    """Weak references to intermediate tensors, strong ones to leaves until `close`.

    It serves one graph. Recording an intermediate never keeps it alive; a leaf that was used stays, so that its
    gradient has somewhere to go. gone: the departures that nobody has looked at yet.

    >>> refs = ReferenceManager()
    >>> x = Tensor(1.0)
    >>> refs.hold(7, x)
    >>> refs.tensor(7) is x
    True
    >>> del x
    >>> refs.tensor(7) is None, list(refs.departed())
    (True, [7])
    """

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a ReferenceManager refers to living tensors, so it cannot be pickled or copied: make a new one"
        )

    def __init__(self) -> None:
        self.gone: deque[_Place] = deque()  # filled inside destructors, in any thread, which so do nothing but append
        self._departs = self.gone.append
        self._weak: dict[int, _Place] = {}
        self._strong: dict[int, Any] = {}
        self._newest: dict[int, int] = {}  # address → uid; an address may be used again, so identity is checked
        self._beside: dict[int, _Place] = {}  # address → the place of another tensor that this one shows a part of
        self._taken = False

    def take(self) -> None:
        """Called by the one graph that these references are for. Raises ValueError when there is one already."""
        if self._taken:
            raise ValueError("this ReferenceManager serves another graph: give every graph one of its own")
        self._taken = True

    def hold(self, uid: int, tensor: Any, *, strong: bool = False) -> None:
        """Remembers the tensor at place `uid`: weakly, or until `close`."""
        address = id(tensor)
        if strong:
            self._strong[uid] = tensor
        else:  # `_place` written out: every operation that is recorded comes by
            place = self._weak[uid] = _Place(tensor, self._departs)
            place.uid = uid
            place.address = address
        self._newest[address] = uid

    def loosen(self, uid: int) -> None:
        """From now on the leaf at this place lives as long as somebody else holds it.

        >>> refs, x = ReferenceManager(), Tensor(1.0)
        >>> refs.hold(7, x, strong=True)
        >>> refs.loosen(7)
        >>> del x
        >>> refs.tensor(7) is None
        True
        """
        tensor = self._strong.pop(uid, None)
        if tensor is not None:
            self._weak[uid] = self._place(uid, tensor)

    def stand_beside(self, uid: int, tensor: Any) -> None:
        """Says that this tensor is known at `uid` too: a view of the one there, which was changed through it.

        >>> refs, base, view = ReferenceManager(), Tensor(1.0), Tensor(1.0)
        >>> refs.hold(7, base)
        >>> refs.stand_beside(7, view)
        >>> refs.uid_of(view), refs.tensor(7) is base
        (7, True)
        """
        self._newest.pop(id(tensor), None)
        self._beside[id(tensor)] = self._place(uid, tensor)

    def _place(self, uid: int, tensor: Any) -> _Place:
        place = _Place(tensor, self._departs)
        place.uid = uid
        place.address = id(tensor)
        return place

    def tensor(self, uid: int) -> Any:
        """The tensor at this place, or None when it is gone."""
        found = self._strong.get(uid)
        place = self._weak.get(uid) if found is None else None
        return found if place is None else place()

    def uid_of(self, tensor: Any) -> int | None:
        """The newest place that this very object was remembered at, or None."""
        uid = self._newest.get(id(tensor))
        if uid is not None and self.tensor(uid) is tensor:
            return uid
        place = self._beside.get(id(tensor))
        return place.uid if place is not None and place() is tensor else None

    def is_leaf(self, uid: int) -> bool:
        """True for a place that is held until the graph closes."""
        return uid in self._strong

    @property
    def held(self) -> tuple[int, ...]:
        """The places of the tensors that are held."""
        return tuple(self._strong)

    @property
    def leaves(self) -> tuple[Any, ...]:
        """The tensors that are held."""
        return tuple(self._strong.values())

    def departed(self) -> Iterator[int]:
        """The uids of the tensors that have gone since the last call; their entries are forgotten."""
        while self.gone:
            place = self.gone.popleft()
            if self._weak.get(place.uid) is place:
                del self._weak[place.uid]
            if self._newest.get(place.address) == place.uid:
                del self._newest[place.address]
            if self._beside.get(place.address) is place:
                del self._beside[place.address]
            yield place.uid

    def close(self) -> None:
        """Lets go of everything. A second time changes nothing."""
        self._strong.clear()
        self._weak.clear()
        self._newest.clear()
        self._beside.clear()
        self.gone.clear()

    def __len__(self) -> int:
        """How many tensors are alive."""
        return len(self._strong) + sum(place() is not None for place in self._weak.values())

    def __repr__(self) -> str:
        return f"ReferenceManager({len(self._strong)} leaves held, {len(self) - len(self._strong)} others alive)"
