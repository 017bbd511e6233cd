# make-speech.py - Kaldi's features, beamformers, rooms and searches by their definitions in NumPy:
#   python3 make-speech.py > speech.inc
# NumPy 2, SciPy 1.17
import itertools
import numpy as np
from scipy.linalg import sqrtm

def numbers(v):
    return "{" + ", ".join("%.15g" % x for x in np.ravel(v)) + "}"

def array(name, v, kind="double"):
    print("static const %s speech_%s[] = %s;" % (kind, name, numbers(v)))

def pairs(v):
    return np.stack([v.real, v.imag], -1)

print("/* made by make-speech.py: definitions in NumPy */")
rng = np.random.default_rng(8)
rate, n = 8000, 1000
x = 1000 * (np.sin(2 * np.pi * 700 * np.arange(n) / rate) + 0.2 * rng.uniform(-1, 1, n)) + 50
print("enum { SPEECH_N = %d, SPEECH_RATE = %d };" % (n, rate))
array("x", x)

def fbank(x, length=25, hop=10, pre=0.97, low=20, high=0, window="povey", bands=23, all_frames=False, exact=False,
          keep_mean=False, power=True, log=True):
    size, step = int(rate * length * 0.001), int(rate * hop * 0.001)
    padded = size if exact else 1 << (size - 1).bit_length()
    if not all_frames:
        count, start = 1 + (len(x) - size) // step, 0
    else:
        count, start = (len(x) + step // 2) // step, step // 2 - size // 2
    mirror = lambda i: -1 - i if i < 0 else 2 * len(x) - 1 - i if i >= len(x) else i
    t = np.arange(size) / (size - 1) * 2 * np.pi
    w = {"povey": (0.5 - 0.5 * np.cos(t)) ** 0.85, "hamming": 0.54 - 0.46 * np.cos(t),
         "blackman": 0.42 - 0.5 * np.cos(t) + 0.08 * np.cos(2 * t), "hanning": 0.5 - 0.5 * np.cos(t),
         "rectangular": np.ones(size)}[window]
    high = high if high > 0 else rate / 2 + high
    mel = lambda f: 1127 * np.log(1 + f / 700)
    edges = np.linspace(mel(low), mel(high), bands + 2)
    out = np.zeros((count, bands))
    for k in range(count):
        f = np.array([x[mirror(start + k * step + i)] for i in range(size)])
        if not keep_mean:
            f = f - f.mean()
        f = f - pre * np.concatenate([f[:1], f[:-1]])
        s = np.abs(np.fft.rfft(f * w, padded))
        s = s ** 2 if power else s
        for b in range(bands):
            for j in range(padded // 2):
                m = mel(j * rate / padded)
                out[k, b] += s[j] * max(0, min((m - edges[b]) / (edges[b + 1] - edges[b]),
                                               (edges[b + 2] - m) / (edges[b + 2] - edges[b + 1])))
    return np.log(np.maximum(out, np.finfo(np.float32).eps)) if log else out

array("fbank", fbank(x))
array("fbank_all", fbank(x, 20, 13, 0, 100, -500, "hamming", 8, True, True, True, False, False))
array("fbank_late", fbank(x, 5, 30, 0.9, window="blackman", bands=4, all_frames=True))
c = fbank(x)
bands, count, lifter = 23, 13, 22
dct = np.sqrt(2 / bands) * np.cos(np.pi / bands * (np.arange(bands)[:, None] + 0.5) * np.arange(count))
dct[:, 0] = np.sqrt(1 / bands)
array("mfcc", (c @ dct) * (1 + lifter / 2 * np.sin(np.pi * np.arange(count) / lifter)))

# labels: all paths, one by one
frames, classes = 6, 3
e = np.log(rng.dirichlet(np.ones(classes), frames))
array("emission", e)

def collapse(path):
    return tuple(k for k, _ in itertools.groupby(path) if k != 0)

total, best = {}, {}
for path in itertools.product(range(classes), repeat=frames):
    s = sum(e[t, k] for t, k in enumerate(path))
    key = collapse(path)
    total[key] = np.logaddexp(total.get(key, -np.inf), s)
    if s > best.get(key, (-np.inf,))[0]:
        best[key] = (s, path)
top = max(total, key=total.get)
array("top", top, "int")
print("static const double speech_top_score = %.15g;" % total[top])
labels = (1, 2, 2)
array("labels", labels, "int")
array("path", best[labels][1], "int")
print("static const double speech_path_score = %.15g;" % best[labels][0])

# beamformers
ch, bins, times = 3, 2, 7
X = rng.standard_normal((ch, bins, times)) + 1j * rng.standard_normal((ch, bins, times))
mask = rng.uniform(0, 1, (bins, times))
array("channels", pairs(X))
array("mask", mask)
S = np.stack([sum(mask[f, t] * np.outer(X[:, f, t], X[:, f, t].conj()) for t in range(times)) / mask[f].sum() for f in range(bins)])
N = np.stack([sum(np.outer(X[:, f, t], X[:, f, t].conj()) for t in range(times)) for f in range(bins)])
array("powers", pairs(S))
array("noise_powers", pairs(N))
load = lambda m: m + 1e-3 * np.trace(m) * np.eye(ch)
w = np.zeros((bins, ch), complex)
r = np.zeros((bins, ch), complex)
p = np.zeros((bins, ch), complex)
for f in range(bins):
    phi = np.linalg.inv(load(N[f])) @ S[f]
    w[f] = phi[:, 1] / np.trace(phi)
    h = S[f] @ phi @ phi[:, 1]
    p[f] = h
    g = np.linalg.inv(load(N[f])) @ X[:, f, 0]
    r[f] = g / (X[:, f, 0].conj() @ g).real * X[2, f, 0].conj()
array("mvdr", pairs(w))
array("steered", pairs(r))
array("transfer", pairs(p))
array("beam", pairs(np.einsum("fc,cft->ft", w.conj(), X)))

# a room, images one by one
room, source, mics = np.array([3.0, 4.0, 2.5]), np.array([1.0, 1.2, 0.8]), np.array([[2.0, 2.5, 1.1], [0.4, 3.0, 2.0]])
absorb = np.array([0.3, 0.4, 0.1, 0.2, 0.5, 0.6])
length = 160
rir = np.zeros((2, length))
for m, mic in enumerate(mics):
    for at in itertools.product(range(-3, 4), repeat=3):
        if sum(map(abs, at)) > 3:
            continue
        place, power = np.zeros(3), 1.0
        for d in range(3):
            # reflect at the far wall, then at the near one, ... or the other way round
            q, lo, hi = source[d], 0, 0
            for k in range(abs(at[d])):
                far = (k % 2 == 0) == (at[d] > 0)
                q = 2 * room[d] - q if far else -q
                lo, hi = lo + (not far), hi + far
            place[d] = q
            power *= np.sqrt(1 - absorb[2 * d]) ** lo * np.sqrt(1 - absorb[2 * d + 1]) ** hi
        far = np.linalg.norm(place - mic)
        t = np.arange(length) - far * 8000 / 343
        rir[m] += np.where(np.abs(t) <= 40, np.sinc(t) * (0.5 + 0.5 * np.cos(np.pi * t / 40)), 0) * power / far
array("room", rir)

# the distance of two normal laws
A = np.cov(rng.standard_normal((3, 9)))
B = np.cov(rng.standard_normal((3, 9)))
m1, m2 = rng.standard_normal(3), rng.standard_normal(3)
array("cov_a", A)
array("cov_b", B)
array("mean_a", m1)
array("mean_b", m2)
print("static const double speech_frechet = %.15g;" % (np.sum((m1 - m2) ** 2) + np.trace(A + B - 2 * sqrtm(A @ B).real)))
