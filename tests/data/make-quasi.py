"""Write quasi.inc: points of SciPy's plain Sobol and Halton sequences.

python3 make-quasi.py > quasi.inc
"""
import numpy
from scipy.stats import qmc

DIMENSIONS = [0, 1, 2, 3, 10, 100, 500, 777, 1022, 1023]
FAR = 123456789

print("/* Written by make-quasi.py: SciPy", __import__("scipy").__version__, "*/")
print("/* clang-format off */")
print("static const int sobol_dims[] = {%s};" % ", ".join(map(str, DIMENSIONS)))
sobol = qmc.Sobol(1024, scramble=False)
near = sobol.random(64)[:, DIMENSIONS]
sobol.reset()
sobol.fast_forward(FAR)
far = sobol.random(2)[:, DIMENSIONS]
halton = qmc.Halton(8, scramble=False).random(200)


def table(name, rows, x):
    print("static const struct {\n    int64_t number;\n    double x[%d];\n} %s[] = {"
          % (x.shape[1], name))
    for number, row in zip(rows, x):
        print("    {%d, {%s}}," % (number, ", ".join(float(v).hex() for v in row)))
    print("};")


picked = [0, 1, 5, 17, 40, 63]
table("sobol_points", picked + [FAR, FAR + 1], numpy.vstack([near[picked], far]))
picked = [0, 1, 7, 100, 199]
table("halton_points", picked, halton[picked])
