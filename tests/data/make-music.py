# make-music.py - what librosa and formulas in NumPy say of constant Q, chroma, rhythm, paths and voices:
#   python3 make-music.py > music.inc
# librosa 0.11, SciPy 1.17, NumPy 2
import warnings
import numpy as np
import librosa
import librosa.core.pitch

warnings.simplefilter("ignore")

def numbers(v):
    return "{" + ", ".join("%.14g" % x for x in np.ravel(v)) + "}"

def array(name, v, kind="double"):
    print("static const %s music_%s[] = %s;" % (kind, name, numbers(v)))

def pairs(v):
    return np.stack([v.real, v.imag], -1)

def normal_difference(y_frames, min_period, max_period):
    """librosa's, but for lag 1, where it leaves the square of the first sample out (0.11)"""
    acf = librosa.autocorrelate(y_frames, max_size=max_period + 1, axis=-2)
    d = 2 * (acf[..., 0:1, :] - acf[..., 1:, :]) - np.cumsum(y_frames ** 2, -2)[..., :max_period, :]
    mean = np.cumsum(d, -2) / np.arange(1, max_period + 1)[:, None]
    return d[..., min_period - 1:, :] / (mean[..., min_period - 1:, :] + 1e-300)

librosa.core.pitch._cumulative_mean_normalized_difference = normal_difference

def noise(n, seed):
    """of the test itself: a generator that C can repeat"""
    u = np.zeros(n)
    for i in range(n):
        seed = (seed * 1103515245 + 12345) % 2 ** 31
        u[i] = seed / 2 ** 30 - 1
    return u

print("/* made by make-music.py: numbers of librosa and NumPy */")
rate, n, hop = 8000, 6000, 250
print("enum { MUSIC_RATE = %d, MUSIC_N = %d, MUSIC_HOP = %d };" % (rate, n, hop))
i = np.arange(n)
t = i / rate
# a tone that glides from 200 to 320 Hz with an overtone, silent but for noise in between
loud = np.where((i >= 2000) & (i < 3500), 0.0, 1.0)
turn = 2 * np.pi * (200 * t + 80 * t * t)
x = loud * (0.6 * np.sin(turn) + 0.3 * np.sin(2 * turn)) + 0.01 * noise(n, 7)

# ---- constant and variable Q: librosa's filters, the sum over the signal directly
def constant_q(f_min, bins, per, gamma, scale):
    f = f_min * 2 ** (np.arange(bins) / per)
    r = 2 ** (2 / per)
    alpha = np.full(bins, (r - 1) / (r + 1))
    w, lengths = librosa.filters.wavelet(freqs=f, sr=rate, window="hann", filter_scale=scale, pad_fft=True, norm=1, dtype=np.complex128, gamma=gamma, alpha=alpha)
    size = w.shape[1]
    z = np.pad(x, size)
    out = np.zeros((bins, 1 + n // hop), complex)
    for k in range(bins):
        for m in range(1 + n // hop):
            j = np.arange(size) - size // 2
            out[k, m] = np.sqrt(lengths[k]) * np.sum(w[k] * z[size + m * hop - j])
    return out

for name, args in (("q", (110.0, 30, 12, 0, 1)), ("v", (80.0, 17, 5, None, 0.7)), ("wide", (80.0, 9, 3, 20, 1))):
    c = constant_q(*args)
    array("constant_" + name, pairs(c[:, ::6]))
# librosa itself takes lower rates for lower octaves: how far that is from the definition
c = constant_q(110.0, 30, 12, 0, 1)
l = librosa.cqt(x, sr=rate, hop_length=256, fmin=110.0, n_bins=30, sparsity=0)
print("/* librosa.cqt at its own hops: the same size to %.1e */" % abs(np.abs(l).max() / np.abs(c).max() - 1))

# ---- chroma, tonnetz, scales
S = np.abs(librosa.stft(x, n_fft=256, hop_length=1000)) ** 2
print("enum { MUSIC_FRAMES = %d };" % S.shape[1])
array("power", S)
C = librosa.util.normalize(librosa.filters.chroma(sr=rate, n_fft=256, dtype=np.float64) @ S, norm=np.inf, axis=0)
array("chroma", C)
array("tonnetz", librosa.feature.tonnetz(chroma=C))
assert np.abs(librosa.feature.chroma_stft(S=S, sr=rate, tuning=0.0, n_fft=256) - C).max() < 1e-6
f = np.array([20, 31.5, 100, 440, 997, 1000, 3150, 12500.0])
array("frequency", f)
array("midi", librosa.hz_to_midi(f))
for c, g in (("a", librosa.A_weighting), ("b", librosa.B_weighting), ("c", librosa.C_weighting)):
    array("weight_" + c, g(f, min_db=None))

# ---- pYIN
for name, k in (("pitch", dict(fmin=100, fmax=500, frame_length=400)), ("high", dict(fmin=150, fmax=2000, frame_length=256))):
    f0, flag, prob = librosa.pyin(x, sr=rate, hop_length=hop, **k)
    array(name, np.nan_to_num(f0, nan=-1))
    array(name + "_chance", prob)

# ---- paths
e = np.round(noise(4 * 12, 3).reshape(4, 12) + 1.01, 3)
e /= e.sum(0)
a = np.round(noise(16, 5).reshape(4, 4) + 1.01, 3)
a /= a.sum(1, keepdims=True)
p0 = np.array([0.1, 0.2, 0.3, 0.4])
array("emission", np.log(e))
array("transition", np.log(a))
array("initial", np.log(p0))
path, logp = librosa.sequence.viterbi(e, a, p_init=p0, return_logp=True)
array("path", path)
array("path_score", [logp])
path, logp = librosa.sequence.viterbi(e, a, return_logp=True)
array("path_alike", path)
array("path_alike_score", [logp])

# ---- rhythm: pulses every 11 frames, every other one weak, with noise
m = 300
o = 0.15 * np.abs(noise(m, 11))
o[5::11] += np.where(np.arange(len(o[5::11])) % 2, 0.6, 1.0)
o[0] = 0
per_second = 20
print("enum { MUSIC_ONSETS = %d, MUSIC_PER_SECOND = %d };" % (m, per_second))
for w in (40, 51):
    array("tempogram_%d" % w, librosa.feature.tempogram(onset_envelope=o, win_length=w, hop_length=400, sr=8000)[:, ::50])
for b in (120, 60):
    array("tempo_%d" % b, librosa.feature.tempo(onset_envelope=o, sr=8000, hop_length=400, start_bpm=b))
for name, k in (("beats", {}), ("beats_60", dict(bpm=60.0, trim=False)), ("beats_loose", dict(bpm=130.0, tightness=1.0))):
    array(name, librosa.beat.beat_track(onset_envelope=o, sr=8000, hop_length=400, **k)[1])
array("onsets", librosa.onset.onset_detect(onset_envelope=o, sr=8000, hop_length=400))
array("onsets_few", librosa.onset.onset_detect(onset_envelope=o, sr=8000, hop_length=400, delta=0.6))

# ---- voices: Sohn, Kim & Sung (1999), equations 3 to 12, with the noise of the quietest tenth
P = np.abs(librosa.stft(x, n_fft=128, hop_length=64)) ** 2
def activity(P, quiet, a, begins, ends):
    frames = P.shape[1]
    lam = P[:, np.argsort(P.sum(0), kind="stable")[:int(np.ceil(quiet * frames))]].mean(1)
    odds, prev, out = np.log(begins / ends), None, []
    for t in range(frames):
        gam = P[:, t] / lam
        xi = np.maximum(gam - 1, 0) if prev is None else a * prev + (1 - a) * np.maximum(gam - 1, 0)
        prev = (xi / (1 + xi)) ** 2 * gam
        ratio = np.mean(gam * xi / (1 + xi) - np.log(1 + xi))
        odds = np.logaddexp(np.log(begins), np.log(1 - ends) + odds) - np.logaddexp(np.log(1 - begins), np.log(ends) + odds) + ratio
        out.append(odds)
    return np.array(out)
V = P[::4, ::6]
print("enum { MUSIC_BINS = %d, MUSIC_TIMES = %d };" % V.shape)
array("voices", V)
array("activity", activity(V, 0.1, 0.98, 0.2, 0.1))
array("activity_b", activity(V, 0.3, 0.5, 0.4, 0.3))
array("split", librosa.effects.split(x, top_db=20, frame_length=256, hop_length=64))
