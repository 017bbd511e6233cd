# make-audio.py - what librosa says of mel filters, cepstra and descriptors:
#   python3 make-audio.py > audio.inc
# librosa 0.11, NumPy 2
import numpy as np
import librosa

def numbers(v):
    return "{" + ", ".join(repr(float(x)) for x in np.ravel(v)) + "}"

print("/* made by make-audio.py: librosa's numbers */")
rng = np.random.default_rng(7)
n, rate, n_fft, hop = 600, 8000, 128, 48
t = np.arange(n) / rate
x = 0.6 * np.sin(2 * np.pi * 440 * t) + 0.2 * np.sin(2 * np.pi * 1730 * t * (1 + t)) + 0.02 * rng.standard_normal(n)
print("enum { LIBROSA_N = %d, LIBROSA_RATE = %d, LIBROSA_FFT = %d, LIBROSA_HOP = %d };" % (n, rate, n_fft, hop))
def array(name, v):
    print("static const double librosa_%s[] = %s;" % (name, numbers(v)))
array("x", x)
for htk in (0, 1):
    hz = np.array([0, 20, 440, 999.9, 1000, 2500, 8000.0])
    array("mel_%d" % htk, librosa.hz_to_mel(hz, htk=bool(htk)))
    array("centres_%d" % htk, librosa.mel_frequencies(n_mels=9, fmin=50, fmax=3900, htk=bool(htk)))
    for area in (0, 1):
        array("filters_%d%d" % (htk, area), librosa.filters.mel(sr=rate, n_fft=n_fft, n_mels=10, fmin=50, fmax=3900,
              htk=bool(htk), norm="slaney" if area else None, dtype=np.float64))
S = np.abs(librosa.stft(x, n_fft=n_fft, hop_length=hop, pad_mode="reflect"))
mel = librosa.feature.melspectrogram(S=S ** 2, sr=rate, n_fft=n_fft, n_mels=20, fmin=0, fmax=4000, dtype=np.float64)
array("power", S ** 2)
array("mels", mel)
db = librosa.power_to_db(mel, ref=0.5, amin=1e-10, top_db=40)
array("db", db)
array("mfcc", librosa.feature.mfcc(S=db, n_mfcc=13))
array("amplitude_db", librosa.amplitude_to_db(S, ref=2.0, amin=1e-5, top_db=30))
array("centroid", librosa.feature.spectral_centroid(S=S, sr=rate, n_fft=n_fft))
array("bandwidth", librosa.feature.spectral_bandwidth(S=S, sr=rate, n_fft=n_fft))
array("rolloff", librosa.feature.spectral_rolloff(S=S, sr=rate, n_fft=n_fft, roll_percent=0.85))
array("flatness", librosa.feature.spectral_flatness(S=S, amin=1e-10, power=2))
array("rms", librosa.feature.rms(y=x, frame_length=100, hop_length=30, dtype=np.float64))
array("crossings", librosa.feature.zero_crossing_rate(x, frame_length=100, hop_length=30))
array("preemphasis", librosa.effects.preemphasis(x, coef=0.95, zi=np.array([0.0])))
array("mu", librosa.mu_compress(np.linspace(-1, 1, 41), mu=255, quantize=True) + 128)
