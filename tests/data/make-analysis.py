# make-analysis.py - what SciPy and librosa say of filters of one frequency, images, spectrograms and shapes of spectra:
#   python3 make-analysis.py > analysis.inc
# SciPy 1.17.1, librosa 0.11, NumPy 2
import warnings
import numpy as np
import librosa
from scipy import signal

warnings.simplefilter("ignore")

def numbers(v):
    return "{" + ", ".join("%.15g" % x for x in np.ravel(v)) + "}"

def array(name, v):
    print("static const double analysis_%s[] = %s;" % (name, numbers(v)))

def pairs(v):
    v = np.asarray(v, complex)
    return np.stack([v.real, v.imag], -1)

print("/* made by make-analysis.py: numbers of SciPy and librosa */")
rng = np.random.default_rng(3)
for name, f in (("notch", signal.iirnotch), ("peak", signal.iirpeak)):
    b, a = f(60.0, 12.0, 400.0)
    array(name, np.concatenate([b, a]))
for name, kind, zero in (("comb", "notch", False), ("comb_middle", "notch", True), ("comb_peak", "peak", True),
                         ("comb_peak_middle", "peak", False)):
    b, a = signal.iircomb(50.0, 8.0, kind, 400.0, pass_zero=zero)
    array(name, np.concatenate([b, a]))
h = signal.firwin(15, 0.4)
array("fir", h)
array("minimum", signal.minimum_phase(h, n_fft=256))
array("minimum_odd", signal.minimum_phase(h, n_fft=255, half=False))
x = np.cumsum(rng.standard_normal(120)) / 3
array("x", x)
array("decimated", signal.decimate(x, 4))
array("decimated_fir", signal.decimate(x, 3, ftype="fir"))
im = rng.uniform(-1, 1, (7, 6))
array("image", im)
array("wiener", signal.wiener(im, (3, 5)))
array("wiener_noise", signal.wiener(x, 7, 0.05))
array("median", signal.medfilt2d(im, (3, 5)))
array("rank", signal.order_filter(im, np.ones((5, 3)), 3))
k = rng.uniform(-1, 1, (3, 4))
array("kernel", k)
for name, mode, edge in (("full_fill", "full", "fill"), ("same_wrap", "same", "wrap"), ("full_symm", "full", "symm"),
                         ("same_symm", "same", "symm"), ("valid", "valid", "fill")):
    array(name, signal.convolve2d(im, k, mode, edge, 0.7))
array("hilbert2", pairs(signal.hilbert2(im)))
w = signal.get_window("hamming", 16)
array("hamming", w)
for name, mode, scaling in (("psd", "psd", "density"), ("complex", "complex", "spectrum"), ("magnitude", "magnitude", "density"),
                            ("angle", "angle", "density")):
    s = signal.spectrogram(x, 200.0, w, nperseg=16, noverlap=6, mode=mode, scaling=scaling)[2]
    array("spectrum_" + name, pairs(s) if mode == "complex" else s)
t = np.sort(rng.uniform(0, 10, 40))
y = 0.7 + np.sin(2.3 * t + 0.4) + 0.2 * rng.standard_normal(40)
weights = rng.uniform(0.5, 2, 40)
freqs = np.array([0.5, 1.1, 2.3, 3.7])
array("t", t)
array("y", y)
array("weights", weights)
array("freqs", freqs)
array("lomb", signal.lombscargle(t, y, freqs, normalize=True))
array("lomb_weighted", signal.lombscargle(t, y, freqs, normalize=True, weights=weights, floating_mean=True))
array("hartley", np.real(np.fft.fft(x[:15])) - np.imag(np.fft.fft(x[:15])))
# spectra
S = np.abs(librosa.stft(x, n_fft=32, hop_length=20)) ** 2
array("power", S)
for order in (0, 1, 3):
    array("poly_%d" % order, librosa.feature.poly_features(S=S, sr=200, n_fft=32, order=order))
f, tt, m = librosa.reassigned_spectrogram(x, sr=200, n_fft=32, hop_length=20, reassign_frequencies=True, reassign_times=True,
                                          fill_nan=False, clip=False, pad_mode="constant", ref_power=0.0)
array("reassigned_f", f)
array("reassigned_t", tt)
array("reassigned_m", m)
C = rng.uniform(0, 1, (12, 30)) ** 6
array("chroma", C)
array("cens", librosa.feature.chroma_cens(C=C, n_chroma=12, bins_per_octave=12, win_len_smooth=9))
array("stacked", librosa.feature.stack_memory(S, n_steps=3, delay=2))
array("stacked_ahead", librosa.feature.stack_memory(S, n_steps=2, delay=-3))
