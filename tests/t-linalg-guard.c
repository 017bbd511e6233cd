/* t-linalg-guard - every block of memory ends at a page that nothing may touch while LAPACK works. BLAS libraries
   read beyond a vector whose value they then do not use: zgemv_n of OpenBLAS 0.3.21 takes one element more, a stride
   away, where the rows are 2 modulo 4. A factorisation leaves room behind what it hands over. */
#include "modes.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096 };

static void *alloc_guarded(void *user, size_t bytes, size_t align)
{
    (void)user;
    size_t inside = (bytes + align - 1) / align * align, pages = (inside + PAGE - 1) / PAGE * PAGE;
    char *p = mmap(NULL, pages + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    if (mprotect(p + pages, PAGE, PROT_NONE)) {
        munmap(p, pages + PAGE);
        return NULL;
    }
    return p + pages - inside;
}
static void free_guarded(void *user, void *p, size_t bytes)
{
    (void)user;
    char *start = (char *)((uintptr_t)p / PAGE * PAGE);
    munmap(start, ((size_t)((char *)p - start) + bytes + PAGE - 1) / PAGE * PAGE + PAGE);
}

/* ---- what is called -------------------------------------------------------------- */

typedef struct operands {
    const agn_tensor *wide, *square, *spd, *right; /* [m,n], [n,n], [n,n], [n,2] */
    const agn_tensor *hermitian, *unitary;         /* [n,n], indefinite; [n,n] */
} operands;
typedef agn_status call_of(const operands *o, agn_tensor **r);

#define CALL(name, ...) \
    static agn_status call_##name(const operands *o, agn_tensor **r) \
    { \
        return __VA_ARGS__; \
    }
CALL(qr, agn_linalg_qr(r, r + 1, o->wide, false))
CALL(qr_complete, agn_linalg_qr(r, r + 1, o->wide, true))
CALL(qr_pivoted, agn_linalg_qr_pivoted(r, r + 1, r + 2, o->wide, false))
CALL(rq, agn_linalg_rq(r, r + 1, o->wide))
CALL(eigh, agn_linalg_eigh(r, r + 1, o->spd, false))
CALL(eigvalsh, agn_linalg_eigvalsh(r, o->spd, false))
CALL(eig, agn_linalg_eig(r, r + 1, o->square))
CALL(eigvals, agn_linalg_eigvals(r, o->square))
CALL(svd, agn_linalg_svd(r, r + 1, r + 2, o->wide, false))
CALL(svd_full, agn_linalg_svd(r, r + 1, r + 2, o->wide, true))
CALL(svdvals, agn_linalg_svdvals(r, o->wide))
CALL(schur, agn_linalg_schur(r, r + 1, o->square))
CALL(hessenberg, agn_linalg_hessenberg(r, r + 1, o->square))
CALL(cholesky, agn_linalg_cholesky(r, o->spd, false))
CALL(lu, agn_linalg_lu_factor(r, r + 1, o->wide))
CALL(solve, agn_linalg_solve(r, o->square, o->right))
CALL(inv, agn_linalg_inv(r, o->square))
CALL(det, agn_linalg_det(r, o->square))
CALL(rcond, agn_linalg_rcond(r, o->square))
CALL(pinv, agn_linalg_pinv(r, o->wide, -1))
CALL(polar, agn_linalg_polar(r, r + 1, o->wide))
CALL(ldl, agn_linalg_ldl_factor(r, r + 1, r + 2, o->spd, false, true))
CALL(matrix_exp, agn_linalg_matrix_exp(r, o->square))
CALL(sqrtm, agn_linalg_sqrtm(r, o->spd))
CALL(logm, agn_linalg_logm(r, o->spd))
CALL(signm, agn_linalg_signm(r, o->spd))
CALL(sylvester, agn_linalg_solve_sylvester(r, o->spd, o->spd, o->square))
CALL(qz, agn_linalg_qz_ordered(r, r + 1, r + 2, r + 3, r + 4, o->square, o->spd, AGN_ORDER_RIGHT))
CALL(schur_ordered, agn_linalg_schur_ordered(r, r + 1, r + 2, o->square, AGN_ORDER_OUTSIDE))
CALL(eig_generalized, agn_linalg_eig_generalized(r, r + 1, o->square, o->spd))
CALL(gels, agn_linalg_lstsq_with(r, r + 1, r + 2, o->square, o->right, AGN_LSTSQ_GELS, -1))
CALL(gelsy, agn_linalg_lstsq_with(r, r + 1, r + 2, o->wide, o->wide, AGN_LSTSQ_GELSY, -1))
CALL(gelsd, agn_linalg_lstsq_with(r, r + 1, r + 2, o->wide, o->wide, AGN_LSTSQ_GELSD, -1))
CALL(gelss, agn_linalg_lstsq_with(r, r + 1, r + 2, o->wide, o->wide, AGN_LSTSQ_GELSS, -1))
CALL(refined, agn_linalg_solve_refined(r, r + 1, r + 2, r + 3, o->square, o->right))
CALL(structured, agn_linalg_solve_structured(r, r + 1, o->square, o->right))
CALL(indefinite, agn_linalg_solve_structured(r, r + 1, o->hermitian, o->right))
CALL(geqrf, agn_linalg_geqrf(r, r + 1, o->wide))
CALL(cossin, agn_linalg_cossin(r, r + 1, r + 2, r + 3, r + 4, o->unitary, (agn_shape(o->unitary)[0] + 1) / 2, agn_shape(o->unitary)[0] / 3))
CALL(balance, agn_linalg_balance(r, r + 1, r + 2, o->square))
CALL(pivoted, agn_linalg_cholesky_pivoted(r, r + 1, r + 2, o->spd, -1, true))
CALL(complete, agn_linalg_complete_orthogonal(r, r + 1, r + 2, o->square, agn_shape(o->square)[0], -1))
CALL(mixed, agn_linalg_solve_mixed(r, r + 1, o->square, o->right))
CALL(solve_spd, agn_linalg_solve(r, o->spd, o->right))
CALL(solve_right, agn_linalg_solve_right(r, o->square, o->square))
CALL(gglse, agn_linalg_lstsq_constrained(r, o->square, o->right, o->spd, o->right))
CALL(ggglm, agn_linalg_gauss_markov(r, r + 1, o->square, o->spd, o->right))
CALL(lyapunov, agn_linalg_continuous_lyapunov(r, o->spd, o->hermitian))
CALL(eigh_generalized, agn_linalg_eigh_generalized(r, r + 1, o->hermitian, o->spd, false))
CALL(null_space, agn_linalg_null_space(r, o->square, agn_shape(o->square)[0], -1))
static agn_status call_schur_complex(const operands *o, agn_tensor **r)
{
    agn_status st = agn_linalg_schur(r, r + 1, o->square);
    return st ? st : agn_linalg_schur_complex(r + 2, r + 3, r[0], r[1]);
}
static agn_status call_qr_update(const operands *o, agn_tensor **r)
{
    agn_tensor *u = NULL;
    agn_status st = agn_linalg_qr(r, r + 1, o->square, true);
    st = st ? st : agn_index_axis(&u, o->right, -1, 0);
    st = st ? st : agn_linalg_qr_update(r + 2, r + 3, r[0], r[1], u, u);
    agn_release(u);
    return st;
}
static agn_status call_qr_insert(const operands *o, agn_tensor **r)
{
    agn_status st = agn_linalg_qr(r, r + 1, o->square, true);
    return st ? st : agn_linalg_qr_insert(r + 2, r + 3, r[0], r[1], o->right, 0, true);
}
static agn_status call_qr_delete(const operands *o, agn_tensor **r)
{
    agn_status st = agn_linalg_qr(r, r + 1, o->square, true);
    return st ? st : agn_linalg_qr_delete(r + 2, r + 3, r[0], r[1], 0, 1, false);
}

static const struct {
    const char *name;
    call_of *call;
    bool tall; /* as many rows as columns, or more */
} calls[] = {
#define ROW(name, tall) \
    { \
#name, call_##name, tall \
    }
    ROW(qr, false),         ROW(qr_complete, false), ROW(qr_pivoted, false), ROW(rq, false),
    ROW(eigh, false),       ROW(eigvalsh, false),    ROW(eig, false),        ROW(eigvals, false),
    ROW(svd, false),        ROW(svd_full, false),    ROW(svdvals, false),    ROW(schur, false),
    ROW(hessenberg, false), ROW(cholesky, false),    ROW(lu, false),         ROW(solve, false),
    ROW(inv, false),        ROW(det, false),         ROW(rcond, false),      ROW(pinv, false),
    ROW(polar, true),       ROW(ldl, false),         ROW(matrix_exp, false), ROW(sqrtm, false),
    ROW(logm, false),       ROW(sylvester, false),   ROW(signm, false),
    ROW(qz, false),         ROW(schur_ordered, false), ROW(eig_generalized, false), ROW(gels, false),
    ROW(gelsy, false),      ROW(gelsd, false),       ROW(gelss, false),      ROW(refined, false),
    ROW(structured, false), ROW(indefinite, false),  ROW(geqrf, false),      ROW(cossin, false),
    ROW(balance, false),
    ROW(pivoted, false),    ROW(complete, false),      ROW(mixed, false),           ROW(solve_spd, false),
    ROW(solve_right, false), ROW(gglse, false),        ROW(ggglm, false),
    ROW(lyapunov, false),      ROW(eigh_generalized, false), ROW(null_space, false),
    ROW(schur_complex, false), ROW(qr_update, false),  ROW(qr_insert, false),       ROW(qr_delete, false)};

/* ---- one call in a process of its own --------------------------------------------- */

static int run_child(call_of *call, bool tall, int dtype, int64_t m, int64_t n)
{
    static const agn_allocator guarded = {sizeof guarded, NULL, alloc_guarded, free_guarded};
    if (agn_threads_set(1) || agn_allocator_set(&guarded))
        return 2;
    m = tall && m < n ? n : m;
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *w = random_of(dtype, 2, (int64_t[]){m, n}, -1, 1),
               *q = random_of(dtype, 2, (int64_t[]){n, n}, -1, 1),
               *y = random_of(dtype, 2, (int64_t[]){n, 2}, -1, 1);
    const agn_tensor *a = ag_add(s, ag_matmul(s, q, ag_conj(s, ag_swapaxes(s, q, -1, -2))),
                                 ag_eye(s, (agn_dtype)dtype, n, n, 0));
    const agn_tensor *b = ag_add(s, q, ag_eye(s, (agn_dtype)dtype, n, n, 0));
    agn_tensor *u = NULL, *v = NULL, *r[5] = {NULL};
    agn_status st = agn_scope_status(s);
    st = st ? st : agn_linalg_polar(&u, &v, q);
    operands o = {w, b, a, y, ag_add(s, q, ag_conj(s, ag_swapaxes(s, q, -1, -2))), u};
    st = st ? st : agn_scope_status(s);
    st = st ? st : call(&o, r);
    agn_release(u);
    agn_release(v);
    for (int i = 0; i < 5; i++)
        agn_release(r[i]);
    agn_status closed = agn_scope_close(s);
    agn_release(w);
    agn_release(q);
    agn_release(y);
    return st || closed ? 3 : 0;
}

static void test_guards(void)
{
    static const int dtypes[] = {AGN_F32, AGN_F64, AGN_C64, AGN_C128};
    static const int64_t sizes[][2] = {{1, 1},   {2, 2},   {3, 3},   {6, 3},   {3, 6},
                                       {7, 6},   {6, 7},   {10, 15}, {15, 10}, {40, 15},
                                       {15, 40}, {34, 34}, {70, 70}, {66, 43}, {43, 66}};
    for (int k = 0; k < COUNT(calls); k++) {
        tally t = {0, 0};
        for (int d = 0; d < COUNT(dtypes); d++)
            for (int i = 0; i < COUNT(sizes); i++) {
                fflush(NULL);
                pid_t child = fork();
                if (!child) {
                    signal(SIGSEGV, SIG_DFL);
                    signal(SIGBUS, SIG_DFL);
                    _exit(run_child(calls[k].call, calls[k].tall, dtypes[d], sizes[i][0],
                                    sizes[i][1]));
                }
                int status = -1;
                bool ended = child > 0 && waitpid(child, &status, 0) == child;
                check(&t, ended && WIFEXITED(status) && !WEXITSTATUS(status),
                      "%s of [%d,%d], dtype %d: status %x", calls[k].name, (int)sizes[i][0],
                      (int)sizes[i][1], dtypes[d], (unsigned)status);
            }
        tell(&t, "%s touches nothing behind its memory: %d calls", calls[k].name, (int)t.checks);
    }
}

int main(void)
{
    test_guards();
    return done();
}
