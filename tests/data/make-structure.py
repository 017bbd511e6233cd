# make-structure.py - what librosa says of peaks, recurrence and structure, SciPy of dual windows, NumPy of lags:
#   python3 make-structure.py > structure.inc
# librosa 0.11.0, scikit-learn, SciPy 1.17.1, NumPy 2
import numpy as np
import librosa
from scipy import signal, special

def numbers(name, v):
    v = np.asarray(v)
    v = np.stack([v.real, v.imag], -1) if np.iscomplexobj(v) else v
    print("static const double structure_%s[] = {%s};" % (name, ", ".join(repr(float(x)) for x in np.ravel(v))))

print("/* made by make-structure.py: numbers of librosa, SciPy and NumPy */")
rng = np.random.default_rng(24)
n = 4096
t = np.arange(n) / 8000
x = np.sin(2 * np.pi * 440 * t) + 0.5 * np.sin(2 * np.pi * 1230 * t) + 0.01 * rng.standard_normal(n)
S = np.abs(librosa.stft(x, n_fft=64, hop_length=512))
p, m = librosa.piptrack(S=S, sr=8000, n_fft=64, fmin=150, fmax=2000, threshold=0.1)
numbers("power", S)
numbers("pitches", p)
numbers("peaks", m)
f = rng.standard_normal((3, 20))
numbers("frames", f)
for name, kw in (("near", dict(k=4)), ("near_wide", dict(k=4, width=3)), ("near_mutual", dict(k=6, width=2, sym=True)),
                 ("near_default", dict(width=2))):
    # by distances: in its mode "connectivity" librosa keeps any k of the k + 2 width nearest
    numbers(name, librosa.segment.recurrence_matrix(f, metric="euclidean", mode="distance", **kw) > 0)
sim = np.maximum(rng.uniform(-0.6, 1, (9, 12)), 0)
numbers("likeness", sim)
for knight in (False, True):
    for k, gaps in enumerate(((1, 1), (0.3, 0.7))):
        score, path = librosa.sequence.rqa(sim, gap_onset=gaps[0], gap_extend=gaps[1], knight_moves=knight)
        numbers("total_%d_%d" % (knight, k), score)
        numbers("path_%d_%d" % (knight, k), path)
g = np.repeat(rng.standard_normal((3, 4)), [5, 7, 3, 9], axis=1) + 0.3 * rng.standard_normal((3, 24))
numbers("sections_of", g)
for k in (1, 2, 4, 9):
    numbers("sections_%d" % k, librosa.segment.agglomerative(g, k))
e = rng.uniform(0, 1, 30)
numbers("energy", e)
numbers("begins", librosa.onset.onset_backtrack(np.array([0, 3, 8, 9, 17, 29]), e))
w = signal.windows.hamming(21)
numbers("dual", signal.ShortTimeFFT(w, 6, 1.0).dual_win)
z = rng.standard_normal(9) + 1j * rng.standard_normal(9)
numbers("signal", z)
numbers("lags", [np.vdot(z[:9 - k], z[k:]) for k in range(9)])
for order in (0, 1, 3, 40, 1000):
    numbers("zeros_%d" % order, special.jn_zeros(order, 7))
