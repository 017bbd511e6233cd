/* tools/cases.h - what ops of the modules should give (tools/modules.c). */
#ifndef AGNESI_CASES_H
#define AGNESI_CASES_H

#include "verify.h"

typedef void case_want(const op_case *c, int dtype, wide *const *x, wide *y);
typedef agn_status case_run(agn_tensor **out, const op_case *c, int dtype,
                            const agn_tensor *const *x);

case_want want_same, want_cholesky, want_triangle, want_triangular, want_solution, want_r2c,
    want_c2r, want_c2c, want_r2r, want_frame, want_overlap, want_allpole, want_stft,
    want_stft_adjoint, want_stft_both, want_stft_both_adjoint, want_about, want_added;
case_run run_cholesky, run_triangular, run_lu, run_stft_adjoint, run_spread;

/* a constant of a case, on the device of x */
const agn_tensor *beside(agn_scope *s, const agn_tensor *x, const agn_tensor *constant);

/* tables of other files, by area */
extern const op_case cases_index[];
extern const op_case cases_random[];
extern const op_case cases_product[];
extern const op_case cases_reduce[];
extern const op_case cases_sparse[];
extern const op_case cases_graph[];
extern const op_case cases_control[];
extern const op_case cases_linalg[];
extern const op_case cases_special[];
extern const op_case cases_integrals[];
extern const op_case cases_waves[];

#endif
