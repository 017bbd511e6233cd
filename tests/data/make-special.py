#!/usr/bin/env python3
# make-special.py - values for tests/t-special.c by mpmath at 50 digits and more: make-special.py >special.inc  (mpmath 1.3)
from mpmath import *
mp.dps=50
L=[]
def row(fn,x,k,v,amp=None):
    v=mpf(v)
    a=abs(mpf(amp)) if amp is not None else abs(v)
    L.append('    {"%s", {%s}, %s, %s, %s},'%(fn,", ".join(repr(float(t)) for t in x),", ".join(str(t) for t in k) or "0",repr(float(v)),"%.3g"%a if amp is not None else "0"))
for x in (-1e5,-37.25,-9.0,-8.49,-2.338,0.0,1e-9,0.5,4.51,8.999,9.0,25.0,90.0):
    for k,n in enumerate(("airy_ai","airy_aip","airy_bi","airy_bip")):
        d=k&1
        A,B=airyai(x,derivative=d),airybi(x,derivative=d)
        row(n,(x,),(),A if k<2 else B, sqrt(A*A+B*B) if x<0 else None)
for x in (-9596439727.734026,-1.25e8): # the phase has few digits
    with workdps(80):
        for k,n in enumerate(("airy_ai","airy_aip","airy_bi","airy_bip")):
            d=k&1; A,B=airyai(mpf(x),derivative=d),airybi(mpf(x),derivative=d)
            row(n,(x,),(),A if k<2 else B, sqrt(A*A+B*B))
for x in (-2.0,1e-9,0.3,1.49,1.51,7.25,1234.5,3e7,104489247.94058475,3e12): row("fresnel_s",(x,),(),fresnels(x)); row("fresnel_c",(x,),(),fresnelc(x))
for x in (-0.3678794411714,-0.36,-0.2,-1e-9,1e-12,0.5,2.9,3.1,1e10,1e300): row("lambertw",(x,),(0,),lambertw(mpf(x)).real)
for x in (-0.3678794411714,-0.36,-0.27,-0.1,-1e-5,-1e-300): row("lambertw",(x,),(-1,),lambertw(mpf(x),-1).real)
for n,x in ((0,2.0),(1,1e-9),(1,0.99),(1,1.01),(1,700.0),(2,0.3),(3,1.0),(7,1.5),(50,0.7),(1000,3.0),(5,0.0)):
    row("expn",(x,),(n,),expint(n,x))
for x in (-300.0,-2.0,-1e-5,1e-300,0.3,0.37250741078136663,0.3725,0.46,5.0,39.0,41.0,700.0): row("expi",(x,),(),ei(mpf(x)))
def owen(h,a): return exp(-h*h/2)*quad(lambda t: exp(-h*h*t*t/2)/(1+t*t),linspace(0,a,19))/(2*pi)
for h,a in ((0.0,0.5),(1.0,1.0),(-2.0,3.0),(0.3,-0.7),(8.0,0.4),(20.0,0.9),(1e-5,30.0),(3.0,0.001),(-36.202183895722598,770.62072469770169)): row("owens_t",(h,a),(),owen(mpf(h),mpf(a)))
for m in (-1e6,-2.0,0.0,1e-9,0.5,0.999,0.999999999999):
    row("ellipk",(m,),(),ellipk(mpf(m))); row("ellipe",(m,),(),ellipe(mpf(m)))
    row("ellippi",(-3.0,m),(),ellippi(mpf(-3),mpf(m))); row("ellippi",(0.9,m),(),ellippi(mpf(0.9),mpf(m)))
    for phi in (1e-7,-0.8,1.5,4.0,30.0):
        row("ellipkinc",(phi,m),(),ellipf(mpf(phi),mpf(m))); row("ellipeinc",(phi,m),(),ellipe(mpf(phi),mpf(m)))
    row("ellippiinc",(0.3,1.2,m),(),ellippi(mpf(0.3),mpf(1.2),mpf(m)))
for x,y,z,p in ((1.0,2.0,3.0,4.0),(0.0,0.5,1e-3,2.0),(1e-8,1.0,1e8,0.1),(1e100,2e100,3e100,1e99),(69717112.0,565.6751194093359,3.4031546600918358e-225,2.0),(4.5e9,5e9,7e9,7.1361448713393464e-60)):
    row("elliprf",(x,y,z),(),elliprf(x,y,z)); row("elliprd",(x,y,z),(),elliprd(x,y,z)); row("elliprj",(x,y,z,p),(),elliprj(x,y,z,p)); row("elliprc",(x,z),(),elliprc(x,z))
for nu,x in ((0.0,1e-5),(0.0,2.404825557695773),(0.3,1.999),(0.5,2.001),(1.0,29.9),(1.0,30.1),(2.5,1e4),(10.0,10.0),(50.0,10.0),(50.0,60.0),(100.0,1e-2),(250.25,260.0),(499.0,400.0),(499.5,700.0),(-0.5,1.0),(-3.0,5.0),(-20.3,35.0),(-7.7,0.5)):
    with workdps(200):
        nu_,x_=mpf(nu),mpf(x)
        J,Y,I,K=besselj(nu_,x_),bessely(nu_,x_),besseli(nu_,x_),besselk(nu_,x_)
        osc=sqrt(J*J+Y*Y) if x>abs(nu) or nu<0 else None
        for n,v,a in (("jv",J,osc),("yv",Y,osc),("iv",I,None),("kv",K,None),("ive",I*exp(-x_),None),("kve",K*exp(x_),None)):
            if mpf(10)**-300<abs(v)<mpf(10)**300: row(n,(nu,x),(),v,a)
row("kve",(2.5,1e6),(),besselk(2.5,mpf(10)**6)*exp(mpf(10)**6)); row("ive",(2.5,1e6),(),besseli(2.5,mpf(10)**6)*exp(-mpf(10)**6))
with workdps(300): row("iv",(1022.3541363618824,498.0),(),besseli(mpf(1022.3541363618824),498)); row("kv",(815.0,269.0),(),besselk(815,269)); row("iv",(815.0,269.0),(),besseli(815,269))
row("iv",(3.0,-2.0),(),besseli(3,-2)); row("jv",(3.0,-2.0),(),besselj(3,-2))
for x in (-3.0,1e-9,0.29,0.31,1.0,5.0,6.4,50.0,1e10): row("dawsn",(x,),(),sqrt(pi)/2*exp(-mpf(x)**2)*erfi(mpf(x)) if x<100 else 1/(2*mpf(x)))
for x,s,g in ((0.0,1.0,1.0),(3.0,0.5,0.2),(-10.0,1.0,1e-3),(0.1,2.0,0.0),(100.0,3.0,5.0),(2.0,1e-3,1.0)):
    z=mpc(x,g)/(mpf(s)*sqrt(2)); w=exp(-z*z)*erfc(-1j*z); row("voigt_profile",(x,s,g),(),w.real/(s*sqrt(2*pi)))
for x,s,g in ((0.5,1e-150,1e-300),(1e10,1e-300,1e-10),(1e-170,1e-200,1e-170),(1e-50,1e-110,1e-300)):
    row("voigt_profile",(x,s,g),(),mpf(g)/pi/(mpf(x)**2+mpf(g)**2))
def geg(n,a,x):
    u,v=mpf(0),mpf(1)
    for k in range(n): u,v=v,(2*(k+a)*x*v-(k+2*a-1)*u)/(k+1)
    return v
def jac(n,a,b,x):
    a,b=mpf(a),mpf(b)
    return sum(binomial(n+a,n-s)*binomial(n+b,s)*((x-1)/2)**s*((x+1)/2)**(n-s) for s in range(n+1))
for n in (0,1,2,7,40):
    for x in (-0.9,0.0,0.35,0.999):
        P=lambda nm,kk,v: row(nm,(x,),(n,)+kk,v,max(abs(v),mpf(1)))
        P("legendre",(),geg(n,mpf(0.5),mpf(x))); P("chebyshev_t",(),cos(n*acos(mpf(x)))); P("chebyshev_u",(),geg(n,mpf(1),mpf(x)))
        P("jacobi",(),jac(n,0.5,1.25,mpf(x))); P("gegenbauer",(),geg(n,mpf(0.75),mpf(x)))
        P("laguerre",(),laguerre(n,0.5,mpf(x))); P("hermite",(),hermite(n,mpf(x))); P("hermite_e",(),2**(-mpf(n)/2)*hermite(n,mpf(x)/sqrt(mpf(2))))
print("/* tests/data/special.inc - values of special functions: mpmath at 50 digits and more; made by make-special.py.\n   function, arguments, attribute, value, amplitude (0: of the value itself) */")
print("\n".join(L))
