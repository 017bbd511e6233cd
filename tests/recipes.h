/* tests/recipes.h - arguments that fit a public function, as text: what t-cuda-calls would not draw by chance.
   NAME=VALUE for arguments by their names; the others are drawn.

     tensor   a letter, its shape as 2x3, and numbers in brackets, row by row, else they are drawn: r between -1 and 1,
              p 0.2 and 1, d 3 and 5, u rising, s positive definite matrices, z complex, b truth, i integers (numbers are
              given), k a key, m a sparse matrix [4, 4] of 10 entries, q a definite one; - is NULL. @ before it: it stays on
              the host, as the documentation says.
     tensors  the same, with | between them
     sizes, axes, numbers   with commas between them
     graph    how many edges it has, between 4 nodes                                                        */
#ifndef AGN_TESTS_RECIPES_H
#define AGN_TESTS_RECIPES_H

#include "calls.h"

#define SECTIONS "sos=r2x6[0.2,0.3,0.1,1,-0.4,0.2,0.5,0.1,0.3,1,0.2,0.1]"
#define PITCH "x=r1500 rate=8000 lowest=200 highest=1000 length=256 hop=512"
#define TREE "ids=i[0,0,1,1,2] segments=3"
#define ROTATED "[0.6,-0.8,0.8,0.6]"

struct recipe {
    const char *name, *text, *why; /* text or why it is not called */
};
static const struct recipe recipes[] = {
    {"agn_squeeze", "x=r2x1x3 axis=1", NULL},
    {"agn_as_complex", "x=r3x2", NULL},
    {"agn_histogramdd", "x=r5x2 edges=u4|u3 n=2 weights=p5", NULL},
    {"agn_conv_transpose", "x=r2x3x4x4 w=r3x2x2x2 axes=2", NULL},
    {"agn_gradient", NULL, "of watched tensors: t-cuda-deriv"},
    {"agn_gradient_with", NULL, "of watched tensors: t-cuda-deriv"},
    {"agn_linalg_eigh_generalized", "a=s4x4 b=s4x4", NULL},
    {"agn_linalg_leslie", "births=p4 survival=p3", NULL},
    {"agn_linalg_solve_tridiagonal", "dl=r3 d=d4 du=r3 b=r4x2", NULL},
    {"agn_linalg_cholesky_banded", "ab=r2x4[4,5,4,6,1,1,1,0] upper=0", NULL},
    {"agn_linalg_eigh_tridiagonal", "d=r4 e=p3", NULL},
    {"agn_linalg_eigvalsh_tridiagonal", "d=r4 e=p3", NULL},
    {"agn_linalg_ldl_solve",
     "l=r3x3[1,0,0,0.5,1,0,0.2,0.3,1] d=r3x3[2,0,0,0,-3,0,0,0,4] perm=i[1,0,2] b=r3x2 hermitian=1", NULL},
    {"agn_linalg_cossin", "x=r2x2" ROTATED " p=1 q=1", NULL},
    {"agn_linalg_matrix_norm_with", "a=r3x4 p=0 rows=0 columns=1", NULL},
    {"agn_linalg_schur_complex", "t=r2x2[1,2,-2,1] z=r2x2[1,0,0,1]", NULL},
    {"agn_sparse_csr", "rows=3 cols=4 indptr=i[0,2,3,4] indices=i[0,2,1,3] values=r4", NULL},
    {"agn_sparse_csc", "rows=4 cols=3 indptr=i[0,2,3,4] indices=i[0,2,1,3] values=r4", NULL},
    {"agn_sparse_csr_batch", "batch=2 rows=2 cols=3 indptr=i[0,1,2,3,4] indices=i[0,1,2,0] values=r4", NULL},
    {"agn_sparse_with_values", "a=m values=r10", NULL},
    {"agn_sparse_kron", "a=m b=m", NULL},
    {"agn_sparse_block", "blocks=m|m rows=1 cols=2", NULL},
    {"agn_sparse_mask_as", "x=r4x4 mask=m", NULL},
    {"agn_sparse_masked_matmul", "x=r4x3 y=r3x4 mask=m", NULL},
    {"agn_fft_modes_to_nonuniform", "x=z8 points=r5x1 sign=1 tolerance=0", NULL},
    {"agn_fft_nonuniform_to_modes", "x=z5 points=r5x1 modes=8 n_modes=1 sign=1 tolerance=0", NULL},
    {"agn_fft_nonuniform_to_nonuniform",
     "x=z5 points=r5x1 frequencies=r6x1 extent=1,1 n_extent=2 sign=1 tolerance=0", NULL},
    {"agn_signal_istft", "x=z257x4 length=0", NULL},
    {"agn_signal_sosfilt", SECTIONS " x=r20", NULL},
    {"agn_signal_sosfilt_state", SECTIONS " x=r20 initial=r2x2", NULL},
    {"agn_signal_sosfilt_steady", SECTIONS, NULL},
    {"agn_signal_sosfiltfilt", SECTIONS " x=r20", NULL},
    {"agn_signal_sosfreqz", SECTIONS " w=p5", NULL},
    {"agn_signal_sections_to_polynomials", SECTIONS, NULL},
    {"agn_signal_sections_to_roots", SECTIONS, NULL},
    {"agn_signal_filtfilt", "b=p3 a=r3[1,-0.3,0.1] x=r20", NULL},
    {"agn_signal_gausspulse", "t=r7 frequency=5 bandwidth=0.5 level=-6", NULL},
    {"agn_signal_rank_filter", "x=r5x6 rows=3 columns=3 rank=2", NULL},
    {"agn_signal_sepfir2d", "x=r5x6 row=p3 column=p3 edge=1", NULL},
    {"agn_signal_place_poles",
     "a=r2x2[0,1,-2,-3] b=r2x1[0,1] poles=r2[-1,-4] method=0 iterations=30 tolerance=0.001", NULL},
    {"agn_gaussian_markov_field_log_prob", "x=r4 loc=r4 precision=q", NULL},
    {"agn_graph_sample_khop_weighted", "g=4 seeds=i[0,2] most=2,2 n_most=2 weights=p4 key=k", NULL},
    {"agn_graph_laplacian_encoding", NULL, "of a graph without ties, whose vectors are not free: t-cuda-graphs"},
    {"agn_graph_sage", "g=4 u=r4x3 v=r4x3 w_u=r2x3 w_v=r2x3 bias=r2 reduce=0", NULL},
    {"agn_graph_gat", "g=4 u=r4x2x3 v=r4x2x3 s=r2x3 t=r2x3 slope=0.2", NULL},
    {"agn_graph_gatv2", "g=4 u=r4x2x3 v=r4x2x3 a=r2x3 slope=0.2", NULL},
    {"agn_graph_supergat", "g=4 u=r4x2x3 v=r4x2x3 s=r2x3 t=r2x3 slope=0.2", NULL},
    {"agn_graph_attention", "g=4 query=r4x2x3 key=r4x2x3 value=r4x2x5", NULL},
    {"agn_graph_cheb", "g=4 x=r4x3 w=p4 weight=r3x2x3 bias=r2 largest=2", NULL},
    {"agn_graph_tag", "g=4 x=r4x3 w=p4 weight=r3x2x3 bias=r2", NULL},
    {"agn_graph_arma", "g=4 x=r4x3 w=p4 first=r2x5x3 weight=r2x5x5 root=r2x5x3 bias=r2x5 layers=2", NULL},
    {"agn_graph_pan", "g=4 x=r4x3 coef=p3 weight=r2x3 bias=r2", NULL},
    {"agn_graph_res_gated", "g=4 key=r4x3 query=r4x3 value=r4x3", NULL},
    {"agn_graph_gated", "g=4 x=r4x3 weights=p4 w=r2x3x3 w_in=r9x3 w_state=r9x3 b_in=r9 b_state=r9", NULL},
    {"agn_geometric_semantic_attention", "x=r2x4x3 weight=r5x3 bias=r5 q=r5", NULL},
    {"agn_graph_edge_mm", "g=4 x=r4x3 w=r4x3x2", NULL},
    {"agn_graph_nnconv", "g=4 u=r4x3 hidden=r4x5 w=r5x3x2 b=r3x2", NULL},
    {"agn_graph_cfconv", "g=4 u=r4x3 basis=r4x5 d=p4 w1=r6x5 b1=r6 w2=r3x6 b2=r3 cutoff=2", NULL},
    {"agn_graph_dimenet", NULL, "of a graph and its line graph, on the host alone: t-geometric-dimenet"},
    {"agn_graph_sag_score", "g=4 x=r4x3 w=r3 bias=r", NULL},
    {"agn_geometric_set2set", "x=r5x3 " TREE " w_in=r12x6 w_state=r12x3 bias=r12 steps=2", NULL},
    {"agn_geometric_segment_lstm", "x=r5x3 " TREE " w_in=r8x3 w_state=r8x2 bias=r8", NULL},
    {"agn_geometric_segment_gru", "x=r5x3 " TREE " w_in=r6x3 w_state=r6x2 b_in=r6 b_state=r6", NULL},
    {"agn_geometric_dense_pool", "x=r2x4x3 a=p2x4x4 score=r2x4x2 mask=b2x4[1,1,1,0,1,1,1,1] kind=0", NULL},
    {"agn_geometric_memory_pool", "x=r2x4x3 key=r2x2x3 weight=r2 tau=1 mask=-", NULL},
    {"agn_graph_cell_boundary", "cells=i2x3[0,1,2,1,2,3] kind=5", NULL},
    {"agn_mesh_triangulate", "x=r8x2", NULL},
    {"agn_mesh_sample", "x=r4x2 cells=i2x3[0,1,2,1,2,3] count=3 key=k", NULL},
    {"agn_audio_griffin_lim", "x=p257x3 phase=r257x3 iterations=2 momentum=0.9 length=0", NULL},
    {"agn_audio_yin", PITCH " level=0.1", NULL},
    {"agn_audio_pyin", PITCH, NULL},
    {"agn_audio_loudness", "x=r2x2000 rate=4000", NULL},
    {"agn_audio_constant_q", "x=r600 rate=9000", NULL},
    {"agn_audio_inverse_constant_q", "x=z84x2 rate=9000 length=600 iterations=1", NULL},
    {"agn_audio_griffin_lim_constant_q",
     "x=p84x2 phase=r84x2 rate=9000 length=600 iterations=1 momentum=0.5 steps=1", NULL},
    {"agn_audio_chroma_cqt", "x=r600 rate=9000 classes=12", NULL},
    {"agn_audio_phaser", "x=r200 rate=8000", NULL},
    {"agn_audio_semitones", "x=r60 rate=882 win_length=26 hop=60 tuning=0", NULL},
    {"agn_audio_harmonics", "x=p6x3 frequencies=@u6 harmonics=1,2 count=2", NULL},
    {"agn_audio_pitch_harmonics", "x=p6x3 pitch=p3 frequencies=@u6 harmonics=1,2 count=2", NULL},
    {"agn_audio_kaldi_fbank", "x=r1200 rate=16000", NULL},
    {"agn_audio_kaldi_mfcc", "x=r1200 rate=16000", NULL},
    {"agn_audio_steered_weights", "transfer=z3x2 noise=z3x2x2[2,0.1,0.1,3,1,0.2,0.2,2,4,0,0,1] reference=0 loading=1e-7", NULL},
    {"agn_audio_beamform", "weights=z3x2 x=z2x3x4", NULL},
    {"agn_audio_room_response",
     "room=r3[4,5,3] source=r3[1,2,1] microphone=r2x3[2,2,1,3,4,2] absorption=r6[0.3,0.4,0.5,0.3,0.2,0.6] order=1 "
     "rate=8000 speed=343 n=200", NULL},
    {"agn_nn_multi_margin_loss", "x=r3x4 target=i[0,2,3] p=1 margin=1 weight=p4 reduction=0", NULL},
    {"agn_nn_ctc_loss", "x=r6x2x4 target=i2x2[1,2,3,1] input_lengths=i[6,5] target_lengths=i[2,1]", NULL},
    {"agn_nn_rnnt_loss", "x=r2x4x3x4 target=i2x2[1,2,3,1] input_lengths=i[4,3] target_lengths=i[2,1]", NULL},
    {"agn_nn_hsigmoid_loss", "x=r3x4 target=i[0,4,2] weight=r4x4 bias=r4 reduction=0", NULL},
    {"agn_nn_adaptive_log_softmax", "x=r3x4 head=r4x4 bias=r4 tails=r2x4|r5x2 cutoffs=3 clusters=1", NULL},
};

static inline const struct recipe *recipe_of(const char *function)
{
    for (size_t i = 0; i < sizeof recipes / sizeof *recipes; i++)
        if (!strcmp(recipes[i].name, function))
            return recipes + i;
    return NULL;
}

/* what the recipe says of an argument; NULL: nothing */
static inline const char *value_of(const struct recipe *r, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = r && r->text ? r->text : ""; *p; p += strcspn(p, " "), p += *p == ' ')
        if (!strncmp(p, name, n) && p[n] == '=')
            return p + n + 1;
    return NULL;
}

/* numbers with commas between them, at most `most` */
static inline int read_numbers(const char *text, double *v, int most)
{
    int n = 0;
    for (char *end; n < most; text = end + 1, n++) {
        v[n] = strtod(text, &end);
        if (end == text || *end != ',')
            return n + (end != text);
    }
    return n;
}

/* ---- tensors ------------------------------------------------------------------------------- */

static inline agn_tensor *sparse_matrix(int dtype, const double *given)
{
    agn_tensor *ip, *ix, *v = NULL, *y = NULL;
    v = given ? of_reals(dtype, 1, (int64_t[]){10}, given) : random_of(dtype, 1, (int64_t[]){10}, 0.5, 2);
    must(agn_from_host(&ip, AGN_I64, 1, (int64_t[]){5}, (int64_t[]){0, 2, 5, 8, 10}));
    must(agn_from_host(&ix, AGN_I64, 1, (int64_t[]){10}, (int64_t[]){0, 1, 0, 1, 2, 1, 2, 3, 2, 3}));
    must(agn_sparse_csr(&y, 4, 4, ip, ix, v));
    agn_release(ip), agn_release(ix), agn_release(v);
    return y;
}

/* symmetric matrices whose diagonal is larger than all else of its row */
static inline agn_tensor *definite_matrices(int dtype, int ndim, const int64_t *shape)
{
    double v[64] = {0};
    int64_t n = shape[ndim - 1], all = count_of(ndim, shape);
    for (int64_t m = 0; m < all && all <= 64; m += n * n)
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j <= i; j++)
                v[m + i * n + j] = v[m + j * n + i] = rnd_in(0, 1) + (i == j ? 2.0 * (double)n : 0);
    return of_reals(dtype, ndim, shape, v);
}

static inline agn_tensor *tensor_by(const char *text, int dtype)
{
    int64_t shape[8];
    double given[64];
    int ndim = 0, n = 0;
    const char kind = *text++;
    for (char *end; *text >= '0' && *text <= '9'; text = end + (*end == 'x'))
        shape[ndim++] = strtoll(text, &end, 10);
    if (*text == '[' && (n = read_numbers(text + 1, given, 64)) && !ndim)
        shape[ndim++] = n;
    dtype = kind == 'z'   ? dtype == AGN_F32 ? AGN_C64 : AGN_C128
            : kind == 'i' ? AGN_I64
            : kind == 'b' ? AGN_BOOL
                          : dtype;
    if (n)
        return of_reals(dtype, ndim, shape, given);
    switch (kind) {
    case '-': return NULL;
    case 'm': return sparse_matrix(dtype, NULL);
    case 'q': return sparse_matrix(dtype, (double[]){4, 1, 1, 5, 1, 1, 4, -1, -1, 6});
    case 'k': return random_of(AGN_I64, 1, (int64_t[]){2}, 0, 1 << 20);
    case 's': return definite_matrices(dtype, ndim, shape);
    case 'u':
        for (int64_t i = 0; i < shape[0]; i++)
            given[i] = (double)i - 1 + rnd_in(0.1, 0.9);
        return of_reals(dtype, ndim, shape, given);
    default:
        return random_of(dtype, ndim, shape, kind == 'd' ? 3 : kind == 'p' ? 0.2 : -1, kind == 'd' ? 5 : 1);
    }
}

#endif
