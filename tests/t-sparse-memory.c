/* t-sparse-memory - memory that ends. Inside SuiteSparse, whose allocations are counted and fail in
   turn: AGN_ENOMEM, nothing left, and the next call as good as any. Where a factor would be larger
   than all that a process may have. And results, and a pattern, of more entries than 32 bits count. */
#include "modes.h"

#include <agnesi/sparse_direct.h>
#include <agnesi/sparse_layout.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <suitesparse/SuiteSparse_config.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

typedef const agn_tensor *T;
#define I64(...) ((int64_t[]){__VA_ARGS__})

/* ---- SuiteSparse's memory --------------------------------------------------------------------- */

static struct {
    int64_t live, made, fails_at; /* fails_at < 0: none; else number fails_at, and all that follow */
    bool onwards, failed;
} theirs = {.fails_at = -1};

/* METIS within SuiteSparse 7 takes memory from there, too, and ends the process where there is none;
   CHOLMOD sees to it that there is some. */
static bool of_metis(void)
{
    void *at[8];
    Dl_info by;
    for (int n = backtrace(at, COUNT(at)), k = 0; k < n; k++)
        if (dladdr(at[k], &by) && by.dli_sname && !strncmp(by.dli_sname, "SuiteSparse_metis", 17))
            return true;
    return false;
}

static bool refuses(void)
{
    if (theirs.fails_at >= 0 && of_metis())
        return false;
    int64_t k = theirs.made++;
    bool no = theirs.fails_at >= 0 && (theirs.onwards ? k >= theirs.fails_at : k == theirs.fails_at);
    theirs.failed |= no;
    return no;
}
static void *counted(void *p)
{
    theirs.live += p != NULL;
    return p;
}
static void *their_malloc(size_t n)
{
    return refuses() ? NULL : counted(malloc(n));
}
static void *their_calloc(size_t n, size_t size)
{
    return refuses() ? NULL : counted(calloc(n, size));
}
static void *their_realloc(void *p, size_t n)
{
    if (refuses())
        return NULL;
    return p ? realloc(p, n) : counted(malloc(n));
}
static void their_free(void *p)
{
    theirs.live -= p != NULL;
    free(p);
}
static void count_theirs(void)
{
#if SUITESPARSE_VERSION < SUITESPARSE_VER_CODE(6, 0)
    SuiteSparse_config.malloc_func = their_malloc;
    SuiteSparse_config.calloc_func = their_calloc;
    SuiteSparse_config.realloc_func = their_realloc;
    SuiteSparse_config.free_func = their_free;
#else
    SuiteSparse_config_malloc_func_set(their_malloc);
    SuiteSparse_config_calloc_func_set(their_calloc);
    SuiteSparse_config_realloc_func_set(their_realloc);
    SuiteSparse_config_free_func_set(their_free);
#endif
}

static int64_t ours(void)
{
    int64_t bytes, blocks;
    agn_memory_live(&bytes, &blocks, NULL);
    return blocks;
}

/* ---- matrices ---------------------------------------------------------------------------------- */

/* n x n by rows: a full first row and column, without them a path; a heavy diagonal */
static agn_tensor *made(int64_t n, bool arrow, int dtype)
{
    int64_t *p = room_for((size_t)(n + 1) * sizeof *p), *i = room_for((size_t)(4 * n) * sizeof *i);
    int64_t nnz = 0;
    for (int64_t r = 0; r < n; r++) {
        p[r] = nnz;
        for (int64_t c = arrow && r ? 0 : r - 1; arrow && !r && c < n - 1;)
            i[nnz++] = ++c;
        if (r && arrow)
            i[nnz++] = 0;
        if (r && !arrow)
            i[nnz++] = r - 1;
        if (r || !arrow)
            i[nnz++] = r;
        if (!arrow && r + 1 < n)
            i[nnz++] = r + 1;
    }
    p[n] = nnz;
    double *v = room_for((size_t)nnz * sizeof *v);
    for (int64_t r = 0; r < n; r++)
        for (int64_t e = p[r]; e < p[r + 1]; e++)
            v[e] = i[e] == r ? (arrow && !r ? (double)n : 4) : -1;
    agn_tensor *at = NULL, *index = NULL, *values = of_reals(AGN_F64, 1, &nnz, v), *cast = NULL,
               *a = NULL;
    must(agn_from_host(&at, AGN_I64, 1, I64(n + 1), p));
    must(agn_from_host(&index, AGN_I64, 1, &nnz, i));
    must(agn_cast(&cast, values, dtype));
    must(agn_sparse_csr(&a, n, n, at, index, cast));
    agn_tensor *all[] = {at, index, values, cast};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
    free(p);
    free(i);
    free(v);
    return a;
}

static agn_tensor *ones(int64_t n, int dtype)
{
    agn_tensor *x = NULL;
    must(agn_full(&x, dtype, 1, &n, 1));
    return x;
}

/* ---- each allocation fails in turn ---------------------------------------------------------------- */

typedef struct work {
    const char *what;
    int method, order, dtype;
    bool determinant, update, arrow;
} work;

/* a new matrix, so that nothing is known of it: all that its factor can do */
static agn_status through(const work *w, double *sum)
{
    agn_tensor *a = made(14, w->arrow, w->dtype), *b = ones(14, w->dtype), *x = NULL, *y = NULL, *d = NULL;
    agn_tensor *e = NULL, *total = NULL;
    agn_sparse_factor *f = NULL, *g = NULL;
    agn_sparse_solver how = {.size = sizeof how, .method = w->method, .order = w->order};
    agn_status st = agn_sparse_factor_new(&f, a, &how);
    if (!st)
        st = agn_sparse_factor_solve(&x, f, b, false);
    if (!st)
        st = agn_sparse_factor_solve(&y, f, b, true);
    if (!st && w->determinant)
        st = agn_sparse_factor_logdet(&d, f);
    if (!st && w->update) {
        must(agn_from_host(&e, AGN_F64, 1, I64(14), (double[14]){0, 0.5, 0.25}));
        st = agn_sparse_factor_update(&g, f, e, false);
    }
    if (!st) {
        must(agn_sum_all(&total, x));
        *sum = creal(peekz(total, 0)) + (d ? peek(d, 0) : 0);
    }
    agn_tensor *all[] = {a, b, x, y, d, e, total};
    for (int k = 0; k < COUNT(all); k++)
        agn_release(all[k]);
    agn_sparse_factor_release(f);
    agn_sparse_factor_release(g);
    return st;
}

static void test_failing(const work *w)
{
    tally q = {0, 0};
    double right = 0, sum = 0;
    int64_t blocks = ours(), live = theirs.live;
    must(through(w, &right));
    check(&q, ours() == blocks && theirs.live == live, "%lld blocks of ours are left, %lld of theirs",
          (long long)(ours() - blocks), (long long)(theirs.live - live));
    blocks = ours();
    live = theirs.live;
    for (int onwards = 0; onwards < 2; onwards++)
        for (int64_t k = 0;; k++) {
            sum = right;
            theirs.made = 0;
            theirs.fails_at = k;
            theirs.onwards = onwards;
            theirs.failed = false;
            agn_status st = through(w, &sum);
            theirs.fails_at = -1;
            if (!theirs.failed)
                break;
            /* it may be got over with less memory */
            check(&q, st == AGN_ENOMEM || !st, "allocation %d: %s: %s", (int)k,
                  agn_status_name(st), st ? agn_error_message() : "");
            check(&q, st || fabs(sum - right) <= 1e-12 * fabs(right), "allocation %d: %g, not %g", (int)k,
                  sum, right);
            check(&q, ours() == blocks && theirs.live == live,
                  "allocation %d: %lld blocks of ours are left, %lld of theirs", (int)k,
                  (long long)(ours() - blocks), (long long)(theirs.live - live));
            check(&q, !through(w, &sum) && sum == right, "after allocation %d: %g, not %g", (int)k, sum,
                  right);
            blocks = ours();
            live = theirs.live;
        }
    check(&q, q.checks > 40, "%lld checks", (long long)q.checks);
    tell(&q, w->what);
}

/* ---- more than there is ----------------------------------------------------------------------------- */

enum { SPARE = 48 << 20, ROWS = 100000, MANY = 50000 };

static rlim_t in_use(void)
{
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f) {
        if (fscanf(f, "%ld", &pages) != 1)
            pages = 0;
        fclose(f);
    }
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

typedef agn_status wants(agn_tensor **out, const work *w, T a, T b);

static agn_status solving(agn_tensor **out, const work *w, T a, T b)
{
    agn_sparse_solver how = {.size = sizeof how, .method = w->method, .order = w->order};
    return w->method == AGN_SPARSE_QR ? agn_sparse_lstsq(out, a, b, &how)
                                      : agn_sparse_solve_with(out, a, b, &how);
}

/* n n entries of a column of n and a row of n: for ROWS of them more than 2^32 */
static agn_status squared(agn_tensor **out, const work *w, T a, T b)
{
    agn_scope *s = agn_scope_open(NULL);
    T c = ag_sparse_to_csr(s, ag_reshape(s, b, 2, I64(agn_shape(a)[0], 1))), r = ag_transpose(s, c);
    T k = ag_sparse_to_coo(s, c, -1), y = NULL;
    switch (w->order) {
    case 0: y = ag_matmul(s, c, r); break;
    case 1: y = ag_matmul(s, ag_sparse_to_csc(s, c), ag_sparse_to_csr(s, r)); break;
    case 2: y = ag_sparse_kron(s, c, r); break;
    case 3: y = ag_mul(s, k, ag_transpose(s, k)); break;
    case 4: y = ag_broadcast_to(s, k, 2, I64(agn_shape(a)[0], agn_shape(a)[0])); break;
    default: y = ag_sparse_to_coo(s, ag_sparse_matmul_over(s, c, r, AGN_SEMIRING_MIN_PLUS), -1);
    }
    agn_scope_return(s, out, ag_sum_all(s, y));
    return agn_scope_close(s);
}

/* In a process of its own, where an allocation that fails may do no more harm than end it: small
   solves, one that cannot be, small ones again. The address space that BLAS wants once and for all
   (and asks for again and again until it has it) is there before the limit. */
static int limited(wants *f, const work *w)
{
    agn_tensor *y = NULL, *before = NULL, *after = NULL;
    struct rlimit was, now;
    alarm(60);
    agn_tensor *small = made(300, true, AGN_F64), *c = ones(300, AGN_F64);
    if (f(&before, w, small, c) || getrlimit(RLIMIT_AS, &was))
        return 1;
    int64_t blocks = ours();
    agn_tensor *large = made(ROWS, true, AGN_F64), *b = ones(ROWS, AGN_F64);
    now = was;
    now.rlim_cur = in_use() + SPARE;
    if (setrlimit(RLIMIT_AS, &now))
        return 2;
    agn_status st = f(&y, w, large, b);
    bool said = st == AGN_ENOMEM && strlen(agn_error_message()) > 0;
    agn_release(large); /* and what is known of its pattern */
    agn_release(b);
    int64_t left = ours() - blocks;
    bool again = !f(&after, w, small, c); /* under the limit, too */
    if (setrlimit(RLIMIT_AS, &was))
        return 2;
    fprintf(stderr, "# %s: %s: %s; %lld blocks\n", w->what, agn_status_name(st),
            st ? agn_error_message() : "", (long long)left);
    if (!said || y)
        return 3;
    if (!again || peekz(after, 0) != peekz(before, 0))
        return 4;
    return left ? 5 : 0;
}

static void test_limited(wants *f, const work *w)
{
    int status = 0;
    if (TAP_SANITIZED || !in_use()) {
        skip("%s: the address space has no end here", w->what);
        return;
    }
    fflush(stdout);
    pid_t child = fork();
    if (!child)
        _exit(limited(f, w));
    waitpid(child, &status, 0);
    ok(WIFEXITED(status) && !WEXITSTATUS(status), "%s: %s %d", w->what,
       WIFEXITED(status) ? "ends with" : "is ended by signal",
       WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
}

/* ---- a pattern of more entries than 32 bits count ---------------------------------------------- */

/* n bytes that repeat a block, read-only, in the memory of one: a file that is mapped again and again */
static void *repeated(const void *block, size_t bytes, size_t n)
{
    FILE *f = tmpfile();
    size_t all = (n + bytes - 1) / bytes * bytes;
    char *p = mmap(NULL, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    bool fine = f && fwrite(block, 1, bytes, f) == bytes && !fflush(f) && p != MAP_FAILED;
    for (size_t at = 0; fine && at < all; at += bytes)
        fine = mmap(p + at, bytes, PROT_READ, MAP_SHARED | MAP_FIXED, fileno(f), 0) != MAP_FAILED;
    if (f)
        fclose(f);
    if (!fine)
        bail_out("no %zu bytes of address space", all);
    return p;
}

/* row i has the numbers 1 to 4, by i % 4, times 1 or -1/2 in every third column */
static void test_large(void)
{
    enum { WIDE = 8192, HIGH = 64 };
    const int64_t rows = ((int64_t)1 << 18) + 3, nnz = rows * WIDE, cols = 3 * WIDE;
    const char *asked = getenv("AGNESI_TEST_LARGE");
    if (!asked || strcmp(asked, "1")) {
        skip("G2: a pattern of more than 2^31 entries is asked for by AGNESI_TEST_LARGE=1");
        return;
    }
    int64_t *index = room_for(sizeof *index * HIGH * WIDE), *ptr = room_for(sizeof *ptr * (size_t)(rows + 1));
    float *v = room_for(sizeof *v * HIGH * WIDE);
    int8_t *w = room_for(sizeof *w * HIGH * WIDE);
    for (int k = 0; k < HIGH * WIDE; k++) {
        index[k] = 3 * (k % WIDE);
        v[k] = (float)(k / WIDE % 4 + 1) * (k % 2 ? 1 : -0.5F);
        w[k] = (int8_t)(k % 7 - 3);
    }
    double line = 0, column = 0;
    for (int64_t i = 0; i <= rows; i++)
        ptr[i] = i * WIDE;
    for (int64_t i = 0; i < rows; i++)
        column += (double)(i % 4 + 1);
    const int64_t *at = repeated(index, sizeof *index * HIGH * WIDE, (size_t)nnz * sizeof *index);
    void *of[2] = {repeated(v, sizeof *v * HIGH * WIDE, (size_t)nnz * sizeof *v),
                   repeated(w, sizeof *w * HIGH * WIDE, (size_t)nnz * sizeof *w)};
    agn_tensor *values = NULL, *small = NULL, *a = NULL, *b = NULL, *y = NULL, *part = NULL;
    must(agn_wrap_host(&values, AGN_F32, 1, &nnz, NULL, of[0], true, NULL, NULL));
    must(agn_wrap_host(&small, AGN_I8, 1, &nnz, NULL, of[1], true, NULL, NULL));
    must(agn_sparse_csr_wrap(&a, rows, cols, AGN_I64, ptr, at, values, NULL, NULL));
    must(agn_sparse_with_values(&b, a, small));
    ok(agn_sparse_nnz(a) == nnz && agn_sparse_index_dtype(a) == AGN_I64, "%" PRId64 " entries", nnz);
    y = untouched;
    ok(refused(agn_sparse_with_index(&y, a, AGN_I32), AGN_ESHAPE, "sparse_with_index", "2147508224", "i32", y),
       "too many for i32");
    agn_scope *s = agn_scope_open(NULL);
    T two = ag_full(s, AGN_F32, 1, &cols, 2), one = ag_full(s, AGN_F32, 1, &rows, 1);
    T product = ag_matmul(s, a, two), sums = ag_sparse_to_dense(s, ag_sum(s, a, (int32_t[]){1}, 1, false));
    T turned[2] = {ag_sparse_matmul_t(s, a, one), ag_matmul(s, ag_transpose(s, a), one)};
    must(agn_scope_status(s));
    double apart = 0;
    for (int64_t i = 0; i < rows; i++) {
        line = (double)(i % 4 + 1) * WIDE;
        apart = fmax(apart, fmax(fabs(peek(product, i) - 0.5 * line), fabs(peek(sums, i) - 0.25 * line)));
    }
    ok(apart == 0, "its product and its sums: apart %g", apart);
    for (int64_t j = 0; j < cols; j++)
        for (int k = 0; k < 2; k++)
            apart = fmax(apart, fabs(peek(turned[k], j) - (j % 3 ? 0 : j / 3 % 2 ? column : -0.5 * column)));
    ok(apart == 0, "those of its transpose: apart %g", apart);
    must(agn_scope_close(s));
    must(agn_abs(&y, b));
    must(agn_sparse_values(&part, y));
    bool same = agn_sparse_nnz(y) == nnz;
    for (int64_t e = nnz - 4 * WIDE; e < nnz; e++)
        same &= peek(part, e) == abs((int)(e % (HIGH * WIDE) % 7) - 3);
    ok(same, "entries of i8 behind the 2^31st");
    agn_tensor *gone[] = {values, small, a, b, y, part};
    for (int i = 0; i < COUNT(gone); i++)
        agn_release(gone[i]);
    munmap((void *)(uintptr_t)at, (size_t)nnz * sizeof *index);
    munmap(of[0], (size_t)nnz * sizeof *v);
    munmap(of[1], (size_t)nnz * sizeof *w);
    free(index);
    free(ptr);
    free(v);
    free(w);
}

int main(void)
{
    static const work works[] = {
        {"cholesky", AGN_SPARSE_CHOLESKY, AGN_ORDER_DEFAULT, AGN_F64, true, true, false},
        {"cholesky of complex numbers", AGN_SPARSE_CHOLESKY, AGN_ORDER_AMD, AGN_C128, true, false, true},
        {"cholesky by METIS", AGN_SPARSE_CHOLESKY, AGN_ORDER_METIS, AGN_F64, true, false, true},
        {"ldl", AGN_SPARSE_LDL, AGN_ORDER_NATURAL, AGN_F64, true, false, true},
        {"lu", AGN_SPARSE_LU, AGN_ORDER_DEFAULT, AGN_F64, true, false, false},
        {"lu, filled", AGN_SPARSE_LU, AGN_ORDER_NATURAL, AGN_F64, true, false, true},
        {"lu by METIS", AGN_SPARSE_LU, AGN_ORDER_METIS, AGN_F64, true, false, true},
        {"lu of complex numbers", AGN_SPARSE_LU, AGN_ORDER_COLAMD, AGN_C128, true, false, true},
        {"klu", AGN_SPARSE_KLU, AGN_ORDER_DEFAULT, AGN_F64, true, false, false},
        {"klu, filled", AGN_SPARSE_KLU, AGN_ORDER_NATURAL, AGN_F64, true, false, true},
        {"klu of complex numbers", AGN_SPARSE_KLU, AGN_ORDER_COLAMD, AGN_C128, true, false, true},
        {"qr", AGN_SPARSE_QR, AGN_ORDER_DEFAULT, AGN_F64, false, false, false},
        {"qr of complex numbers", AGN_SPARSE_QR, AGN_ORDER_COLAMD, AGN_C128, false, false, true},
    };
    count_theirs();
    for (int k = 0; k < COUNT(works); k++)
        test_failing(&works[k]);
    static const work filled[] = {
        {"cholesky beyond memory", .method = AGN_SPARSE_CHOLESKY, .order = AGN_ORDER_NATURAL},
        {"ldl beyond memory", .method = AGN_SPARSE_LDL, .order = AGN_ORDER_NATURAL},
        {"lu beyond memory", .method = AGN_SPARSE_LU, .order = AGN_ORDER_NATURAL},
        {"klu beyond memory", .method = AGN_SPARSE_KLU, .order = AGN_ORDER_NATURAL},
        {"qr beyond memory", .method = AGN_SPARSE_QR, .order = AGN_ORDER_NATURAL},
    };
    for (int k = 0; k < COUNT(filled); k++)
        test_limited(solving, &filled[k]);
    static const work squares[] = {
        {"2^32 entries of a product", .order = 0},       {"... by columns", .order = 1},
        {"2^32 entries of a Kronecker product", .order = 2}, {"2^32 entries of an outer product", .order = 3},
        {"2^32 entries of a broadcast", .order = 4},     {"2^32 entries over a semiring", .order = 5},
    };
    for (int k = 0; k < COUNT(squares); k++)
        test_limited(squared, &squares[k]);
    test_large();
    is_int(ours(), 0, "nothing of ours is left");
    is_int(theirs.live, 0, "nothing of theirs is left");
    return done();
}
