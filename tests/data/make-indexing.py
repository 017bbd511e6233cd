#! /usr/bin/env python3
"""Answers of NumPy (2 or later) to random indices, one number of 32 bits for each case, for
tests/t-indexing.c, which draws the same cases from the same numbers.

    python3 make-indexing.py > indexing.bin      all cases
    python3 make-indexing.py N                   case N in words
"""
import struct
import sys

import numpy as np

CASES = 120000
MASK = (1 << 64) - 1
OMITTED = None


class Draw:
    """splitmix64 (Steele et al. 2014)"""

    def __init__(self, case):
        self.s = (case * 0xD1342543DE82EF95 + 1) & MASK

    def __call__(self, n):
        self.s = (self.s + 0x9E3779B97F4A7C15) & MASK
        z = self.s
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return (z ^ (z >> 31)) % n


def an_int(draw, size, odd):
    if draw(odd) == 0:
        return draw(2 * size + 2) - size - 1
    return draw(2 * size) - size if size else 0


def a_bound(draw, size):
    return OMITTED if draw(3) == 0 else draw(2 * size + 5) - size - 2


def a_step(draw):
    if draw(3) == 0:
        return OMITTED
    step = draw(9) - 4
    return step if step or draw(8) == 0 else 1


def a_part(draw, full):
    """a shape that mostly broadcasts to full"""
    part = []
    for size in full[draw(len(full) + 1):]:
        part.append(1 if draw(3) == 0 else size)
        if draw(40) == 0:
            part[-1] += 1
    return part


def an_array(draw, size, common):
    shape = a_part(draw, common)
    values = [an_int(draw, size, 60) for _ in range(int(np.prod(shape)))]
    return np.array(values, np.int64).reshape(shape).astype([np.int64, np.int32, np.int16][draw(3)])


def a_mask(draw, sizes, common):
    shape = [s + (draw(24) == 0) for s in sizes]
    count, n = draw(2), int(np.prod(shape))
    if count: # as many as the other arrays have
        values = [i < common[1] for i in range(n)]
    else:
        values = [draw(2) == 1 for _ in range(n)]
    return np.array(values, bool).reshape(shape)


def an_index(draw, shape):
    common = [(1, 2, 2, 3, 3, 0)[draw(6)] for _ in range(2)]
    ndim, axis, dots, entries = len(shape), 0, False, []
    for _ in range(draw(ndim + 3)):
        kind, left = draw(16), ndim - axis
        if kind == 7 and (not dots or draw(8) == 0):
            entries.append(Ellipsis)
            axis = ndim - draw(left + 1) if left > 0 else axis
            dots = True
        elif kind in (8, 9) or (left <= 0 and draw(12)):
            entries.append(None)
        elif kind == 15:
            entries.append(np.array(draw(4) != 0))
        else:
            size = shape[axis] if left > 0 else 3
            taken = 1
            if kind < 3:
                entries.append(an_int(draw, size, 12))
            elif kind < 8:
                start, stop = a_bound(draw, size), a_bound(draw, size)
                entries.append(slice(start, stop, a_step(draw)))
            elif kind < 13:
                entries.append(an_array(draw, size, common))
            else:
                taken = 1 + draw(2) if left > 1 else 1
                sizes = list(shape[axis:axis + taken]) if left > 0 else [size]
                entries.append(a_mask(draw, sizes, common))
            axis += taken
    return tuple(entries)


def a_case(number):
    draw = Draw(number)
    shape = tuple((0, 1, 1)[k] if k < 3 else 2 + k % 4 for k in (draw(12) for _ in range(draw(5))))
    return draw, shape, an_index(draw, shape), draw(3)


def values_for(draw, like):
    shape = a_part(draw, like)
    if draw(20) == 0:
        shape = [1] * (len(like) + 1 - len(shape)) + shape
    n = int(np.prod(shape))
    return -1 - np.arange(n, dtype=np.int64).reshape(shape)


def taken_by(entry):
    if entry is None or entry is Ellipsis:
        return 0
    return entry.ndim if isinstance(entry, np.ndarray) and entry.dtype == bool else 1


def overlooked(shape, index):
    """NumPy lets a mask axis of size 0 meet an axis of any size; we refuse it"""
    rest, axis = len(shape) - sum(map(taken_by, index)), 0
    for e in index:
        if taken_by(e) and isinstance(e, np.ndarray) and e.dtype == bool:
            if e.shape != shape[axis:axis + e.ndim]:
                return True
        axis += rest if e is Ellipsis else taken_by(e)
    return False


def answer(number):
    """the result, or the words of the error"""
    draw, shape, index, how = a_case(number)
    x = np.arange(int(np.prod(shape)), dtype=np.int64).reshape(shape)
    try:
        y = x[index]
        if overlooked(shape, index):
            raise IndexError('a mask of size 0 on an axis that is longer')
        if how == 0:
            return y
        v = values_for(draw, y.shape)
        x = x.copy()
        # some forms of index take surplus leading axes of 1, some do not: ours all do
        while v.ndim > y.ndim and v.shape[0] == 1:
            v = v[0]
        v = np.broadcast_to(v, y.shape)
        if how == 1:
            x[index] = v
        else:
            np.add.at(x, index, v)
        return x
    except (IndexError, ValueError) as e:
        return '%s: %s' % (type(e).__name__, e)


def mix(z):
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def digest(y):
    """32 bits of shape and elements; 0 for an error"""
    if isinstance(y, str):
        return 0
    with np.errstate(over='ignore'):
        words = np.array([y.ndim, *y.shape], np.int64).view(np.uint64)
        words = np.concatenate([words, np.ascontiguousarray(y).ravel().view(np.uint64)])
        places = np.arange(1, len(words) + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        h = mix(words + places).sum(dtype=np.uint64)
    return int(h) >> 32 or 1


def main():
    assert np.lib.NumpyVersion(np.__version__) >= '2.0.0'
    if len(sys.argv) > 1:
        number = int(sys.argv[1])
        _, shape, index, how = a_case(number)
        print('x', list(shape), ('read', 'put', 'add')[how])
        for e in index:
            print('   ', repr(e))
        print(repr(answer(number)), hex(digest(answer(number))))
        return
    sys.stdout.buffer.write(struct.pack('<I', CASES))
    for number in range(CASES):
        sys.stdout.buffer.write(struct.pack('<I', digest(answer(number))))


if __name__ == '__main__':
    main()
