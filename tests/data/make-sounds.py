# make-sounds.py - what librosa, SciPy and printed formulas say of phases, pitch, onsets, levels and sections:
#   python3 make-sounds.py > sounds.inc
# librosa 0.11, SciPy 1.17.1, NumPy 2
import warnings
import numpy as np
import scipy.signal
import librosa
import librosa.core.pitch

warnings.simplefilter("ignore")

def numbers(v):
    return "{" + ", ".join("%.14g" % x for x in np.ravel(v)) + "}"

def normal_difference(y_frames, min_period, max_period):
    """librosa's, but for lag 1, where it leaves the square of the first sample out (0.11)"""
    acf = librosa.autocorrelate(y_frames, max_size=max_period + 1, axis=-2)
    d = 2 * (acf[..., 0:1, :] - acf[..., 1:, :]) - np.cumsum(y_frames ** 2, -2)[..., :max_period, :]
    mean = np.cumsum(d, -2) / np.arange(1, max_period + 1)[:, None]
    return d[..., min_period - 1:, :] / (mean[..., min_period - 1:, :] + 1e-300)

librosa.core.pitch._cumulative_mean_normalized_difference = normal_difference

def array(name, v):
    print("static const double sounds_%s[] = %s;" % (name, numbers(v)))

def pairs(v):
    return np.stack([v.real, v.imag], -1)

print("/* made by make-sounds.py: numbers of librosa and SciPy */")
rng = np.random.default_rng(11)
n, rate, n_fft, hop = 300, 8000, 32, 8
t = np.arange(n) / rate
x = np.round(0.5 * np.sin(2 * np.pi * 437 * t) + 0.2 * np.sin(2 * np.pi * 1210 * t + 1) + 0.05 * rng.standard_normal(n), 5)
print("enum { SOUNDS_N = %d, SOUNDS_RATE = %d, SOUNDS_FFT = %d, SOUNDS_HOP = %d };" % (n, rate, n_fft, hop))
array("x", x)
k = dict(n_fft=n_fft, hop_length=hop, pad_mode="reflect")
D = librosa.stft(x, **k)
print("enum { SOUNDS_FRAMES = %d };" % D.shape[1])
array("magnitude", np.abs(D))
array("transform", pairs(D))
for name, it, momentum in (("0", 0, 0.0), ("plain", 5, 0.0), ("fast", 5, 0.99)):
    array("griffin_" + name, librosa.griffinlim(np.abs(D), n_iter=it, momentum=momentum, init=None, length=n, dtype=np.float64, **k))
for name, r in (("slow", 0.7), ("fast", 1.6)):
    array("vocoder_" + name, pairs(librosa.phase_vocoder(D, rate=r, hop_length=hop)))
    array("stretch_" + name, librosa.effects.time_stretch(x, rate=r, n_fft=n_fft, hop_length=hop))
array("lpc_1", librosa.lpc(x, order=1))
array("lpc_8", librosa.lpc(x, order=8))
array("yin", librosa.yin(x, fmin=200, fmax=1000, sr=rate, frame_length=128, hop_length=32))
array("yin_noise", librosa.yin(x[::-1] * np.linspace(0, 1, n), fmin=150, fmax=2000, sr=rate, frame_length=100, hop_length=25, trough_threshold=0.01))
S = librosa.power_to_db(np.abs(D[:12]) ** 2, top_db=60)
array("db", S)
for lag in (1, 3):
    array("onset_%d" % lag, librosa.onset.onset_strength(S=S, center=False, lag=lag))
array("chroma_12", librosa.filters.chroma(sr=rate, n_fft=128, dtype=np.float64))
array("chroma_36", librosa.filters.chroma(sr=rate, n_fft=100, n_chroma=36, tuning=36 * np.log2(432 / 440), dtype=np.float64))
R = np.abs(librosa.stft(np.round(np.tile(x, 3) * np.linspace(0.2, 1, 900), 5), n_fft=128, hop_length=128, pad_mode="reflect"))
print("enum { SOUNDS_WIDE = %d };" % R.shape[1])
array("wide", R)
array("contrast_a", librosa.feature.spectral_contrast(S=R, sr=rate, n_bands=3, fmin=300.0, quantile=0.02))
array("contrast_b", librosa.feature.spectral_contrast(S=R, sr=rate, n_bands=4, fmin=200.0, quantile=0.3))
P = np.abs(D[:10]) ** 2
array("power", P)
array("pcen", librosa.pcen(P, sr=rate, hop_length=hop))
array("pcen_other", librosa.pcen(P, sr=rate, hop_length=hop, gain=0.5, bias=1.0, power=0.25, time_constant=0.01, eps=1e-3))
for name, kernel, power in (("a", (5, 3), 2.0), ("b", (31, 7), 1.0)):
    h, p = librosa.decompose.hpss(P, kernel_size=kernel, power=power)
    array("harmonic_" + name, h)
    array("percussive_" + name, p)
C = np.round(rng.uniform(0, 1, (9, 12)), 2)
array("cost", C)
acc, path = librosa.sequence.dtw(C=C, backtrack=True)
array("total", acc)
array("path", path[::-1])
# the filters that BS.1770-4 prints for 48 kHz
lk = lambda p: -0.691 + 10 * np.log10(p)
# noise of the test itself: a generator that C can repeat
u = np.zeros(120000)
seed = 12345
for i in range(120000):
    seed = (seed * 1103515245 + 12345) % 2 ** 31
    u[i] = seed / 2 ** 30 - 1
u *= np.where(np.arange(120000) < 40000, 1e-5, np.where(np.arange(120000) < 80000, 0.5, 0.02))
z = scipy.signal.lfilter([1.53512485958697, -2.69169618940638, 1.19839281085285], [1, -1.69065929318241, 0.73248077421585], u)
z = scipy.signal.lfilter([1, -2, 1], [1, -1.99004745483398, 0.99007225036621], z)
blocks = np.array([np.mean(z[a:a + 19200] ** 2) for a in range(0, 120000 - 19200 + 1, 4800)])
kept = blocks[lk(blocks) > -70]
kept = kept[lk(kept) > lk(kept.mean()) - 10]
print("/* %d of %d blocks count */" % (len(kept), len(blocks)))
array("loudness", [lk(kept.mean())])
# Bristow-Johnson's formulae
print("static const struct { double f, q, g, want[8][6]; } sounds_biquads[] = {")
for f, q, g in ((440.0, 0.707, 6.0), (3000.0, 4.0, -9.0), (50.0, 1.3, 0.0)):
    w, A = 2 * np.pi * f / rate, 10 ** (g / 40)
    c, al = np.cos(w), np.sin(w) / (2 * q)
    sa = 2 * np.sqrt(A) * al
    rows = [[(1 - c) / 2, 1 - c, (1 - c) / 2, 1 + al, -2 * c, 1 - al], [(1 + c) / 2, -1 - c, (1 + c) / 2, 1 + al, -2 * c, 1 - al],
            [al, 0, -al, 1 + al, -2 * c, 1 - al], [1, -2 * c, 1, 1 + al, -2 * c, 1 - al], [1 - al, -2 * c, 1 + al, 1 + al, -2 * c, 1 - al],
            [1 + al * A, -2 * c, 1 - al * A, 1 + al / A, -2 * c, 1 - al / A],
            [A * ((A + 1) - (A - 1) * c + sa), 2 * A * ((A - 1) - (A + 1) * c), A * ((A + 1) - (A - 1) * c - sa),
             (A + 1) + (A - 1) * c + sa, -2 * ((A - 1) + (A + 1) * c), (A + 1) + (A - 1) * c - sa],
            [A * ((A + 1) + (A - 1) * c + sa), -2 * A * ((A - 1) + (A + 1) * c), A * ((A + 1) + (A - 1) * c - sa),
             (A + 1) - (A - 1) * c + sa, 2 * ((A - 1) - (A + 1) * c), (A + 1) - (A - 1) * c - sa]]
    print("{%r, %r, %r, {%s}}," % (f, q, g, ", ".join(numbers(r) for r in rows)))
print("};")
