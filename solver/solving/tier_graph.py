"""The positions of a tier and the moves between them, as arrays; needs the extra `fast`."""

from __future__ import annotations

import numpy as np

from solver.loops import compiled
from solver.value import OPEN

LIMIT = 1 << 14  # as in solver.value
WORST = -LIMIT - 1  # below every score
WAY_BITS = 3  # the lowest bits of a move: the index of a symmetry; above: a position's number
WAY_MASK = (1 << WAY_BITS) - 1
GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2**64 over the golden ratio
LEAST = 1 << 10  # keys that it has room for at first


class KeyNumbers:
    """Numbers keys from 0 in order of arrival: a hash table with open addressing."""

    def __init__(self, keys: np.ndarray) -> None:
        """Number these keys, which are distinct."""
        self.count = 0
        self._keys = np.empty(0, np.int64)
        self._slots = np.empty(0, np.int32)
        self.number(keys)

    @property
    def keys(self) -> np.ndarray:
        """The keys in the order of their numbers."""
        return self._keys[: self.count]

    @property
    def nbytes(self) -> int:
        """How many bytes this takes."""
        return self._keys.nbytes + self._slots.nbytes

    def number(self, keys: np.ndarray) -> np.ndarray:
        """Return the numbers of keys, new keys included."""
        self._make_room(self.count + len(keys))
        numbers = np.empty(len(keys), np.int32)
        self.count = _number(keys, self._slots, self._keys, self.count, numbers)
        return numbers

    def _make_room(self, count: int) -> None:
        """Make room for `count` keys, so that at least half of the slots stay empty."""
        if count > len(self._keys):
            size = max(LEAST, 1 << (count - 1).bit_length())
            keys, self._keys = self.keys, np.empty(size, np.int64)
            self._keys[: self.count] = keys
            self._slots = np.full(2 * size, -1, np.int32)
            _fill(keys, self._slots)


@compiled
def _slot(key, slots, keys):  # type: ignore[no-untyped-def]
    """Return the slot with the number of a key, or the empty slot where it belongs."""
    last = len(slots) - 1
    slot = np.int64((np.uint64(key) * GOLDEN) >> np.uint64(33)) & last
    while slots[slot] >= 0 and keys[slots[slot]] != key:
        slot = (slot + 1) & last
    return slot


@compiled
def _fill(keys, slots):  # type: ignore[no-untyped-def]
    """Put the numbers of distinct keys into empty slots."""
    for number in range(len(keys)):
        slots[_slot(keys[number], slots, keys)] = number


@compiled
def _number(wanted, slots, keys, count, numbers):  # type: ignore[no-untyped-def]
    """Fill in the numbers of keys; return how many keys are known then."""
    for i in range(len(wanted)):
        key = wanted[i]
        slot = _slot(key, slots, keys)
        if slots[slot] < 0:
            slots[slot] = count
            keys[count] = key
            count += 1
        numbers[i] = slots[slot]
    return count


def flatten(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the numbers in all rows that are not negative, and how many each row has."""
    flat, counts = np.empty(rows.size, rows.dtype), np.empty(len(rows), np.int32)
    return flat[: _flatten(rows, flat, counts)], counts


@compiled
def _flatten(rows, flat, counts):  # type: ignore[no-untyped-def]
    """Fill in what `flatten` returns; return how many numbers that is."""
    stop = 0
    for row in range(len(rows)):
        start = stop
        for number in rows[row]:
            flat[stop] = number
            stop += number >= 0
        counts[row] = stop - start
    return stop


@compiled
def renumber(moves, numbers):  # type: ignore[no-untyped-def]
    """Replace each move by the number of the position that it leads to."""
    for i in range(len(moves)):
        moves[i] = numbers[moves[i] >> WAY_BITS]


@compiled
def match(wanted, keys, values, images, done, scores):  # type: ignore[no-untyped-def]
    """Fill in the values of wanted keys, those after the first `done`, in their order.

    The lowest bits, one for each of the `images`, are not compared. Returns how many are done.
    """
    for i in range(len(keys)):
        if done < len(wanted) and (keys[i] ^ wanted[done]) >> images == 0:
            scores[done] = values[i]
            done += 1
    return done


@compiled
def propagate_images(order, counts, moves, after, reached):  # type: ignore[no-untyped-def]
    """Propagate along the moves of a tier which images of each position can be reached.

    `order` has the numbers of the tier's positions, `counts` how many moves each has, and `moves`
    all moves in a row: the number of a canonical child, and the symmetry that maps the child to it.
    `reached` has a bit per image; `after[symmetry, images]` are the images that a move leads to.
    """
    done = np.zeros(len(order), reached.dtype)  # the images already propagated
    waiting = True
    while waiting:  # sweep in breadth-first order, in which most moves lead forward
        waiting = False
        start = stop = 0
        for i in range(len(order)):
            start, stop = stop, stop + counts[i]
            images = reached[order[i]]
            if images == done[i]:
                continue
            done[i] = images
            for move in moves[start:stop]:
                child, spread = move >> WAY_BITS, after[move & WAY_MASK, images]
                if spread & ~reached[child]:
                    reached[child] |= spread
                    waiting = True


@compiled
def gather(outcomes, counts, children, size, later, best, inside):  # type: ignore[no-untyped-def]
    """Fill in what later tiers decide: `best`, and how many moves of each position stay `inside`.

    `children` has the numbers of all children in a row, `counts` how many each position has.
    Numbers below `size` belong to the tier, the others to `later`, which has their scores. Moves
    each child in the tier to the front of `children`; returns how many there are.
    """
    start = kept = 0
    for i in range(len(outcomes)):
        best[i] = WORST if outcomes[i] == OPEN else outcomes[i] * LIMIT
        inside[i] = 0
        for child in children[start : start + counts[i]]:
            if child < size:
                children[kept] = child
                kept += 1
                inside[i] += 1
            else:
                score = np.int64(later[child - size])
                best[i] = max(best[i], np.sign(score) - score)
        start += counts[i]
    return kept


@compiled
def _parents(inside, children, parents, ends):  # type: ignore[no-untyped-def]
    """Fill in the parents of all positions in a row, and where those of each position end.

    The first of the `ends`, all 0 before, is that before the first position's.
    """
    for child in children:
        ends[child + 2] += 1
    for p in range(2, len(ends)):
        ends[p] += ends[p - 1]
    start = 0
    for p in range(len(inside)):
        for child in children[start : start + inside[p]]:
            parents[ends[child + 1]] = p
            ends[child + 1] += 1
        start += inside[p]


@compiled
def _queue(best, inside, first, following):  # type: ignore[no-untyped-def]
    """Queue the positions that later tiers alone decide; return how many there are."""
    queued = 0
    for p in range(len(best)):
        if best[p] > 0 or (best[p] < 0 and not inside[p]):
            plies = LIMIT - abs(best[p])
            following[p], first[plies] = first[plies], p
            queued += 1
    return queued


def settle(best: np.ndarray, inside: np.ndarray, children: np.ndarray) -> np.ndarray:
    """Return the scores of a tier's positions, given what `gather` found for them all.

    A position that never settles is a draw.
    """
    size = len(best)
    parents, ends = np.empty(len(children), np.int32), np.zeros(size + 2, np.int64)
    _parents(inside, children, parents, ends)
    first = np.full(LIMIT + 1, -1, np.int32)  # of the positions that may settle at a distance,
    following, settled, soon = np.empty((3, size), np.int32)  # and the one after each
    scores = np.zeros(size, np.int16)
    _settle(best, inside, (parents, ends), (first, following), settled, soon, scores)
    return scores


@compiled
def _settle(best, inside, before, queue, settled, soon, scores):  # type: ignore[no-untyped-def]
    """Fill in the scores.

    Wins and losses settle in order of distance, so the first score that settles a position is its
    best.
    """
    (parents, ends), (first, following) = before, queue
    queued = _queue(best, inside, first, following)
    count = plies = 0
    while queued or count:
        p = first[plies]
        while p >= 0:
            if not scores[p]:
                scores[p] = best[p]
                settled[count] = p
                count += 1
            queued -= 1
            p = following[p]
        plies += 1
        more = 0
        for child in settled[:count]:
            value = np.sign(scores[child]) - scores[child]
            if value == 0:
                continue  # too far from the end to go on: the caller checks for this
            for p in parents[ends[child] : ends[child + 1]]:
                if scores[p]:
                    continue
                inside[p] -= 1
                best[p] = max(best[p], value)
                if value > 0 or (not inside[p] and best[p] == value):
                    scores[p] = value
                    soon[more] = p
                    more += 1
                elif not inside[p] and best[p] < 0:  # another move holds out longer
                    later = LIMIT + best[p]
                    following[p], first[later] = first[later], p
                    queued += 1
        settled, soon, count = soon, settled, more
