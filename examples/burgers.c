/*
 * burgers.c - the Burgers equation by a physics-informed network
 *
 *     u_t + u u_x = nu u_xx,  x in [-1,1], t in [0,1],  u(0,x) = -sin(pi x),  u(t,+-1)
 * = 0
 *
 * u(t,x) is a perceptron with tanh units and random weights w. The loss is the mean
 * square of the equation's residual at random points, plus EDGE_WEIGHT times the mean
 * square of u minus the given values at t = 0 and x = +-1. Nothing else enters, neither
 * the exact solution nor where its shock lies. The derivatives in the residual are
 * exact, by Taylor jets, and the gradient of the loss is the reverse of that whole
 * computation.
 *
 * Some steps of Adam are followed by self-scaled BFGS with the full matrix. Every RENEW
 * evaluations the points are drawn anew from eight times as many candidates, with
 * probabilities in proportion to 1 + |r| / mean |r| (Wu et al. 2023): the points follow
 * the shock as the network finds it, and no set of points can be learnt by heart.
 */
#include <agnesi/agnesi.h>

#include "burgers_bfgs.h"
#include "burgers_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

enum {
    ADAM_STEPS = 200,
    EVALUATIONS = 4000, /* of loss and gradient, in all */
    LONG_EVALUATIONS = 30000,
    RENEW = 250,
    CANDIDATES = 8,   /* for each point */
    EDGE_POINTS = 100 /* at t = 0, and as many at x = +-1 */
};
static const double EDGE_WEIGHT = 40, RATE = 3e-3;

typedef struct {
    burgers_options options;
    int64_t n;                         /* parameters */
    agn_fn *network, *derivatives;     /* (w, t, x) -> u; -> u, u_t, u_x, u_xx */
    agn_fn *predict, *residual, *loss; /* compiled */
    agn_generator *random;
    agn_tensor *t, *x;                    /* points of the residual, [points, 1] */
    agn_tensor *edge_t, *edge_x, *edge_u; /* given values, [2 EDGE_POINTS, 1] */
    agn_tensor *grid_t, *grid_x;          /* where the report compares */
    burgers_report *report;
} problem;
