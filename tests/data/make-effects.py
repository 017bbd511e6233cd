# make-effects.py - effects by their definitions, sample after sample, in NumPy:
#   python3 make-effects.py > effects.inc
# NumPy 2; the formulas are those of SoX 14.4.2
import numpy as np

def numbers(v):
    return "{" + ", ".join("%.15g" % x for x in np.ravel(v)) + "}"

def array(name, v):
    print("static const double effects_%s[] = %s;" % (name, numbers(v)))

print("/* made by make-effects.py: effects sample after sample */")
rng = np.random.default_rng(5)
n, rate = 240, 4000
x = 0.6 * np.sin(2 * np.pi * 220 * np.arange(n) / rate) + 0.3 * rng.uniform(-1, 1, n)
noise = rng.standard_normal(n)
print("enum { EFFECTS_N = %d, EFFECTS_RATE = %d };" % (n, rate))
array("x", x)
array("noise", noise)

array("contrast", np.sin(x * np.pi / 2 + 75 / 750 * np.sin(x * 2 * np.pi)))

def overdrive(x, gain, colour):
    t = x * 10 ** (gain / 20) + colour / 200
    y, last_in, last_out = np.zeros_like(x), 0.0, 0.0
    for i, v in enumerate(t):
        v = -2 / 3 if v < -1 else 2 / 3 if v > 1 else v - v ** 3 / 3
        last_out = v - last_in + 0.995 * last_out
        last_in = v
        y[i] = np.clip(0.5 * x[i] + 0.75 * last_out, -1, 1)
    return y

array("overdrive", overdrive(x, 12, 30))

def dcshift(x, shift, limit):
    y = np.clip(x + shift, -1, 1)
    if limit:
        edge = 1 - (abs(shift) - limit)
        for i, v in enumerate(x):
            if shift > 0 and v > edge:
                y[i] = min((v - edge) * limit / (1 - edge) + edge + shift, edge)
            if shift < 0 and v < -edge:
                y[i] = max((v + edge) * limit / (1 - edge) - edge + shift, -edge)
    return y

array("dcshift", dcshift(x, 0.5, 0.05))
array("dcshift_down", dcshift(x, -0.6, 0.02))
array("dcshift_hard", dcshift(x, -0.4, 0))

def wave(n, lo, hi, phase, triangle):
    k = np.arange(n)
    p = (k + int(phase / np.pi / 2 * n + 0.5)) % n
    if triangle:
        d = p * 2 / n
        q = 4 * p // n
        d = np.where(q == 0, d + 0.5, np.where(q < 3, 1.5 - d, d - 1.5))
    else:
        d = (np.sin(p / n * 2 * np.pi) + 1) / 2
    return d * (hi - lo) + lo

def phaser(x, gain_in, gain_out, delay, decay, speed, triangle):
    size = int(delay * 0.001 * rate + 0.5)
    table = (wave(int(rate / speed + 0.5), 1, size, np.pi / 2, triangle) + 0.5).astype(int)
    ring, at, y = np.zeros(size), 0, np.zeros_like(x)
    for i, v in enumerate(x):
        v = v * gain_in + ring[(at + table[i % len(table)]) % size] * decay
        at = (at + 1) % size
        ring[at] = v
        y[i] = v
    return np.clip(y * gain_out, -1, 1)

array("phaser", phaser(x, 0.4, 0.74, 3, 0.4, 0.5, False))
array("phaser_b", phaser(x, 0.7, 1.5, 5, -0.8, 40, True))

def flanger(x, delay, depth, width, speed, phase, triangle):
    width, least = width / 100, np.floor(delay * 0.001 * rate + 0.5)
    size = int((delay + depth) * 0.001 * rate + 0.5) + 2
    period = int(rate / speed)
    lfo = wave(period, least, size - 2, 3 * np.pi / 2, triangle)
    y = np.zeros_like(x)
    for c in range(len(x)):
        for i in range(x.shape[1]):
            d = lfo[(i + int(c * period * phase / 100 + 0.5)) % period]
            k = int(d)
            get = lambda j: x[c, j] if j >= 0 else 0.0
            late = get(i - k) + (get(i - k - 1) - get(i - k)) * (d - k)
            y[c, i] = x[c, i] / (1 + width) + late * width / (1 + width)
    return np.clip(y, -1, 1)

two = np.stack([x, noise / 3])
array("flanger", flanger(two, 0, 2, 71, 0.5, 25, False))
array("flanger_b", flanger(two, 3, 6, 90, 30, 40, True))

energy = lambda v: np.sum(v ** 2)
scale = np.sqrt(energy(x) / energy(noise)) * 10 ** (-7 / 20)
array("noisy", x + scale * noise)

def resample(x, a, b, zeros, rolloff, beta):
    """each output alone: the sum over all samples of the windowed sinc at its time"""
    g = np.gcd(a, b)
    a, b = a // g, b // g
    edge = min(a, b) * rolloff
    out = np.zeros(-(-len(x) * b // a))
    for i in range(len(out)):
        t = (np.arange(len(x)) / a - i / b) * edge
        u = t / zeros
        inside = np.abs(u) < 1
        u = np.where(inside, u, 0)
        w = np.i0(beta * np.sqrt(1 - u * u)) / np.i0(beta) if beta else np.cos(np.pi * u / 2) ** 2
        out[i] = np.sum(x * np.sinc(t) * w * inside) * edge / a
    return out

array("resample_up", resample(x, 4000, 6000, 6, 0.99, 0))
array("resample_down", resample(x, 4000, 2500, 16, 0.9475937167399596, 14.769656459379492))
array("speed", resample(x, 1100, 1000, 6, 0.99, 0))

def sliding(x, window, centred, least, variance):
    n = x.shape[-1]
    y = np.zeros_like(x)
    for t in range(n):
        a, b = (t - window // 2, t - window // 2 + window) if centred else (t - window, t + 1)
        if a < 0:
            a, b = 0, b - a
        if not centred and b > t:
            b = max(t + 1, least)
        if b > n:
            a, b = max(a - (b - n), 0), n
        part = x[:, a:b]
        y[:, t] = x[:, t] - part.mean(-1)
        if variance:
            y[:, t] = y[:, t] / part.std(-1) if b - a > 1 else 0
    return y

s = rng.standard_normal((2, 30)) + 5
array("bands", s)
array("sliding_mean", sliding(s, 7, True, 0, False))
array("sliding_all", sliding(s, 8, True, 0, True))
array("sliding_past", sliding(s, 9, False, 4, True))
