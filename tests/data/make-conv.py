#!/usr/bin/env python3
"""Answers of PyTorch for tests/t-conv.c, in whole numbers, which are exact.

    python3 make-conv.py >conv.inc

Element i of the images is (7 i + 3) % 11 - 5, of the filters (5 i + 2) % 9 - 4. Each line: whether
transposed, axes, groups, shapes of images, filters and result, stride, zeros before and behind,
dilation, extra pixels, the values.
"""
import numpy as np
import torch
import torch.nn.functional as F


def filled(shape, a, b, m, k):
    i = np.arange(int(np.prod(shape)), dtype=np.int64)
    return torch.from_numpy(((a * i + b) % m - k).reshape(shape).astype(np.float64))


def braces(v):
    return "{" + ", ".join(str(int(x)) for x in v) + "}"


def case(x, w, stride=1, pad=0, dilation=1, groups=1, transpose=False, extra=0):
    d = len(x) - 2
    every = lambda v: [v] * d if isinstance(v, int) else list(v)
    stride, pad, dilation, extra = every(stride), every(pad), every(dilation), every(extra)
    a, b = filled(x, 7, 3, 11, 5), filled(w, 5, 2, 9, 4)
    f = getattr(F, "conv%s%dd" % ("_transpose" if transpose else "", d))
    more = {"output_padding": extra} if transpose else {}
    y = f(a, b, None, stride, pad, dilation=dilation, groups=groups, **more)
    parts = [str(int(transpose)), str(d), str(groups)]
    parts += [braces(v) for v in (x, w, y.shape, stride, pad, dilation, extra)]
    parts.append("(const double[])" + braces(y.numpy().ravel()))
    line = ""
    for word in ("{" + ", ".join(parts) + "},").split(" "):
        if len(line) + len(word) + 1 > 88:
            print(line)
            line = "   "
        line += (" " if line else "") + word
    print(line)


print("/* conv.inc - made by make-conv.py with PyTorch %s; do not edit */"
      % torch.__version__.split("+")[0])
case((1, 1, 5), (1, 1, 3))
case((2, 3, 7), (4, 3, 3), 2, 1)
case((1, 2, 9), (2, 1, 3), 1, 2, 2, 2)
case((2, 4, 6), (6, 2, 2), 3, 1, 1, 2)
case((2, 3, 5, 6), (2, 3, 3, 3), 1, 1)
case((1, 2, 7, 5), (3, 2, 3, 2), (2, 1), (0, 1), (1, 2))
case((1, 4, 4, 5), (4, 1, 2, 3), 2, 1, 1, 4)
case((1, 1, 6, 6), (2, 1, 1, 1), 2)
case((1, 2, 3, 4, 3), (2, 2, 2, 2, 2), 1, 1)
case((1, 2, 5, 4, 6), (2, 1, 3, 1, 2), (2, 1, 3), (1, 0, 2), (1, 2, 2), 2)
case((1, 2, 4), (2, 3, 3), transpose=True)
case((2, 4, 5), (4, 2, 3), 3, 1, 2, 2, True, 1)
case((1, 2, 3, 4), (2, 3, 3, 2), 2, 1, transpose=True, extra=1)
case((1, 4, 3, 2), (4, 1, 2, 3), (1, 2), (0, 1), (2, 1), 4, True)
case((1, 1, 2, 2, 3), (1, 2, 2, 2, 2), 2, 0, transpose=True)
