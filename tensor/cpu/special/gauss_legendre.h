/* tensor/cpu/special/gauss_legendre.h - the rule of 20 nodes on [-1, 1] (DLMF 3.5(v)): the positive
   nodes and their weights. */
#ifndef AGNI_GAUSS_LEGENDRE_H
#define AGNI_GAUSS_LEGENDRE_H

#ifndef AGNI_TABLE
#define AGNI_TABLE static
#endif
#ifndef AGNI_FN
#define AGNI_FN static inline
#endif

enum { AGNI_GAUSS_NODES = 20 };

AGNI_TABLE const double agni_gauss_node[] = {
    0.076526521133497334, 0.22778585114164508, 0.37370608871541956, 0.51086700195082710,
    0.63605368072651503,  0.74633190646015079, 0.83911697182221882, 0.91223442825132591,
    0.96397192727791379,  0.99312859918509492};
AGNI_TABLE const double agni_gauss_weight[] = {
    0.15275338713072585,  0.14917298647260375,  0.14209610931838205,  0.13168863844917663,
    0.11819453196151842,  0.10193011981724044,  0.083276741576704749, 0.062672048334109064,
    0.040601429800386941, 0.017614007139152118};

/* node i between a and b, and its weight */
AGNI_FN double agni_gauss_place(int i, double a, double b, double *weight)
{
    double half = 0.5 * (b - a), node = i < 10 ? -agni_gauss_node[i] : agni_gauss_node[i - 10];
    *weight = half * agni_gauss_weight[i % 10];
    return a + half * (1 + node);
}

#endif
