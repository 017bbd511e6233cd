# make-likeness.py - what librosa and NumPy say of semitones, Mellin transforms, harmonics, tuning, pulses of onsets and
# likenesses of frames:
#   python3 make-likeness.py > likeness.inc
# librosa 0.11.0, SciPy 1.17.1, NumPy 2
import warnings

import numpy as np
import librosa
from scipy import ndimage, signal

warnings.filterwarnings("ignore")


def numbers(name, v):
    v = np.asarray(v)
    v = np.stack([v.real, v.imag], -1) if np.iscomplexobj(v) else v
    print("static const double likeness_%s[] = {%s};" % (name, ", ".join(repr(float(x)) for x in np.ravel(v))))


print("/* made by make-likeness.py: numbers of librosa, SciPy and NumPy */")
rng = np.random.default_rng(25)

# a chord and a sweep, short; frames of 2048 in steps of 3000
t = np.arange(9000) / 22050
x = np.sin(2 * np.pi * 220 * t) + 0.5 * np.sin(2 * np.pi * (600 * t + 900 * t * t)) + 0.1 * np.sin(2 * np.pi * 5000 * t)
numbers("semitones", librosa.iirt(x, sr=22050, win_length=2048, hop_length=3000, res_type="polyphase"))
numbers("semitones_high", librosa.iirt(x, sr=44100, win_length=4410, hop_length=4000, tuning=0.3, res_type="polyphase"))

m = rng.standard_normal((2, 23))
numbers("scaled", m)
numbers("mellin", librosa.fmt(m, t_min=0.5))
numbers("mellin_few", librosa.fmt(m, t_min=2.5, n_fmt=17, beta=0.3))
numbers("mellin_4", librosa.fmt(m[:, :4], t_min=0.5))

S = rng.uniform(0, 1, (12, 3))
f = np.cumsum(rng.uniform(0.5, 2, 12))
numbers("spectrum", S)
numbers("frequencies", f)
h = [0.5, 1, 2, 3.3]
numbers("harmonics", np.moveaxis(librosa.interp_harmonics(S, freqs=f, harmonics=h), 0, 0))

p = np.where(rng.uniform(0, 1, 60) < 0.3, 0, 440 * 2 ** (rng.integers(-20, 20, 60) / 12 + 0.17 / 12
                                                      + 0.02 * rng.standard_normal(60)))
g = rng.uniform(0, 1, 60)
numbers("peaks", p)
numbers("sizes", g)
for name, kw in (("tuning", dict(resolution=0.01)), ("tuning_coarse", dict(resolution=0.07)),
                 ("tuning_24", dict(resolution=0.01, bins_per_octave=24))):
    mask = p > 0
    numbers(name, [librosa.pitch_tuning(p[(g >= np.median(g[mask])) & mask], **kw)])

o = np.maximum(rng.standard_normal(70), 0) * 0.2
o[4::9] += 1
numbers("onsets", o)
ft = librosa.feature.fourier_tempogram(onset_envelope=o, win_length=32)
numbers("tempogram", ft)


def pulse(o, rate, window, low, high):
    # librosa.beat.plp, but for its largest of complex numbers, which is by their real parts
    z = librosa.stft(o, n_fft=window, hop_length=1, pad_mode="constant")
    tempo = 60 * rate * np.arange(window // 2 + 1) / window
    z[(tempo < low) | (tempo > high)] = 0
    a = np.abs(z)
    z = np.where((a == a.max(0)) & (a > 0), z / a.max(0), 0)
    y = np.maximum(librosa.istft(z, hop_length=1, n_fft=window, length=len(o)), 0)
    return y / y.max()


numbers("pulse", pulse(o, 10, 32, 30, 300))
numbers("pulse_slow", pulse(o, 10, 40, 20, 60))

a, b = rng.standard_normal((3, 14)), rng.standard_normal((3, 9))
numbers("here", a)
numbers("there", b)
for name, kw in (("near", dict(k=3, mode="connectivity")), ("distance", dict(k=3, mode="distance")),
                 ("affinity", dict(k=4, mode="affinity")), ("affinity_2", dict(mode="affinity", bandwidth=2.0))):
    numbers(name, librosa.segment.cross_similarity(a, b, metric="euclidean", **kw))


def lines(x, n, ratio, count):
    best = None
    for k in range(count):
        angle = np.arctan(ratio ** (2 * k / (count - 1) - 1 if count > 1 else 0))
        down, along = np.sqrt(2) * np.sin(angle), np.sqrt(2) * np.cos(angle)
        r = int(np.ceil((n - 1) / 2 * max(down, along) - 1e-9))
        w = np.zeros((2 * r + 2, 2 * r + 2))
        for j, v in enumerate(signal.windows.hann(n) if n > 1 else [1.0]):
            y, z = r + (j - (n - 1) / 2) * down, r + (j - (n - 1) / 2) * along
            i, q = int(np.floor(y + 1e-9)), int(np.floor(z + 1e-9))
            u, s = max(y - i, 0), max(z - q, 0)
            w[i:i + 2, q:q + 2] += v * np.outer([1 - u, u], [1 - s, s])
        w = w[:2 * r + 1, :2 * r + 1] / w.sum()
        c = ndimage.convolve(x, w, mode="reflect")
        best = c if best is None else np.maximum(best, c)
    return best


r = (rng.uniform(0, 1, (13, 17)) < 0.3).astype(float)
numbers("links", r)
numbers("lines_7", lines(r, 7, 2, 5))
numbers("lines_9", lines(r, 9, 1.5, 1))
numbers("lines_1", lines(r, 1, 2, 3))
