# make-notes.py - what librosa says of transitions, sections within stretches, affinities, axes and curves of hearing:
#   python3 make-notes.py > notes.inc
# librosa 0.11.0, NumPy 2
import warnings

import librosa
import numpy as np

warnings.filterwarnings("ignore")


def numbers(name, v):
    print("static const double notes_%s[] = {%s};" % (name, ", ".join(repr(float(x)) for x in np.ravel(v))))


print("/* made by make-notes.py: numbers of librosa */")
rng = np.random.default_rng(32)
p = rng.uniform(0, 1, 5)
numbers("stay", p)
numbers("loop", librosa.sequence.transition_loop(5, p))
numbers("cycle", librosa.sequence.transition_cycle(5, p))
w = [1, 4, 7, 2, 5, 3, 6]
for wrap in False, True:
    numbers("local_%d" % wrap, librosa.sequence.transition_local(7, w, window="triang", wrap=wrap))
x = rng.standard_normal((3, 40))
numbers("frames", x)
numbers("subsegment", librosa.segment.subsegment(x, np.array([5, 17, 20, 30]), n_segments=3))
numbers("affinity", librosa.segment.recurrence_matrix(x, k=4, sym=False, mode="affinity"))
numbers("affinity_mutual", librosa.segment.recurrence_matrix(x, k=4, sym=True, mode="affinity"))
numbers("affinity_wide", librosa.segment.recurrence_matrix(x, k=4, mode="affinity", bandwidth=1.7))
numbers("tempo", librosa.tempo_frequencies(9, hop_length=512, sr=22050)[1:])
numbers("fourier_tempo", librosa.fourier_tempo_frequencies(sr=22050, win_length=15, hop_length=512))
numbers("cqt", librosa.cqt_frequencies(20, fmin=40.0, bins_per_octave=7, tuning=0.3))
f = np.geomspace(20, 20000, 9)
numbers("hz", f)
for kind in "ABCD":
    numbers("weighting_" + kind, librosa.frequency_weighting(f, kind=kind, min_db=None))
s = rng.uniform(0, 1, (9, 4))
numbers("powers", s)
numbers("heard", librosa.perceptual_weighting(s, f, kind="A", top_db=20.0))
