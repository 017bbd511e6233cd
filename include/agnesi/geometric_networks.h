/**
 * agnesi/geometric_networks.h - graph networks whose messages are functions of the caller's
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A function here takes rows of all edges or all nodes at once, one a row, and gives one row for
 * each of them: dense layers do. Row k of a result depends on rows k of the arguments.
 * agn_graph_mpnn applies it to blocks of edges and reduces these at once, forward and backward; the
 * others gather the rows at the ends of edges, one array for each.
 */
#ifndef AGNESI_GEOMETRIC_NETWORKS_H
#define AGNESI_GEOMETRIC_NETWORKS_H

#include <agnesi/geometric_layers.h>
#include <agnesi/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * agn_graph_apply_edges - a function of the rows at both ends of each edge and of its own
 *
 * f takes those of u[src], v[dst] and e that are not NULL, in that order.
 *
 * @param out  out, the result of f: one row an edge
 * @param g    a graph
 * @param f    a function of as many arguments, with one result
 * @param u    in, [n_src, ...]  real; NULL to skip
 * @param v    in, [n_dst, ...]  real; NULL to skip
 * @param e    in, [edges, ...]  real; NULL to skip
 * @errors     AGN_ENULL, AGN_EARG (f has another number of arguments, or not one result),
 *             AGN_ESHAPE (rows, also of what f gives), AGN_EDTYPE (complex), AGN_EUNSUPPORTED
 *             (sparse), AGN_EDEVICE, AGN_ENOMEM, those of f
 * @grad       in u, v, e
 * @cost       O(e) rows and f
 * @ref        Gilmer et al. 2017
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_apply_edges(agn_tensor **out, const agn_graph *g,
                                                        const agn_fn *f, const agn_tensor *u,
                                                        const agn_tensor *v, const agn_tensor *e);

/**
 * agn_graph_mpnn - messages by a function of the caller's, reduced where edges end
 *
 * Where the ops of f keep rows apart (element-wise ones, products with weights, reductions along
 * other axes, slices, softmax) it is traced once and runs over blocks of edges, in the order of
 * destinations: no array of messages is written, forward or backward, where values of edges are
 * made again. An f that draws numbers, mixes rows or has a result that is not i32, i64, f32 or f64
 * gets all edges at once. Slopes of an extreme go to the edges that attain it in equal parts.
 *
 * @param out     out, [n_dst, ...]
 * @param g       a graph
 * @param f       as in agn_graph_apply_edges
 * @param u       in, [n_src, ...]; NULL to skip
 * @param v       in, [n_dst, ...]; NULL to skip
 * @param e       in, [edges, ...]; NULL to skip
 * @param reduce  AGN_GEOMETRIC_SUM to AGN_GEOMETRIC_MIN
 * @errors        those of agn_graph_apply_edges; AGN_EARG (reduce)
 * @grad          in u, v, e
 * @cost          f of each edge, again for a derivative; memory of arguments, results and one block
 * @ref           Gilmer et al. 2017
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_mpnn(agn_tensor **out, const agn_graph *g,
                                                 const agn_fn *f, const agn_tensor *u,
                                                 const agn_tensor *v, const agn_tensor *e,
                                                 int32_t reduce);

/**
 * agn_graph_vector_attention - attention by scores and rows that a function of the caller's makes
 *
 * f takes those of u[src], v[dst] and e that are not NULL, in that order, and gives scores and rows.
 * y[i] = sum of softmax(scores) rows over the edges that reach i, number by number: each column has
 * weights of its own where scores are as wide as rows, a head has one where that axis of the scores
 * is 1. A node that nothing reaches gets 0. Blocks of edges as in agn_graph_mpnn.
 *
 * @param out  out, [n_dst, ...], of the rows
 * @param g    a graph
 * @param f    a function of as many arguments, with two results of one row an edge
 * @param u    in, [n_src, ...]  real; NULL to skip
 * @param v    in, [n_dst, ...]  real; NULL to skip
 * @param e    in, [edges, ...]  real; NULL to skip
 * @errors     AGN_ENULL, AGN_EARG (f has another number of arguments, or not two results),
 *             AGN_ESHAPE (rows, also of what f gives; scores that do not fit rows), AGN_EDTYPE
 *             (complex), AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ENOMEM, those of f
 * @grad       in u, v, e, and what f captures
 * @cost       f of each edge twice, again for a derivative; memory as of agn_graph_mpnn, and two
 *             numbers for each score of a node
 * @ref        Zhao, Jiang, Jia, Torr and Koltun 2021
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_vector_attention(
    agn_tensor **out, const agn_graph *g, const agn_fn *f, const agn_tensor *u,
    const agn_tensor *v, const agn_tensor *e);

/**
 * agn_graph_nnconv - sums over neighbours, each times a matrix that its edge makes
 *
 * y[i] = sum of (sum_k h[e, k] w[k] + b)^T u[src[e]] over the edges e that reach i, h the last
 * hidden row of a network of the edge. No matrix of an edge is written: rows times h are summed
 * first.
 *
 * @param out     out, [n_dst, o]
 * @param g       a graph
 * @param u       in, [n_src, f]  f32 f64, others by promotion
 * @param hidden  in, [edges, k]
 * @param w       in, [k, f, o]
 * @param b       in, [f, o]; NULL: none
 * @errors        AGN_ENULL, AGN_ESHAPE (names what does not fit), AGN_EDTYPE (complex),
 *                AGN_EUNSUPPORTED (sparse), AGN_EDEVICE, AGN_ENOMEM
 * @grad          in u, hidden, w, b
 * @cost          O(e k f), O(n k f o); n k f numbers are written
 * @ref           Gilmer et al. 2017; Simonovsky and Komodakis 2017
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_nnconv(agn_tensor **out, const agn_graph *g,
                                                   const agn_tensor *u, const agn_tensor *hidden,
                                                   const agn_tensor *w, const agn_tensor *b);

/**
 * agn_graph_gaussian_basis - distances smeared over Gaussians
 *
 * exp(-(d - c_k)^2 / (2 width^2)), c_k evenly from lo to hi, width their distance (hi - lo where n
 * is 1).
 *
 * @param out  out, [..., n]
 * @param d    in, [...]  real
 * @param lo   the first centre
 * @param hi   the last centre, above lo
 * @param n    how many, 1 or more
 * @errors     AGN_ENULL, AGN_EDTYPE (complex), AGN_EARG (n), AGN_EDOMAIN (hi is not above lo, or
 *             not finite), AGN_EUNSUPPORTED (sparse), AGN_ENOMEM
 * @grad       everywhere
 * @cost       O(size of out)
 * @ref        Schutt et al. 2018
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_gaussian_basis(agn_tensor **out, const agn_tensor *d,
                                                           double lo, double hi, int64_t n);

/**
 * agn_graph_cfconv - continuous-filter convolution
 *
 * y[i] = sum of u[src[e]] times W(e), elements by elements, over the edges e that reach i; W(e) =
 * C(d[e]) (w_2 softplus'(w_1 basis[e] + b_1) + b_2), with softplus' = log(1/2 + exp(x)/2) and C =
 * (cos(pi d / cutoff) + 1) / 2 below the cutoff, else 0.
 *
 * @param out     out, [n_dst, f]
 * @param g       a graph
 * @param u       in, [n_src, f]  f32 f64, others by promotion
 * @param basis   in, [edges, k], as of agn_graph_gaussian_basis
 * @param d       in, [edges], distances; NULL: C is 1
 * @param w1      in, [h, k]
 * @param b1      in, [h]; NULL: none
 * @param w2      in, [f, h]
 * @param b2      in, [f]; NULL: none
 * @param cutoff  above 0; read where d is not NULL
 * @errors        AGN_ENULL, AGN_ESHAPE (names what does not fit), AGN_EDTYPE (complex), AGN_EDOMAIN
 *                (cutoff), AGN_EUNSUPPORTED (sparse), AGN_EDEVICE,
 *                AGN_ENOMEM
 * @grad          in u, basis, d, w1, b1, w2, b2
 * @cost          O(e h (k + f)); the filters are written, messages are not
 * @ref           Schutt et al. 2018
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_cfconv(agn_tensor **out, const agn_graph *g,
                                                   const agn_tensor *u, const agn_tensor *basis,
                                                   const agn_tensor *d, const agn_tensor *w1,
                                                   const agn_tensor *b1, const agn_tensor *w2,
                                                   const agn_tensor *b2, double cutoff);

/**
 * agn_graph_egnn - a layer that is equivariant under motions of space
 *
 * m = f_edge(h[src], h[dst], |x[dst] - x[src]|^2, e); x'[i] = x[i] + mean of (x[i] - x[src])
 * f_shift(m); h'[i] = h[i] + f_node(h[i], sum of m). Rotations, reflections and translations of x
 * are those of x', and leave h'.
 *
 * @param h_out    out, [n, f]
 * @param x_out    out, [n, d]
 * @param g        a graph whose sources and destinations are the same nodes
 * @param h        in, [n, f]  f32 f64
 * @param x        in, [n, d], places
 * @param e        in, [edges, ...]; NULL: f_edge takes three arguments
 * @param f_edge   gives [edges, k]
 * @param f_shift  of m, gives [edges, 1]
 * @param f_node   of h and the sums [n, k], gives [n, f]
 * @errors         those of agn_graph_apply_edges; AGN_EARG (sources and destinations differ in
 *                 number), AGN_ESHAPE (h or x has not two axes)
 * @grad           in h, x, e
 * @cost           O(e) rows and the functions
 * @ref            Satorras, Hoogeboom and Welling 2021
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_egnn(agn_tensor **h_out, agn_tensor **x_out,
                                                 const agn_graph *g, const agn_tensor *h,
                                                 const agn_tensor *x, const agn_tensor *e,
                                                 const agn_fn *f_edge, const agn_fn *f_shift,
                                                 const agn_fn *f_node);

/**
 * agn_graph_network_block - a block of a mesh graph network
 *
 * e' = e + f_edge(v[src], v[dst], e), v' = v + f_node(v, sum of the e' that reach a node).
 *
 * @param v_out   out, [n, f]
 * @param e_out   out, [edges, k]
 * @param g       a graph whose sources and destinations are the same nodes
 * @param v       in, [n, f]  f32 f64
 * @param e       in, [edges, k]
 * @param f_edge  gives [edges, k]
 * @param f_node  gives [n, f]
 * @errors        those of agn_graph_apply_edges; AGN_EARG (sources and destinations differ in
 *                number)
 * @grad          in v and e
 * @cost          O(e) rows and the functions
 * @ref           Pfaff et al. 2021; Battaglia et al. 2018
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_network_block(agn_tensor **v_out, agn_tensor **e_out,
                                                          const agn_graph *g, const agn_tensor *v,
                                                          const agn_tensor *e, const agn_fn *f_edge,
                                                          const agn_fn *f_node);

/**
 * agn_graph_angles - the angle between the edges of each pair that a line graph has
 *
 * For k -> j -> i the angle at j between k and i, by a formula that is exact to rounding also near
 * 0 and pi.
 *
 * @param out   out, [edges of line], 0 to pi
 * @param line  as of agn_graph_line of g
 * @param g     a graph whose sources and destinations are the same nodes
 * @param x     in, [n, d], places  f32 f64, others by promotion
 * @errors      AGN_ENULL, AGN_ESHAPE (x has not two axes, or another number of rows), AGN_EDTYPE
 *              (complex), AGN_EARG (line has not the edges of g for nodes; sources and destinations
 *              differ in number), AGN_EUNSUPPORTED (sparse),
 *              AGN_EDEVICE, AGN_ENOMEM
 * @grad        in x, where the three places are not on a line
 * @cost        O(d) for each edge of line; two rows each are written
 * @ref         Kahan 2006; Gasteiger, Gross and Gunnemann 2020
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_angles(agn_tensor **out, const agn_graph *line,
                                                   const agn_graph *g, const agn_tensor *x);

/**
 * agn_graph_bessel_basis - distances as radial Bessel functions that end at a cutoff
 *
 * u(d / c) sqrt(2 / c) sin(k pi d / c) / d for k from 1 to n, with u(t) = 1 - (p+1)(p+2)/2 t^p +
 * p(p+2) t^(p+1) - p(p+1)/2 t^(p+2) below the cutoff c, else 0; at 0 the limit.
 *
 * @param out     out, [..., n]
 * @param d       in, [...]  real, distances
 * @param n       how many, 1 or more
 * @param cutoff  above 0
 * @param p       of the envelope, 1 to 1000; 6 is usual
 * @errors        AGN_ENULL, AGN_ESHAPE (the result has too many axes), AGN_EDTYPE (complex),
 *                AGN_EARG (n, p), AGN_EDOMAIN (cutoff), AGN_EUNSUPPORTED (sparse), AGN_ENOMEM
 * @grad          everywhere; two are continuous at the cutoff
 * @cost          O(size of out)
 * @ref           Gasteiger, Gross and Gunnemann 2020
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_bessel_basis(agn_tensor **out, const agn_tensor *d,
                                                         int64_t n, double cutoff, int32_t p);

/**
 * agn_graph_spherical_basis - distances as spherical Bessel functions that end at a cutoff
 *
 * N j_l(z_lk d / c) (2 l + 1)^(1/2) (4 pi)^(-1/2) u(d / c) c / d for l below degrees and k from 1
 * to n: z_lk is the k-th zero of j_l, N = 2^(1/2) / |j_(l+1)(z_lk)|, u that of
 * agn_graph_bessel_basis. Times agn_graph_legendre_basis of an angle it is the basis of directional
 * message passing.
 *
 * @param out      out, [..., degrees, n]
 * @param d        in, [...]  real, distances; at 0 the function of degree 0 is infinite
 * @param degrees  1 to 64
 * @param n        1 to 1000
 * @param cutoff   above 0
 * @param p        of the envelope, 1 to 1000; 6 is usual
 * @errors         AGN_ENULL, AGN_ESHAPE (the result has too many axes), AGN_EDTYPE (complex),
 *                 AGN_EARG (degrees, n, p), AGN_EDOMAIN (cutoff), AGN_EUNSUPPORTED (sparse),
 *                 AGN_ENOMEM
 * @grad           for d above 0; two are continuous at the cutoff
 * @cost           O(size of out times degrees)
 * @ref            Gasteiger, Gross and Gunnemann 2020
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_spherical_basis(agn_tensor **out, const agn_tensor *d,
                                                            int64_t degrees, int64_t n,
                                                            double cutoff, int32_t p);

/**
 * agn_graph_legendre_basis - angles as Legendre polynomials of their cosines
 *
 * @param out    out, [..., n], degrees 0 to n - 1
 * @param angle  in, [...]  real
 * @param n      how many, 1 or more
 * @errors       AGN_ENULL, AGN_ESHAPE (the result has too many axes), AGN_EDTYPE (complex),
 *               AGN_EARG (n), AGN_EUNSUPPORTED (sparse), AGN_ENOMEM
 * @grad         everywhere
 * @cost         O(size of out)
 * @ref          Gasteiger, Gross and Gunnemann 2020
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_legendre_basis(agn_tensor **out,
                                                           const agn_tensor *angle, int64_t n);

/**
 * agn_graph_spline_basis - products of B-splines on a grid
 *
 * B-splines of one degree along each axis of u in [0, 1], the first axis fastest; each row sums to
 * 1. With the result for hidden, agn_graph_nnconv is a convolution by continuous spline kernels.
 *
 * @param out     out, [e, product of sizes]
 * @param u       in, [e, d]  f32 f64, others by promotion, in [0, 1]
 * @param sizes   in, d numbers of splines along an axis, above degree
 * @param closed  in, d: whether the axis is a circle; NULL: none is
 * @param degree  1 to 3
 * @errors        AGN_ENULL, AGN_ESHAPE (u has not two axes), AGN_EDTYPE (complex), AGN_EARG
 *                (degree, sizes), AGN_EUNSUPPORTED (sparse), AGN_ENOMEM
 * @grad          in u
 * @cost          O(size of out)
 * @ref           Fey et al. 2018, SplineCNN
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_spline_basis(agn_tensor **out, const agn_tensor *u,
                                                         const int32_t *sizes, const bool *closed,
                                                         int32_t degree);

/**
 * agn_graph_directional - messages between edges, filtered by their distances and angles
 *
 * y[e] = w_self m[e] + sum over the triplets t that lead to e of (w_message m[src[t]]) times
 * (w_basis basis[t]), elements by elements.
 *
 * @param out        out, [edges, o]
 * @param line       a line graph, as of agn_graph_line: its nodes are edges
 * @param m          in, [edges, f], messages  f32 f64, others by promotion
 * @param basis      in, [triplets, k], as of agn_graph_legendre_basis and agn_graph_bessel_basis
 * @param w_self     in, [o, f]
 * @param w_message  in, [o, f]
 * @param w_basis    in, [o, k]
 * @errors           AGN_ENULL, AGN_ESHAPE (names what does not fit), AGN_EDTYPE (complex),
 *                   AGN_EARG (sources and destinations differ in number), AGN_EUNSUPPORTED
 *                   (sparse), AGN_EDEVICE, AGN_ENOMEM
 * @grad             in m, basis and the weights
 * @cost             O(edges f o + triplets k o)
 * @ref              Gasteiger, Gross and Gunnemann 2020
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_directional(
    agn_tensor **out, const agn_graph *line, const agn_tensor *m, const agn_tensor *basis,
    const agn_tensor *w_self, const agn_tensor *w_message, const agn_tensor *w_basis);

/** Options of agn_graph_dimenet; zero bytes are defaults. */
typedef struct agn_dimenet_options {
    size_t size;      /* sizeof(agn_dimenet_options) */
    int32_t blocks;   /* of interaction; 0: 4 */
    int32_t before;   /* residual layers of each before its input is added; 0: 1; -1: none */
    int32_t after;    /* behind; 0: 2; -1: none */
    int32_t layers;   /* of each output; 0: 3; -1: none */
    int32_t degrees;  /* of angles; 0: 7 */
    int32_t radial;   /* functions of distances; 0: 6 */
    int32_t envelope; /* p of agn_graph_bessel_basis; 0: 6 */
    double cutoff;    /* 0: 5 */
} agn_dimenet_options;

/**
 * agn_graph_dimenet - DimeNet++: a network of distances and angles between edges
 *
 * Activations are x sigmoid(x); weights are [out, in]. r is agn_graph_bessel_basis of the distances
 * times c (c / 2)^(1/2), b the basis of agn_graph_spherical_basis at src times that of angles. The
 * parameters, in this order:
 *
 * embedding: w_r, b_r, w_e, b_e: messages m = act(w_e (h_dst, h_src, act(w_r r + b_r)) + b_e)
 *
 * output: w_r, w_up, (w, b) for each layer, w_out: the sums of (w_r r) m that reach a node, times
 * w_up, layers x = act(w x + b), w_out x
 *
 * for each block: w_ji, b_ji, w_kj, b_kj, w_r1, w_r2, w_b1, w_b2, w_down, w_up, (w1, b1, w2, b2)
 * for each layer before, w, b, (w1, b1, w2, b2) for each layer after; then an output as above:
 * t = act(w_down (act(w_kj m + b_kj) w_r2 w_r1 r)), y = act(w_ji m + b_ji) + act(w_up (sum over
 * the triplets of t_src w_b2 w_b1 b)), residual layers y + act(w2 act(w1 y + b1) + b2), m = act(w y
 * + b) + m, residual layers.
 *
 * @param out   out, [n, o], the sum of all outputs for each node
 * @param g     a graph whose sources and destinations are the same nodes, without loops
 * @param line  as of agn_graph_line of g
 * @param h     in, [n, f]  f32 f64, rows of the nodes' kinds
 * @param x     in, [n, 3], places, no two of an edge the same
 * @param w     in, the parameters
 * @param n_w   4 + 3 + 2 layers + blocks (15 + 4 (before + after) + 2 layers)
 * @param opts  NULL for defaults
 * @errors      AGN_ENULL, AGN_ESHAPE (names the parameter that does not fit), AGN_EDTYPE (complex),
 *              AGN_EARG (n_w, opts, line has not the edges of g for nodes; sources and destinations
 *              differ in number), AGN_EDOMAIN (cutoff), AGN_EUNSUPPORTED (sparse, a device other
 *              than the host), AGN_EDEVICE, AGN_ENOMEM
 * @grad        in h, x and the parameters; in x where three places are not on a line
 * @cost        products of edges f^2 and of triplets degrees radial; no row of triplets is written
 *              but degrees numbers each
 * @ref         Gasteiger, Giri, Margraf and Gunnemann 2020
 */
AGN_API AGN_MUST_CHECK agn_status agn_graph_dimenet(
    agn_tensor **out, const agn_graph *g, const agn_graph *line, const agn_tensor *h,
    const agn_tensor *x, const agn_tensor *const *w, int32_t n_w, const agn_dimenet_options *opts);

#ifdef __cplusplus
}
#endif
#endif
