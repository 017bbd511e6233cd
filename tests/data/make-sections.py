# make-sections.py - what SciPy says of second-order sections with states:
#   python3 make-sections.py > sections.inc
# SciPy 1.17.1, NumPy 2
import numpy as np
from scipy import signal
print("/* made by make-sections.py: SciPy's numbers */")
def arr(name,v): print("static const double %s[] = {%s};"%(name,", ".join(repr(float(x)) for x in np.ravel(v))))
sos=signal.butter(4,0.2,output="sos"); 
sos[:, 3:] *= 2; sos[:, :3] *= 2
x=np.round(np.random.default_rng(3).standard_normal(40),3)
arr("sections_sos",sos); arr("sections_x",x)
n=sos/sos[:,3:4]
zi=signal.sosfilt_zi(n)
arr("sections_zi",zi)
y,zf=signal.sosfilt(n,x,zi=zi*x[0])
arr("sections_y",y); arr("sections_zf",zf)
arr("sections_both",signal.sosfiltfilt(n,x))
