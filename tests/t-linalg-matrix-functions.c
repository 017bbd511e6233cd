/* t-linalg-matrix-functions - roots, logarithms, powers, trigonometric functions of matrices, Sylvester's, Lyapunov's and
   Riccati's equations: against SciPy 1's answers, by their residuals, in every mode, and every documented failure. */
#include "t-linalg.h"

static double largest(const agn_tensor *x)
{
    double most = 0;
    for (int64_t i = 0; i < agn_numel(x); i++)
        most = fmax(most, cabs(peekz(x, i)));
    return most;
}
typedef enum which {
    SQRTM, LOGM, COSM, SINM, TANM, COSHM, SINHM, TANHM, SIGNM, ROOT, BACK, CARE, DARE, SYLVESTER, LYAPUNOV, STEIN,
    FRECHET
} which;
/* scipy.linalg 1.x: of a for roots, logarithm and powers, of a / 4 for the next six, of b for the sign; equations
   with m, n, q, r; STEIN of a / 4 */
static const double wanted[][9] = {
    [SQRTM] = {1.9640579553985489, 0.26548857523634867, 0.46401429565933738,
        0.12018875234066866, 1.7194952722913717, 0.24037750468133881,
        0.23828491546842126, 0.047538840892829351, 2.2086206385057219},
    [LOGM] = {1.3154748107151619, 0.28656598088876295, 0.43372504409409962,
        0.11714419337873866, 1.0724734916024667, 0.23428838675747823,
        0.22993192057987114, 0.03243329962372702, 1.5584761298278533},
    [COSM] = {0.50481721644151945, -0.19371993369131363, -0.45374330486460285,
        -0.10929186137352721, 0.71925697434595048, -0.2185837227470544,
        -0.22065570516836619, -0.06707782521463404, 0.29037745853708852},
    [SINM] = {0.77320855686925682, 0.14311861888804442, 0.1831395936918449,
        0.052228501178226444, 0.66230795175753843, 0.1044570023564529,
        0.10123520097882031, 0.0067834423233175054, 0.88410916198097478},
    [TANM] = {26.660363832026107, 12.178431863138664, 51.457534744164036,
        11.170591747423092, 6.0129722757978339, 22.341183494846174,
        23.188079464155148, 10.666671689565307, 47.30775538825435},
    [COSHM] = {1.6745926593304179, 0.28151521410400226, 0.7598187493071461,
        0.17765541725809025, 1.3315810948829339, 0.3553108345161804,
        0.36146046955052863, 0.12572551883513416, 2.0176042237779015},
    [SINHM] = {1.2800923527063213, 0.38280987146346979, 0.91555124154098222,
        0.21951709172186795, 0.85042888792596305, 0.43903418344373579,
        0.44371954277542464, 0.13787070185106698, 1.7097558174866789},
    [TANHM] = {0.71650134265237453, 0.12064432293993482, 0.16270478053017437,
        0.045587686716899556, 0.62041447763421953, 0.091175373433799028,
        0.088719627641621099, 0.0080593686053819016, 0.81258820767052953},
    [SIGNM] = {1.0540894295641965, 0.058023832999447744, -0.26590020399271735,
        -0.087035749499171824, 0.906633369317976, 0.42786222248879979,
        0.3988503059890755, 0.42786222248879952, -0.9607227988821736},
    [ROOT] = {1.4929893354113717, 0.12423814741605245, 0.20520033019092257,
        0.054004830337804371, 1.3822749269456875, 0.10800966067560809,
        0.10665728678057214, 0.018888171798679416, 1.6037037438770545},
    [BACK] = {0.125404106366657, -0.065824735896397549, -0.05816715844799928,
        -0.01913443419604962, 0.16826561934280584, -0.038268868392099281,
        -0.03597254610007429, 0.0042107166541243872, 0.082542593390508096},
    [CARE] = {1.0525496914519206, 0.93240361484408996, -0.14812674724553659,
        0.93240361484408996, 3.3462551185992275, -0.3906390884759694,
        -0.14812674724553659, -0.3906390884759694, 1.829855710222418},
    [DARE] = {1.4493381353941495, -1.3524274616196315, 1.3711835533193077,
        -1.3524274616196315, 6.5691530564211593, -4.0332112794037291,
        1.3711835533193077, -4.0332112794037291, 8.4411187881477225},
    [SYLVESTER] = {0.085539408133426489, -0.069319597119186616, -0.27821925597010549,
        0.66242486597714889, 0.84780960632479618, -2.0431580657388877,
        -0.14904034900092047, -0.21436548979260273, 1.3344580873991434},
    [LYAPUNOV] = {0.17734155874592727, -0.039395795060216579, -0.084985219961745906,
        -0.039395795060216537, 0.35346215780998386, -0.040688575899843607,
        -0.084985219961745892, -0.0406885758998436, 0.31903147278734151},
    [STEIN] = {6.8871164154014002, 5.6682417230457789, -4.0202645077944066,
        5.6682417230457718, 7.3977026583524763, 1.2365059845552182,
        -4.0202645077944119, 1.2365059845552211, -2.3413570640572519},
};
static const double given_a[] = {4, 1, 2, 0.5, 3, 1, 1, 0.25, 5}, given_b[] = {1, 2, 0, -3, 0.5, 1, 0, 1, -2},
                    given_m[] = {0, 1, 0, 0, 0, 1, 1, -2, 3}, given_n[] = {0, 1, 1, 0, 0.5, 2},
                    given_q[] = {1, 0, 0, 0, 2, 0, 0, 0, 3}, given_r[] = {2, 0.5, 0.5, 1};

static const agn_tensor *apply(agn_scope *s, which w, const agn_tensor *a, const agn_tensor *b, const agn_tensor *q,
                               const agn_tensor *r)
{
    agn_tensor *y = NULL, *dy = NULL;
    agn_status st;
    switch (w) {
    case SQRTM: return ag_linalg_sqrtm(s, a);
    case LOGM: return ag_linalg_logm(s, a);
    case COSM: return ag_linalg_cosm(s, a);
    case SINM: return ag_linalg_sinm(s, a);
    case TANM: return ag_linalg_tanm(s, a);
    case COSHM: return ag_linalg_coshm(s, a);
    case SINHM: return ag_linalg_sinhm(s, a);
    case TANHM: return ag_linalg_tanhm(s, a);
    case SIGNM: return ag_linalg_signm(s, a);
    case ROOT: return ag_linalg_fractional_power(s, a, 0.3);
    case BACK: return ag_linalg_fractional_power(s, a, -1.7);
    case CARE: return ag_linalg_continuous_riccati(s, a, b, q, r);
    case DARE: return ag_linalg_discrete_riccati(s, a, b, q, r);
    case SYLVESTER: return ag_linalg_solve_sylvester(s, a, b, q);
    case LYAPUNOV: return ag_linalg_continuous_lyapunov(s, a, q);
    case STEIN: return ag_linalg_discrete_lyapunov(s, a, q);
    default:
        st = a && q ? agn_linalg_expm_frechet(&y, &dy, a, q) : agn_scope_status(s);
        agn_scope_adopt(s, st, &y);
        return agn_scope_adopt(s, st, &dy);
    }
}

static void test_values(void)
{
    tally t = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int k = 0; k < COUNT(wanted); k++)
            for (int l = 0; l < N_LAYOUTS; l++) {
                int64_t square[] = {3, 3}, tall[] = {3, 2}, small[] = {2, 2};
                bool control = k == CARE || k == DARE;
                agn_tensor *a0 = of_reals(dtypes[d], 2, square, k == SIGNM ? given_b : control ? given_m : given_a),
                           *b = control ? of_reals(dtypes[d], 2, tall, given_n) : of_reals(dtypes[d], 2, square, given_b),
                           *q = of_reals(dtypes[d], 2, square, given_q), *r = of_reals(dtypes[d], 2, small, given_r),
                           *want = of_reals(dtypes[d], 2, square, wanted[k]);
                agn_scope *s = agn_scope_open(NULL);
                bool quarter = (k >= COSM && k <= TANHM) || k == STEIN;
                const agn_tensor *x0 = ag_mul_c(s, a0, quarter ? 0.25 : 1);
                agn_tensor *x = laid_out(x0, l);
                double e = relative(apply(s, (which)k, x, b, q, r), want);
                check(&t, e < (k == TANM || control ? 3000 : 100) * eps_of(dtypes[d]), "function %d, %s: off by %.1e", k,
                      agn_dtype_name(dtypes[d]), e);
                must(agn_scope_close(s));
                agn_tensor *all[] = {a0, b, q, r, want, x};
                for (int i = 0; i < COUNT(all); i++)
                    agn_release(all[i]);
            }
    tell(&t, "values as SciPy gives them, dtypes, layouts");
}

/* laws on random and hostile matrices */
static void test_laws(void)
{
    static const int64_t sizes[][3] = {{1, 0, 0}, {0, 3, 2}, {1, 1, 1}, {3, 2, 4}, {40, 4, 3}, {1, 25, 10}};
    tally t = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int k = 0; k < COUNT(sizes); k++) {
            int64_t b = sizes[k][0], m = sizes[k][1], n = sizes[k][2], mm[] = {b, m, m}, nn[] = {b, n, n}, mn[] = {b, m, n};
            int dtype = dtypes[d];
            agn_scope *s = agn_scope_open(NULL);
            agn_tensor *x0 = random_of(dtype, 3, mm, -1, 1), *y0 = random_of(dtype, 3, nn, -1, 1), *c = random_of(dtype, 3, mn, -1, 1);
            double tol = 300 * (double)(m + n + 2) * eps_of(dtype), big = 1.5 * sqrt((double)(m + n) + 1);
            const agn_tensor *a = ag_add(s, x0, ag_mul_c(s, ag_eye(s, dtype, m, m, 0), big));
            const agn_tensor *e = ag_add(s, y0, ag_mul_c(s, ag_eye(s, dtype, n, n, 0), big));
            const agn_tensor *r = ag_linalg_sqrtm(s, a), *l = ag_linalg_logm(s, a);
            check(&t, relative(ag_matmul(s, r, r), a) < tol, "root squared: %.1e", relative(ag_matmul(s, r, r), a));
            check(&t, relative(ag_linalg_matrix_exp(s, l), a) < tol, "exp log: %.1e", relative(ag_linalg_matrix_exp(s, l), a));
            const agn_tensor *half = ag_linalg_fractional_power(s, a, 0.5);
            check(&t, relative(half, r) < tol, "power 1/2: %.1e", relative(half, r));
            const agn_tensor *co = ag_linalg_cosm(s, x0), *si = ag_linalg_sinm(s, x0);
            const agn_tensor *one = ag_broadcast_like(s, ag_eye(s, dtype, m, m, 0), a);
            double size = largest(co);
            check(&t, relative(ag_add(s, ag_matmul(s, co, co), ag_matmul(s, si, si)), one) < tol * (1 + size * size), "cos^2 + sin^2");
            const agn_tensor *x = ag_linalg_solve_sylvester(s, a, e, c);
            check(&t, relative(ag_add(s, ag_matmul(s, a, x), ag_matmul(s, x, e)), c) < tol, "a x + x b = c");
            const agn_tensor *q = ag_matmul(s, x0, adjoint(s, x0)), *f = ag_mul_c(s, x0, 0.6 / (1 + sqrt((double)m)));
            const agn_tensor *z = ag_linalg_discrete_lyapunov(s, f, q);
            const agn_tensor *back = ag_sub(s, z, ag_matmul(s, f, ag_matmul(s, z, adjoint(s, f))));
            check(&t, relative(back, q) < tol, "x - a x a^H = q: %.1e", relative(back, q));
            const agn_tensor *p = ag_add(s, q, one), *two = ag_eye(s, dtype, n, n, 0);
            const agn_tensor *g = ag_matmul(s, c, adjoint(s, c));
            z = ag_linalg_continuous_riccati(s, x0, c, p, two);
            if (n && m) {
                const agn_tensor *h = ag_matmul(s, adjoint(s, x0), z);
                const agn_tensor *sum = ag_add(s, ag_add(s, h, adjoint(s, h)), p);
                double err = relative(ag_matmul(s, z, ag_matmul(s, g, z)), sum), norm = largest(z);
                check(&t, err < tol * (1 + norm * norm), "continuous Riccati: %.1e at %.1e", err, norm);
                z = ag_linalg_discrete_riccati(s, f, c, p, two);
                const agn_tensor *w = ag_linalg_solve(s, ag_add(s, one, ag_matmul(s, g, z)), f);
                err = relative(ag_add(s, p, ag_matmul(s, adjoint(s, f), ag_matmul(s, z, w))), z);
                check(&t, err < tol, "discrete Riccati: %.1e", err);
            }
            must(agn_scope_close(s));
            agn_release(x0);
            agn_release(y0);
            agn_release(c);
        }
    tell(&t, "r r = a, exp log a = a, cos^2 + sin^2 = 1, residuals of the equations");
    /* equal eigenvalues, defective ones, graded ones; a root of a rotation by nearly pi */
    static const double hostile[][9] = {{4, 1, 0, 0, 4, 1, 0, 0, 4}, {9, 0, 0, 0, 9, 0, 0, 0, 9}, {1e-12, 1e-3, 0, 0, 1, 1e3, 0, 0, 1e10},
                                        {1, 0, 0, 1e5, 2, 0, 1e10, 1e5, 3}, {-0.999, 0.05, 0, -0.05, -0.999, 0, 0, 0, 1}};
    for (int k = 0; k < COUNT(hostile); k++) {
        agn_tensor *a = of_reals(AGN_F64, 2, (int64_t[]){3, 3}, hostile[k]);
        agn_scope *s = agn_scope_open(NULL);
        const agn_tensor *r = ag_linalg_sqrtm(s, a), *l = ag_linalg_logm(s, a), *e = ag_linalg_matrix_exp(s, l);
        double size = largest(r), norm = largest(a);
        ok(relative(ag_matmul(s, r, r), a) < 100 * 0x1p-52 * (1 + size * size / norm), "hostile %d: the root, %.1e", k, relative(ag_matmul(s, r, r), a));
        ok(relative(e, a) < 100 * 0x1p-52 * (1 + largest(l)), "hostile %d: the logarithm, %.1e", k, relative(e, a));
        must(agn_scope_close(s));
        agn_release(a);
    }
}

typedef struct shown {
    which w;
    const agn_tensor *b, *q, *r;
} shown;
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    const shown *u = user;
    const agn_tensor *a = in[0], *b = u->b, *q = u->q, *r = u->r;
    if (u->w == CARE || u->w == DARE) { /* all four move */
        q = ag_add(s, q, ag_matmul(s, a, adjoint(s, a)));
        b = ag_add(s, b, ag_index_axis(s, ag_expand_dims(s, a, 0), 0, 0));
        r = ag_add(s, r, ag_square(s, ag_mul_c(s, ag_matmul(s, a, adjoint(s, a)), 0.1)));
    } else if (u->w >= SYLVESTER) {
        q = ag_square(s, a);
        b = ag_mul(s, a, a);
    }
    out[0] = apply(s, u->w, a, b, q, r);
    return agn_scope_status(s);
}

static void test_modes(void)
{
    static const char *const names[] = {"sqrtm", "logm", "cosm", "sinm", "tanm", "coshm", "sinhm", "tanhm", "signm", "a^0.3", "a^-1.7",
                                        "continuous Riccati", "discrete Riccati", "Sylvester", "Lyapunov", "discrete Lyapunov",
                                        "expm_frechet"};
    for (int c = 0; c < 2; c++)
        for (int k = 0; k < COUNT(names); k++) {
            int dtype = c ? AGN_C128 : AGN_F64, n = 2;
            agn_tensor *one = of_reals(dtype, 2, (int64_t[]){2, 2}, (double[]){1, 0, 0, 1});
            agn_tensor *saddle = of_reals(dtype, 2, (int64_t[]){2, 2}, (double[]){0.5, 0, 0, -0.6});
            shown u = {(which)k, one, one, one};
            agn_scope *s = agn_scope_open(NULL);
            agn_tensor *x = NULL, *a = random_of(dtype, 2, (int64_t[]){n, n}, -0.2, 0.2);
            /* a tie at the point itself for the functions: a multiple of 1 */
            agn_scope_return(s, &x, k == SQRTM || k == LOGM ? ag_mul_c(s, one, 2)
                                    : k == SIGNM || k == STEIN ? ag_add(s, a, saddle)
                                                               : ag_add(s, a, ag_mul_c(s, one, k <= TANHM ? 0.5 : 1.5)));
            must(agn_scope_close(s));
            agn_fn *f = NULL;
            char name[80];
            must(agn_fn_new(&f, body, &u, NULL, 1, 1));
            snprintf(name, sizeof name, "%s, %s", names[k], agn_dtype_name(dtype));
            const agn_tensor *in[1] = {x};
            in_every_mode(f, 1, in, 4e-3, 1e-6, name);
            agn_fn_release(f);
            agn_release(a);
            agn_release(one);
            agn_release(saddle);
            agn_release(x);
        }
}

/* v diag(2^-17, -2^-16, 3) v^-1, rounded; its sign and derivatives of orders 1 and 2 along `along`: mpmath, 80 digits,
   Newton's iteration on [a, e; 0, a] and [a, e, e, 0; 0, a, 0, e; 0, 0, a, e; 0, 0, 0, a]. Their condition is 1e5. */
static void test_sign_near_the_axis(void)
{
    static const double near[] = {-1.1989048549107143e-05, -6.5394810267857139e-06, 1.9618443080357144e-05,
        -1.2857208251953125, 2.5714263916015625, 1.2857208251953125,
        -0.4285703386579241, 0.8571406773158482, 0.42857796805245535};
    static const double along[] = {1, -2, 0.5, 0.25, 1, -1, 2, 0, -0.5};
    static const double want[][9] = {
        {-0.7142857142857143, -0.57142857142857151, 1.7142857142857144,
        -0.8571428571428571, 0.7142857142857143, 0.85714285714285721,
        4.5314879768929227e-18, 1.5104959922976411e-18, 1},
        {109672.84353561576, 42798.312928768501, -128397.41496418721,
        -1336.4353794088959, 2674.8707486453259, -8025.8503348768272,
        112347.71428426108, 37449.238094753695, -112347.71428426108},
        {-32556608633.749908, -13423223550.4261, 40269972922.42112,
        -676126507.92708731, -1101901668.1140349, 3305693863.596024,
        -31204237034.086163, -11219395247.817081, 33658510301.863945}};
    agn_scope *s = agn_scope_open(NULL);
    shown u = {SIGNM, NULL, NULL, NULL};
    agn_tensor *a = of_reals(AGN_F64, 2, (int64_t[]){3, 3}, near), *e = of_reals(AGN_F64, 2, (int64_t[]){3, 3}, along),
               *c[3] = {NULL};
    agn_fn *f = NULL, *jet = NULL;
    must(agn_fn_new(&f, body, &u, NULL, 1, 1));
    must(agn_fn_jet(&jet, f, 2));
    must(agn_fn_call(c, 3, jet, (const agn_tensor *[]){a, e, ag_zeros_like(s, a)}, 3));
    for (int k = 0; k < 3; k++) {
        agn_tensor *y = of_reals(AGN_F64, 2, (int64_t[]){3, 3}, want[k]);
        const double off = relative(ag_mul_c(s, c[k], k == 2 ? 2 : 1), y);
        ok(off < 1e-10, "sign near the axis, order %d: off by %.1e", k, off);
        agn_release(y);
        agn_release(c[k]);
    }
    agn_fn_release(jet);
    agn_fn_release(f);
    must(agn_scope_close(s));
    agn_release(a);
    agn_release(e);
    /* of a triangle values are exact, and graded matrices are balanced */
    static const double others[][4] = {{1, 3, 0, -1e-30}, {1, 1e10, 1e-12, -1}, {1e-300, 2e-300, 0.5e-300, -1e-300}};
    for (int k = 0; k < COUNT(others); k++) {
        agn_tensor *x = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, others[k]), *y = NULL;
        must(agn_linalg_signm(&y, x));
        /* of [a, b; c, -a] with a^2 + b c = r^2: itself over r */
        const double d = others[k][3], m = (others[k][0] + d) / 2, r = (others[k][0] - d) / 2,
                     root = k ? sqrt(r) * sqrt(r + others[k][1] / r * others[k][2]) : r;
        for (int i = 0; i < 4; i++) {
            const double v = (others[k][i] - (i % 3 ? 0 : m)) / root;
            ok(fabs(peek(y, i) - v) <= 1e-14 * fabs(v), "sign %d, entry %d: %.17g, not %.17g", k, i, peek(y, i), v);
        }
        agn_release(x);
        agn_release(y);
    }
}

typedef agn_status of_one(agn_tensor **out, const agn_tensor *a);
static void test_failures(void)
{
    static const struct {
        of_one *f;
        const char *name;
    } ones[] = {{agn_linalg_sqrtm, "linalg_sqrtm"}, {agn_linalg_logm, "linalg_logm"},   {agn_linalg_cosm, "linalg_cosm"},
                {agn_linalg_sinm, "linalg_sinm"},   {agn_linalg_tanm, "linalg_tanm"},   {agn_linalg_coshm, "linalg_coshm"},
                {agn_linalg_sinhm, "linalg_sinhm"}, {agn_linalg_tanhm, "linalg_tanhm"}, {agn_linalg_signm, "linalg_signm"}};
    tally q = {0, 0};
    agn_tensor *o = untouched, *o2 = untouched;
    agn_tensor *flat = of_reals(AGN_F64, 2, (int64_t[]){2, 3}, (double[6]){0}), *sparse = NULL, *big = random_of(AGN_F64, 2, (int64_t[]){3, 3}, 1, 2);
    agn_tensor *sq = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){0, 1, 0, 0}), *two = random_of(AGN_F64, 3, (int64_t[]){2, 2, 2}, 1, 2);
    agn_tensor *nan = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){0, 1, (double)INFINITY, 0}), *three = random_of(AGN_F64, 3, (int64_t[]){3, 2, 2}, 1, 2);
    agn_tensor *less = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){-1, 1, 0, 2}), *eye = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1, 0, 0, 1});
    agn_tensor *turn = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){0, 1, -1, 0}), *rank1 = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1, 1, 1, 1});
    agn_tensor *skew = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){1, -1, 1, -1}), *none = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[4]){0});
    agn_tensor *huge = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){800, 0, 0, 1}), *pole = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){0, 0, 0, 0});
    must(agn_sparse_from_dense(&sparse, sq));
#define BAD(call, st, op, a, b) check(&q, refused(call, st, op, a, b, o) && o2 == untouched, "%s", agn_error_message())
    for (int k = 0; k < COUNT(ones); k++) {
        BAD(ones[k].f(NULL, sq), AGN_ENULL, ones[k].name, "out is", NULL);
        BAD(ones[k].f(&o, NULL), AGN_ENULL, ones[k].name, "a is", NULL);
        BAD(ones[k].f(&o, flat), AGN_ESHAPE, ones[k].name, "[2,3]", "square");
        BAD(ones[k].f(&o, nan), AGN_EDOMAIN, ones[k].name, "not finite", NULL);
        BAD(ones[k].f(&o, sparse), AGN_EUNSUPPORTED, ones[k].name, "sparse", NULL);
    }
    BAD(agn_linalg_sqrtm(&o, sq), AGN_EDOMAIN, "linalg_sqrtm", "eigenvalue is 0", "matrix 0 of 1");
    BAD(agn_linalg_sqrtm(&o, skew), AGN_EDOMAIN, "linalg_sqrtm", "matrix 0 of 1", NULL);
    BAD(agn_linalg_sqrtm(&o, less), AGN_EDOMAIN, "linalg_sqrtm", "negative", "matrix 0 of 1");
    BAD(agn_linalg_logm(&o, sq), AGN_EDOMAIN, "linalg_logm", "eigenvalue is 0", "matrix 0 of 1");
    BAD(agn_linalg_logm(&o, rank1), AGN_EDOMAIN, "linalg_logm", "eigenvalue is 0", NULL);
    BAD(agn_linalg_logm(&o, less), AGN_EDOMAIN, "linalg_logm", "negative", NULL);
    BAD(agn_linalg_signm(&o, turn), AGN_EDOMAIN, "linalg_signm", "imaginary axis", "matrix 0 of 1");
    BAD(agn_linalg_signm(&o, none), AGN_EDOMAIN, "linalg_signm", "imaginary axis", NULL);
    check(&q, agn_linalg_tanhm(&o, huge) != AGN_OK && o == untouched, "tanhm: an exponential that overflows");
    BAD(agn_linalg_fractional_power(NULL, sq, 0.5), AGN_ENULL, "linalg_fractional_power", "out is", NULL);
    BAD(agn_linalg_fractional_power(&o, NULL, 0.5), AGN_ENULL, "linalg_fractional_power", "a is", NULL);
    BAD(agn_linalg_fractional_power(&o, sq, (double)NAN), AGN_EARG, "linalg_fractional_power", "nan", NULL);
    BAD(agn_linalg_fractional_power(&o, flat, 0.5), AGN_ESHAPE, "linalg_fractional_power", "[2,3]", NULL);
    BAD(agn_linalg_fractional_power(&o, nan, 0.5), AGN_EDOMAIN, "linalg_fractional_power", "not finite", NULL);
    BAD(agn_linalg_fractional_power(&o, sq, -2), AGN_EDOMAIN, "linalg_fractional_power", "singular", NULL);
    BAD(agn_linalg_fractional_power(&o, sparse, 0.5), AGN_EUNSUPPORTED, "linalg_fractional_power", "sparse", NULL);
    BAD(agn_linalg_expm_frechet(NULL, &o2, sq, sq), AGN_ENULL, "linalg_expm_frechet", "y is", NULL);
    BAD(agn_linalg_expm_frechet(&o, NULL, sq, sq), AGN_ENULL, "linalg_expm_frechet", "dy is", NULL);
    BAD(agn_linalg_expm_frechet(&o, &o2, NULL, sq), AGN_ENULL, "linalg_expm_frechet", "a is", NULL);
    BAD(agn_linalg_expm_frechet(&o, &o2, sq, NULL), AGN_ENULL, "linalg_expm_frechet", "e is", NULL);
    BAD(agn_linalg_expm_frechet(&o, &o2, sq, big), AGN_ESHAPE, "linalg_expm_frechet", "[2,2]", "[3,3]");
    BAD(agn_linalg_expm_frechet(&o, &o2, two, three), AGN_ESHAPE, "linalg_expm_frechet", "[2,2,2]", "[3,2,2]");
    BAD(agn_linalg_expm_frechet(&o, &o2, nan, sq), AGN_EDOMAIN, "linalg_expm_frechet", "not finite", NULL);
    BAD(agn_linalg_expm_frechet(&o, &o2, sparse, sq), AGN_EUNSUPPORTED, "linalg_expm_frechet", "sparse", NULL);
    static const char syl[] = "linalg_solve_sylvester";
    BAD(agn_linalg_solve_sylvester(NULL, sq, sq, sq), AGN_ENULL, syl, "out is", NULL);
    BAD(agn_linalg_solve_sylvester(&o, NULL, sq, sq), AGN_ENULL, syl, "a is", NULL);
    BAD(agn_linalg_solve_sylvester(&o, sq, NULL, sq), AGN_ENULL, syl, "b is", NULL);
    BAD(agn_linalg_solve_sylvester(&o, sq, sq, NULL), AGN_ENULL, syl, "c is", NULL);
    BAD(agn_linalg_solve_sylvester(&o, flat, sq, sq), AGN_ESHAPE, syl, "[2,3]", NULL);
    BAD(agn_linalg_solve_sylvester(&o, sq, big, sq), AGN_ESHAPE, syl, "[3,3]", "[2,2]");
    BAD(agn_linalg_solve_sylvester(&o, two, three, sq), AGN_ESHAPE, syl, "[2,2,2]", "[3,2,2]");
    BAD(agn_linalg_solve_sylvester(&o, sq, turn, nan), AGN_EDOMAIN, syl, "not finite", "[1,0]");
    BAD(agn_linalg_solve_sylvester(&o, turn, turn, sq), AGN_EDOMAIN, syl, "share", "matrix 0 of 1");
    BAD(agn_linalg_solve_sylvester(&o, sparse, sq, sq), AGN_EUNSUPPORTED, syl, "sparse", NULL);
#define PAIR(name, w, f)                                                              \
    BAD(f(NULL, sq, sq), AGN_ENULL, name, "out is", NULL);                            \
    BAD(f(&o, NULL, sq), AGN_ENULL, name, "a is", NULL);                              \
    BAD(f(&o, sq, NULL), AGN_ENULL, name, "q is", NULL);                              \
    BAD(f(&o, flat, sq), AGN_ESHAPE, name, "[2,3]", NULL);                            \
    BAD(f(&o, sq, big), AGN_ESHAPE, name, "[2,2]", "[3,3]");                          \
    BAD(f(&o, two, three), AGN_ESHAPE, name, "[2,2,2]", "[3,2,2]");                   \
    BAD(f(&o, nan, sq), AGN_EDOMAIN, name, "not finite", NULL);                       \
    BAD(f(&o, w, sq), AGN_EDOMAIN, name, NULL, NULL);                                 \
    BAD(f(&o, sparse, sq), AGN_EUNSUPPORTED, name, "sparse", NULL)
    PAIR("linalg_continuous_lyapunov", turn, agn_linalg_continuous_lyapunov);
    PAIR("linalg_discrete_lyapunov", eye, agn_linalg_discrete_lyapunov);
    BAD(agn_linalg_discrete_lyapunov(&o, turn, sq), AGN_EDOMAIN, "linalg_discrete_lyapunov", "share", NULL);
#define RICCATI(name, w, f)                                                           \
    BAD(f(NULL, sq, sq, sq, sq), AGN_ENULL, name, "out is", NULL);                    \
    BAD(f(&o, NULL, sq, sq, sq), AGN_ENULL, name, "a is", NULL);                      \
    BAD(f(&o, sq, NULL, sq, sq), AGN_ENULL, name, "b is", NULL);                      \
    BAD(f(&o, sq, sq, NULL, sq), AGN_ENULL, name, "q is", NULL);                      \
    BAD(f(&o, sq, sq, sq, NULL), AGN_ENULL, name, "r is", NULL);                      \
    BAD(f(&o, flat, sq, sq, sq), AGN_ESHAPE, name, "[2,3]", NULL);                    \
    BAD(f(&o, sq, big, sq, sq), AGN_ESHAPE, name, "[2,2]", "[3,3]");                  \
    BAD(f(&o, sq, sq, big, sq), AGN_ESHAPE, name, "[2,2]", "[3,3]");                  \
    BAD(f(&o, two, three, eye, eye), AGN_ESHAPE, name, "broadcast", NULL);            \
    BAD(f(&o, nan, eye, eye, eye), AGN_EDOMAIN, name, "not finite", NULL);            \
    BAD(f(&o, w, none, eye, eye), AGN_EDOMAIN, name, "stabilis", "matrix 0 of 1");    \
    BAD(f(&o, sparse, sq, sq, sq), AGN_EUNSUPPORTED, name, "sparse", NULL)
    RICCATI("linalg_continuous_riccati", eye, agn_linalg_continuous_riccati);
    BAD(agn_linalg_continuous_riccati(&o, sq, eye, eye, none), AGN_EDOMAIN, "linalg_continuous_riccati", "singular", NULL);
    RICCATI("linalg_discrete_riccati", turn, agn_linalg_discrete_riccati);
    tell(&q, "failures: status, op, two facts, nothing written");
    agn_tensor *all[] = {flat, sq, nan, sparse, big, two, three, less, eye, turn, rank1, skew, none, huge, pole};
    for (int i = 0; i < COUNT(all); i++)
        agn_release(all[i]);
}

static agn_status make_root(void *user, agn_tensor **out)
{
    return agn_linalg_fractional_power(out, user, 0.5);
}
static agn_status make_riccati(void *user, agn_tensor **out)
{
    return agn_linalg_discrete_riccati(out, user, user, user, user);
}

/* a^2 of a singular matrix has a pivot of rounding in place of 0 */
static void test_sign_of_singular(void)
{
    agn_tensor *y = NULL, *a = of_reals(AGN_F64, 2, (int64_t[]){4, 4},
                                        (double[]){2, 2, 2, 1, 2, 2, 1, 1, 1, 0, 0, 1, 1, 0, 0, 1});
    agn_status st = agn_linalg_signm(&y, a);
    ok(st == AGN_EDOMAIN && !y, "sign of a singular matrix is refused");
    agn_release(y);
    agn_release(a);
}

int main(void)
{
    test_values();
    test_sign_of_singular();
    test_laws();
    test_modes();
    test_sign_near_the_axis();
    test_failures();
    agn_tensor *a = of_reals(AGN_F64, 2, (int64_t[]){2, 2}, (double[]){2, 0.5, 0.5, 1});
    every_allocation(make_root, a, "a^1/2");
    every_allocation(make_riccati, a, "Riccati");
    agn_release(a);
    int64_t bytes, blocks, peak;
    agn_memory_live(&bytes, &blocks, &peak);
    is_int(blocks, 0, "nothing is left");
    return done();
}
