#!/usr/bin/env python3
# make-gauss-rules.py - nodes and weights of Gauss' rules as eigenvalues and vectors of the matrix of the recurrence, by mpmath at 60
# digits: make-gauss-rules.py > gauss-rules.inc. A row: kind (Jacobi, Laguerre, Hermite), n, exponents, which, node, weight.
from mpmath import *
mp.dps=60
def rule(n,al,be,mu):
    A=zeros(n)
    for k in range(n):
        A[k,k]=al(k)
        if k: A[k,k-1]=A[k-1,k]=sqrt(be(k))
    E,Q=eigsy(A)
    return [(E[i],mu*Q[0,i]**2) for i in range(n)]
def jac(n,a,b):
    a=mpf(a);b=mpf(b)
    al=lambda k:(b-a)/(a+b+2) if k==0 else (b*b-a*a)/((2*k+a+b)*(2*k+a+b+2))
    be=lambda k:4*(1+a)*(1+b)/((2+a+b)**2*(3+a+b)) if k==1 else 4*k*(k+a)*(k+b)*(k+a+b)/((2*k+a+b)**2*((2*k+a+b)**2-1))
    return rule(n,al,be,2**(a+b+1)*beta(a+1,b+1))
def lag(n,a): a=mpf(a); return rule(n,lambda k:2*k+1+a,lambda k:k*(k+a),gamma(a+1))
def her(n): return rule(n,lambda k:mpf(0),lambda k:mpf(k)/2,sqrt(pi))
print('/* tests/data/gauss-rules.inc - made by make-gauss-rules.py: kind, n, a, b, which, node, weight */')
for kind,n,a,b,r in [(0,5,0,0,jac(5,0,0)),(0,30,0,0,jac(30,0,0)),(0,24,'0.5','-0.75',jac(24,'0.5','-0.75')),(0,16,'-0.5','-0.5',jac(16,'-0.5','-0.5')),(0,12,'20.5','3',jac(12,'20.5','3')),(1,20,'0.25',0,lag(20,'0.25')),(1,40,0,0,lag(40,0)),(2,21,0,0,her(21)),(2,40,0,0,her(40))]:
    for i in sorted({0,1,n//3,n//2,n-1}):
        print('    {%d, %d, %s, %s, %d, %s, %s},'%(kind,n,a,b,i,nstr(r[i][0],19) if abs(r[i][0])>mpf(10)**-40 else '0',nstr(r[i][1],19)))
