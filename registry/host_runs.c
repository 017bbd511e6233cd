/* registry/host_runs.c - the table of ops and public functions that run on the host for tensors
   of a device which has no kernel of them: copied there and back (tensor/dispatch/host_run.h),
   counted, told. */
#include "tensor/dispatch/host_run.h"

#define QR_STEPS "steps of QR that follow single numbers"
#define UPDATE "rotations one after the other, O(n^2)"
#define PIVOTS "each step waits for the next pivot"
#define BLOCKS "back substitution by small blocks"
#define RARE "a factorisation of a single matrix that few call"
#define KRYLOV "a Krylov space whose length follows its numbers"
#define RECURRENCE "a sum or recurrence whose length follows an attribute"
#define STEPS "an equation's Taylor steps, as many as the argument asks"
#define ROOTS "a root of a continued fraction, then its series"
#define WEIGHTS "sums outwards from a largest term, as long as it takes"
#define SEARCH "a path or a list whose next place follows from the last"
#define DRAWS "ranks and tails of draws, once after a run"
#define CELLS "points are sorted by cells of a grid"
#define SPARSE_FACTOR "a sparse factorisation"

const agni_host_row agni_host_rows[] = {
    /* ops of module linalg */
    {"linalg_eig", QR_STEPS},
    {"linalg_eigvals", QR_STEPS},
    {"linalg_schur", QR_STEPS},
    {"linalg_schur_ordered", QR_STEPS},
    {"linalg_schur_complex", QR_STEPS},
    {"linalg_qz", QR_STEPS},
    {"linalg_eig_pencil", QR_STEPS},
    {"linalg_spectrum", QR_STEPS},
    {"linalg_hessenberg", RARE},
    {"linalg_balance", RARE},
    {"linalg_cossin", RARE},
    {"linalg_geqrf", RARE},
    {"linalg_tie_diagonal", "clusters of complex values"},
    {"linalg_tie_embed", "clusters of complex values"},
    {"linalg_cholesky_info", PIVOTS},
    {"linalg_orthogonal", RARE},
    {"linalg_lstsq_constrained", RARE},
    {"linalg_polar", RARE},
    {"linalg_rcond", RARE},
    {"linalg_any_solve", RARE},
    {"linalg_refined_solve", RARE},
    {"linalg_mixed_solve", RARE},
    {"linalg_lstsq", RARE},
    {"linalg_matrix_exp", "degree and squarings follow each matrix"},
    {"linalg_sqrtm", BLOCKS},
    {"linalg_logm", BLOCKS},
    {"linalg_signm", BLOCKS},
    {"linalg_parlett", BLOCKS},
    {"linalg_sylvester", BLOCKS},
    {"linalg_riccati", BLOCKS},
    {"linalg_ldl", PIVOTS},
    {"linalg_qr_pivots", PIVOTS},
    {"linalg_cholesky_pivots", PIVOTS},
    {"linalg_cholesky_update", UPDATE},
    {"linalg_qr_change", UPDATE},
    {"linalg_banded_solve", UPDATE},
    {"linalg_cholesky_banded", UPDATE},
    {"linalg_band_tangent", UPDATE},
    {"linalg_eigh_banded", QR_STEPS},
    {"linalg_eigvalsh_banded", QR_STEPS},
    {"linalg_toeplitz_solve", UPDATE},
    /* ops of module fft */
    {"fft_gather", CELLS},
    {"fft_spread", CELLS},
    /* ops of special functions */
    {"mathieu_value", ROOTS},
    {"mathieu", ROOTS},
    {"mathieu_modified", ROOTS},
    {"bessel_integral", "Gauss' rule over panels, as many as the argument asks"},
    {"noncentral", WEIGHTS},
    {"noncentral_t", WEIGHTS},
    {"wright", WEIGHTS},
    {"spheroidal_value", ROOTS},
    {"spheroidal", ROOTS},
    {"legendre_q", RECURRENCE},
    {"spheroidal_radial", STEPS},
    {"parabolic_w", STEPS},
    {"lame", ROOTS},
    {"bessel_moment", "Gauss' rule over panels, as many as the argument asks"},
    {"smirnov", RECURRENCE},
    {"smirnov_inverse", RECURRENCE},
    {"tukey_lambda", "Newton's steps between bounds, as many as the argument asks"},
    {"eta_plane", "sums whose length follows the argument, in double-double"},
    /* ops of module sparse */
    {"sparse_linsolve", SPARSE_FACTOR},
    {"sparse_lstsq", SPARSE_FACTOR},
    {"sparse_logdet", SPARSE_FACTOR},
    {"sparse_inverse", SPARSE_FACTOR},
    /* ops of module geometric */
    {"graph_messages", "programs of rows, one block of edges after the other"},
    /* functions: iterations for vectors of a given matrix */
    {"eigsh", SPARSE_FACTOR ": of a mass, or near a shift; LOBPCG"},
    {"eigs", SPARSE_FACTOR ": near a shift"},
    {"pca_lowrank", KRYLOV},
    {"svd_lowrank", KRYLOV},
    {"expm_multiply", KRYLOV},
    {"krylov_solve", "preconditioners that are factors"},
    /* functions: one number decides where the next is looked for */
    {"signal_find_peaks", SEARCH},
    {"signal_measure_peaks", SEARCH},
    {"signal_roots_to_sections", SEARCH},
    {"signal_find_peaks_cwt", SEARCH},
    {"signal_unique_roots", SEARCH},
    {"signal_place_poles", SEARCH},
    {"audio_dtw", SEARCH},
    {"audio_viterbi", SEARCH},
    {"audio_pyin", SEARCH},
    {"audio_subsegment", SEARCH},
    {"audio_beats", SEARCH},
    {"audio_onsets", SEARCH},
    {"audio_onset_begins", SEARCH},
    {"audio_voice_activity", SEARCH},
    {"audio_split", SEARCH},
    {"audio_recurrence", SEARCH},
    {"audio_cross_similarity", SEARCH},
    {"audio_tuning", "a histogram of a whole recording"},
    {"audio_recurrence_path", SEARCH},
    {"audio_sections", SEARCH},
    {"audio_ctc_align", SEARCH},
    {"audio_ctc_decode", SEARCH},
    {"audio_ctc_collapse", SEARCH},
    {"audio_edit_distance", SEARCH},
    {"signal_polynomials_to_sections", SEARCH},
    {"log_density", "rows of a thousand numbers at most"},
    /* functions: diagnostics of chains */
    {"infer_rhat", DRAWS},
    {"infer_ess_bulk", DRAWS},
    {"infer_ess_tail", DRAWS},
    {"infer_mcse", DRAWS},
    {"infer_bfmi", DRAWS},
    {"infer_psis", DRAWS},
    {"infer_loo", DRAWS},
    {"infer_waic", DRAWS},
    {"infer_sbc_check", DRAWS},
};
const int agni_n_host_rows = (int)(sizeof agni_host_rows / sizeof *agni_host_rows);
