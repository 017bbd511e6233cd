"""Write sobol.inc: python3 sobol.py PATH_OF_SCIPY_STATS/_sobol_direction_numbers.npz > sobol.inc

The data are the direction numbers new-joe-kuo-6.21201 of S. Joe and F. Y. Kuo, as SciPy packs
them: a primitive polynomial over GF(2), its bits with both ends, and m_1, ..., m_s of its degree
s for each dimension.
"""
import sys
import textwrap

import numpy

DIMENSIONS = 1024

table = numpy.load(sys.argv[1])
numbers = []
for j in range(1, DIMENSIONS):
    poly = int(table["poly"][j])
    degree = poly.bit_length() - 1
    m = [int(v) for v in table["vinit"][j][:degree]]
    assert all(v % 2 == 1 and v < 2 << k for k, v in enumerate(m))
    numbers += [poly] + m
print(f"""/* sobol.inc - written by sobol.py: dimensions 2 to {DIMENSIONS}, for each a primitive polynomial, its
   bits with both ends, and as many direction integers as it has degrees. From the file
   new-joe-kuo-6.21201, Copyright (c) 2008 Frances Y. Kuo and Stephen Joe, who permit use and
   redistribution with or without modification under the terms of the BSD licence; see S. Joe &
   F. Y. Kuo, "Constructing Sobol sequences with better two-dimensional projections", SIAM J. Sci.
   Comput. 30 (2008) 2635-2654. */
/* clang-format off */
enum {{ SOBOL_DIMENSIONS = {DIMENSIONS} }};
AGNI_TABLE const uint16_t sobol_table[{len(numbers)}] = {{""")
print("\n".join(textwrap.wrap(", ".join(map(str, numbers)), 96, initial_indent="    ",
                              subsequent_indent="    ")))
print("};")
