# writes gamma-slope.inc: a, y, (dP(a, y)/da) / (y^a e^-y / gamma(a)), by mpmath with 60 digits
import mpmath as mp
mp.mp.dps = 60
for a in ("0.001", "0.08", "0.5", "1", "1.5", "4", "17.25", "40", "59"):
    for y in ("0.000001", "0.3", "1.9", "2.1", "5", "16", "38", "59"):
        x, v = mp.mpf(float(a)), mp.mpf(float(y))
        d, c, s, n = mp.log(v) - mp.digamma(x + 1), 1 / x, mp.mpf(0), 0
        while n < 400:  # sum of y^n / (a ... (a + n)) (log y - psi(a + n + 1)): all digits that cancel are there
            s += c * d
            n += 1
            c *= v / (x + n)
            d -= 1 / (x + n)
        print("{%s, %s, %s}," % (a, y, mp.nstr(s, 20)))
