/* Loops and products of the CPU kernels at every level, against plain sums; the
 * choice of the level. */
#include <sys/wait.h>
#include <unistd.h>

#include "tensor/cpu/level_dispatch.h"
#include "tests/tap.h"

static uint64_t state = 0x9e3779b97f4a7c15u;

static double uniform(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) * 0x1p-52 - 1;
}

/* Element i of an array of the type in hand, as a double and back (f32 values are
 * exact) */
static double get(const void *p, int64_t i, int real)
{
    return real == AGNI_SIMD_F32 ? (double)((const float *)p)[i] : ((const double *)p)[i];
}

static void set(void *p, int64_t i, double v, int real)
{
    if (real == AGNI_SIMD_F32)
        ((float *)p)[i] = (float)v;
    else
        ((double *)p)[i] = v;
}

static void fill(void *p, int64_t n, int real)
{
    for (int64_t i = 0; i < n; i++)
        set(p, i, uniform(), real);
}

/* One step of a sum as the level takes it, in its own precision */
static double step(const agni_simd_kernels *vk, int real, double a, double b, double c)
{
    if (real == AGNI_SIMD_F32) {
        const float p = (float)a * (float)b;
        return (double)(vk->fma ? fmaf((float)a, (float)b, (float)c) : p + (float)c);
    }
    const double p = a * b;
    return vk->fma ? fma(a, b, c) : p + c;
}

static const struct {
    int K, J, T, pad;
} shapes[] = {
    {1, 1, 16, 0},   {2, 20, 32, 0},    {20, 20, 128, 0},  {20, 1, 64, 16},
    {3, 5, 48, 0},   {7, 13, 80, 0},    {64, 64, 64, 16},  {1, 512, 16, 0},
    {512, 1, 16, 0}, {17, 31, 112, 16}, {50, 6, 16, 0},    {5, 7, 256, 0},
    {4, 3, 32, 0},   {9, 2, 144, 0},    {128, 129, 16, 0}, {32, 32, 48, 0},
    {33, 47, 144, 0}, {39, 35, 80, 16}, {64, 40, 512, 16},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };
enum { ROOM = 520 * 520 };
static double X[ROOM], G[ROOM], C[ROOM], C0[ROOM], D[ROOM], D0[ROOM], W[ROOM], P[ROOM];

/* The bits of a product are those of the plain loop over k: from W as it lies,
 * transposed, packed by the call and packed before, added to C or to a bias. */
static void check_prod(const agni_simd_kernels *vk, int real, int K, int J, int T, int ld)
{
    const agni_real_kernels *r = &vk->real[real];
    int bad = 0;
    for (int way = 0; way < 12; way++) {
        const bool add = way & 1, transposed = way & 2;
        const agni_simd_matrix w = {W, transposed ? 1 : J + 3, transposed ? K + 2 : 1};
        const agni_simd_tile x = {X, ld}, c = {C, ld};
        fill(X, (int64_t)K * ld, real);
        fill(W, (int64_t)(K + 3) * (J + 3), real);
        fill(C, (int64_t)J * ld, real);
        memcpy(C0, C, sizeof C);
        fill(G, 2 * J, real);
        for (int j = 0; j < J && add && way >= 8; j++)
            for (int t = 0; t < T; t++)
                set(C0, (int64_t)j * ld + t, get(G, 2 * j, real), real);
        if (way < 4) {
            r->product(c, w, x, K, J, T, add, transposed ? P : NULL);
        } else {
            r->pack(P, w, K, J);
            if (way < 8)
                r->packed_product(c, P, x, K, J, T, add);
            else
                r->shared_products(&(agni_shared_product){c, x, add ? G : NULL, 2}, 1, P, K, J, T);
        }
        for (int j = 0; j < J; j++) {
            for (int t = 0; t < ld; t++) {
                double s = t < T && !add ? 0 : get(C0, (int64_t)j * ld + t, real);
                for (int k = 0; k < K && t < T; k++)
                    s = step(vk, real, get(W, k * w.ldk + j * w.ldj, real),
                             get(X, (int64_t)k * ld + t, real), s);
                bad += get(C, (int64_t)j * ld + t, real) != s;
            }
        }
    }
    ok(bad == 0, "%s f%d prod K=%d J=%d T=%d ld=%d: %d numbers differ", vk->name,
       real == AGNI_SIMD_F32 ? 32 : 64, K, J, T, ld, bad);
}

/* Sums of 2 T products and what D holds, whatever their order: no element is off by more than 2 T + 1
 * roundings of its terms' magnitudes (Higham 2002, section 3.1), of which most cancel. */
static void check_outer(const agni_simd_kernels *vk, int real, int K, int J, int T, int ld)
{
    const agni_real_kernels *r = &vk->real[real];
    const double eps = real == AGNI_SIMD_F32 ? 0x1p-23 : 0x1p-52;
    double worst = 0, worst_rows = 0, squares = 0;
    for (int transposed = 0; transposed < 2; transposed++) {
        const agni_simd_matrix d = {D, transposed ? 1 : J + 1, transposed ? K : 1};
        const agni_simd_tile x[2] = {{X, ld}, {G, ld}}, g[2] = {{C, ld}, {P, ld}};
        fill(X, (int64_t)K * ld, real), fill(G, (int64_t)K * ld, real);
        fill(C, (int64_t)J * ld, real), fill(P, (int64_t)J * ld, real);
        fill(D, 4096 + (int64_t)(K + 1) * (J + 1), real);
        memcpy(D0, D, sizeof D);
        r->outer_product(d, x, g, 2, K, J, T);
        for (int k = 0; k < K; k++) {
            for (int j = 0; j < J; j++) {
                const int64_t at = k * d.ldk + j * d.ldj;
                long double s = (long double)get(D0, at, real), all = fabsl(s);
                for (int t = 0; t < T; t++) {
                    const int64_t kt = (int64_t)k * ld + t, jt = (int64_t)j * ld + t;
                    const long double a = (long double)get(X, kt, real) * get(C, jt, real),
                                      b = (long double)get(G, kt, real) * get(P, jt, real);
                    s += a + b;
                    all += fabsl(a) + fabsl(b);
                }
                const double off = (double)fabsl(s - (long double)get(D, at, real)) / eps;
                worst = fmax(worst, off / ((T + 0.5) * (double)all));
                squares += off * off / (2.0 * K * J);
            }
        }
        memcpy(D, D0, sizeof D);
        r->add_row_sums(D, 2, x[0], K, T);
        r->add_row_dots(D + 1500, 1, x[0], x[1], K, T);
        for (int k = 0; k < K; k++) {
            long double s = get(D0, 2 * k, real), u = get(D0 + 1500, k, real);
            for (int t = 0; t < T; t++) {
                s += get(X, (int64_t)k * ld + t, real);
                u += (long double)get(X, (int64_t)k * ld + t, real) *
                     get(G, (int64_t)k * ld + t, real);
            }
            worst_rows = fmax(worst_rows, (double)fmaxl(fabsl(s - get(D, 2 * k, real)),
                                                        fabsl(u - get(D + 1500, k, real))));
        }
    }
    ok(worst <= 0.25 && sqrt(squares) <= 1 + T / 8.0,
       "%s f%d outer K=%d J=%d T=%d: %.2f of the bound, root of squares %.2f eps", vk->name,
       real == AGNI_SIMD_F32 ? 32 : 64, K, J, T, worst, sqrt(squares));
    ok(worst_rows <= T * eps, "%s f%d row sums E=%d T=%d: %.1f eps", vk->name,
       real == AGNI_SIMD_F32 ? 32 : 64, K, T, worst_rows / eps);
}

/* sides from 1 to beyond a line, strides of their own, nothing written beside */
static void check_turn(const agni_simd_kernels *vk, int real, int m, int n)
{
    const int64_t ldx = n + 3, ldy = m + 2, bytes = real == AGNI_SIMD_F32 ? 4 : 8;
    int bad = 0;
    fill(X, m * ldx, real), fill(D, n * ldy, real);
    memcpy(D0, D, sizeof D);
    for (int where = 0; where < 3; where++) { /* rows of neither, of D, of X at pointers */
        const int64_t from = where == 2 ? 2 : 0, to = where == 1 ? 2 : 0; /* of a row's numbers */
        char *row[64];
        for (int k = 0; k < (where == 2 ? m : n); k++)
            row[k] = where == 2 ? (char *)X + k * ldx * bytes : (char *)D + k * ldy * bytes;
        if (where == 0)
            vk->real[real].transpose(D, ldy, X, ldx, m, n);
        else if (where == 1)
            vk->real[real].transpose_in(row, to, X, ldx, m, n);
        else
            vk->real[real].transpose_out(D, ldy, row, from, m, n);
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < ldy; i++)
                bad += get(D, j * ldy + i, real) != (i >= to && i < to + m
                                                         ? get(X, (i - to) * ldx + from + j, real)
                                                         : get(D0, j * ldy + i, real));
        memcpy(D, D0, sizeof D);
    }
    ok(bad == 0, "%s f%d turn %d x %d: %d differ", vk->name, real == AGNI_SIMD_F32 ? 32 : 64, m, n,
       bad);
}

static void check_bprod(const agni_simd_kernels *vk, int real, int I, int K, int J, int T)
{
    int bad = 0;
    for (int add = 0; add < 2; add++) {
        fill(X, (int64_t)I * K * T, real), fill(G, (int64_t)K * J * T, real);
        fill(C, (int64_t)I * J * T, real);
        memcpy(C0, C, sizeof C);
        vk->real[real].batched_product(C, X, G, I, K, J, T, add);
        for (int64_t i = 0; i < I; i++) {
            for (int64_t jt = 0; jt < J * T; jt++) {
                double s = add ? get(C0, i * J * T + jt, real) : 0;
                for (int64_t k = 0; k < K; k++)
                    s = step(vk, real, get(X, (i * K + k) * T + jt % T, real),
                             get(G, k * J * T + jt, real), s);
                bad += get(C, i * J * T + jt, real) != s;
            }
        }
    }
    ok(bad == 0, "%s f%d bprod %dx%dx%d T=%d: %d differ", vk->name,
       real == AGNI_SIMD_F32 ? 32 : 64, I, K, J, T, bad);
}

static double plain2(int f, double a, double b)
{
    const double values[] = {
        [AGNI_V2_add] = a + b,
        [AGNI_V2_sub] = a - b,
        [AGNI_V2_mul] = a * b,
        [AGNI_V2_div] = a / b,
        [AGNI_V2_mulz] = a == 0 || b == 0 ? 0 : a * b,
        [AGNI_V2_max] = a >= b || isnan(a) ? a : b,
        [AGNI_V2_min] = a <= b || isnan(a) ? a : b,
        [AGNI_V2_lt] = a < b,
        [AGNI_V2_le] = a <= b,
        [AGNI_V2_eq] = a == b,
        [AGNI_V2_ne] = a != b,
    };
    return values[f];
}

static double plain3(const agni_simd_kernels *vk, int real, int f, double a, double b, double c)
{
    const double values[] = {
        [AGNI_V3_fma] = step(vk, real, a, b, c),
        [AGNI_V3_fnma] = step(vk, real, -a, b, c),
        [AGNI_V3_fmaz] = a == 0 || b == 0 ? c : step(vk, real, a, b, c),
        [AGNI_V3_where] = a != 0 ? b : c,
        [AGNI_V3_gate] = c < a ? b : c,
    };
    return values[f];
}

static bool same(double want, double got, int real)
{
    if (real == AGNI_SIMD_F32)
        want = (double)(float)want;
    return isnan(want) ? isnan(got) : want == got && !signbit(want) == !signbit(got);
}

/* Steps of every kind on slots: those that move, numbers, which no step writes, and scratch, which
 * none reads before it is made. */
enum { MOVING = 6, NUMBERS = 2, CHAIN_SLOTS = MOVING + NUMBERS + 3, CHAIN_STEPS = 40 };
static const struct {
    uint8_t kind, f, as, operands;
} chain_kinds[] = {
    {AGNI_VC_MUL, AGNI_VC_MUL, AGNI_V2_mul, 2},
    {AGNI_VC_ADD, AGNI_VC_ADD, AGNI_V2_add, 2},
    {AGNI_VC_SUB, AGNI_VC_SUB, AGNI_V2_sub, 2},
    {AGNI_VC_FMA, AGNI_VC_FMA, AGNI_V3_fma, 3},
    {AGNI_VC_FNMA, AGNI_VC_FNMA, AGNI_V3_fnma, 3},
    {AGNI_VC_NEG, AGNI_VC_NEG, AGNI_VM_neg, 1},
    {AGNI_VC_MULZ, AGNI_VC_MULZ, AGNI_V2_mulz, 2},
    {AGNI_VC_FMAZ, AGNI_VC_FMAZ, AGNI_V3_fmaz, 3},
    {AGNI_VC_DIV, AGNI_VC_DIV, AGNI_V2_div, 2},
    {AGNI_VC_MAGNITUDE, AGNI_VC_MAGNITUDE, AGNI_VM_abs, 1},
    {AGNI_VC_EQ, AGNI_VC_EQ, AGNI_V2_eq, 2},
    {AGNI_VC_WHERE, AGNI_VC_WHERE, AGNI_V3_where, 3},
    {AGNI_VC_LT, AGNI_VC_LT, AGNI_V2_lt, 2},
    {AGNI_VC_GATE, AGNI_VC_GATE, AGNI_V3_gate, 3},
    {AGNI_VC_MAP, AGNI_VM_sin, AGNI_VM_sin, 1},
    {AGNI_VC_LOOP2, AGNI_V2_max, AGNI_V2_max, 2},
    {AGNI_VC_LOOP3, AGNI_V3_where, AGNI_V3_where, 3},
};
static const int CHAIN_KINDS = (int)(sizeof chain_kinds / sizeof *chain_kinds);
static bool is_number(int slot)
{
    return slot >= MOVING && slot < MOVING + NUMBERS;
}
/* one of them, which writes no slot before `first`; its kind */
static int random_step(agni_chain_step *q, bool made[CHAIN_SLOTS], int first)
{
    const int kind = (int)((uniform() + 1) / 2 * CHAIN_KINDS);
    uint8_t slot[4];
    for (int k = 3; k >= 0; k--)
        do
            slot[k] = (uint8_t)((uniform() + 1) / 2 * CHAIN_SLOTS);
        while (k ? !made[slot[k]] : slot[0] < first || is_number(slot[0]));
    made[slot[0]] = true;
    *q = (agni_chain_step){.kind = chain_kinds[kind].kind,
                           .f = chain_kinds[kind].f,
                           .to = slot[0],
                           .a = slot[1],
                           .b = slot[2],
                           .c = slot[3]};
    return kind;
}

/* A chain has the bits of its steps run one by one over everything: n numbers are some blocks and
 * a part of one, and every kind of step reads moving slots, scratch and repeated numbers. */
static void check_chain(const agni_simd_kernels *vk, int real)
{
    const agni_real_kernels *r = &vk->real[real];
    const int64_t size = real == AGNI_SIMD_F32 ? 4 : 8, block = AGNI_VBLOCK / size;
    for (int64_t n = block / 4; n < 4 * block; n += 3 * block / 4) {
        const int64_t room = (n + block - 1) / block * block;
        char *own[CHAIN_SLOTS], *whole[CHAIN_SLOTS];
        agni_chain_places at;
        bool made[CHAIN_SLOTS];
        agni_chain_step step[CHAIN_STEPS];
        fill(X, CHAIN_SLOTS * room, real);
        for (int k = 0; k < CHAIN_SLOTS; k++) {
            made[k] = k < MOVING + NUMBERS;
            own[k] = at.p[k] = (char *)X + k * room * size;
            at.row[k] = 0;
            for (int64_t i = block; i < room && k >= MOVING; i++) /* alike in each block */
                memcpy(own[k] + i * size, own[k] + i % block * size, (size_t)size);
            whole[k] = (char *)G + k * room * size;
            memcpy(whole[k], own[k], (size_t)(room * size));
        }
        for (int i = 0; i < CHAIN_STEPS; i++) {
            const int q = random_step(&step[i], made, 0);
            const uint8_t slot[4] = {step[i].to, step[i].a, step[i].b, step[i].c};
            const agni_simd_operand in[3] = {{whole[slot[1]], room, 1},
                                    {whole[slot[2]], room, 1},
                                    {whole[slot[3]], room, 1}};
            const int as = chain_kinds[q].as, operands = chain_kinds[q].operands;
            if (operands == 1)
                r->map[as](whole[slot[0]], whole[slot[1]], room);
            else
                (operands == 2 ? r->loop2 : r->loop3)[as](whole[slot[0]], room, in, 1, room);
        }
        r->chain(step, CHAIN_STEPS, &at, MOVING, 0, 1, n);
        int bad = 0;
        for (int k = 0; k < MOVING; k++)
            bad += memcmp(own[k], whole[k], (size_t)(n * size)) != 0;
        ok(bad == 0, "%s f%d chain over %d numbers: %d slots differ", vk->name,
           real == AGNI_SIMD_F32 ? 32 : 64, (int)n, bad);
    }
}

/* Rows that run at once have the bits of rows that run alone: some slots stand beside each row, and
 * a row is a part of a block, a block, or more. */
static void check_chain_rows(const agni_simd_kernels *vk, int real)
{
    enum { BESIDE = 2, ROWS = 7 };
    const agni_real_kernels *r = &vk->real[real];
    const int64_t size = real == AGNI_SIMD_F32 ? 4 : 8, block = AGNI_VBLOCK / size;
    const int64_t many[] = {block / 8, 3 * block / 8, block, block + block / 8, 3 * block};
    for (size_t i = 0; i < sizeof many / sizeof *many; i++) {
        const int64_t n = many[i], room = ROWS * n + AGNI_VROOM / size;
        char *own[CHAIN_SLOTS], *alone[CHAIN_SLOTS];
        agni_chain_places at;
        bool made[CHAIN_SLOTS];
        agni_chain_step step[CHAIN_STEPS];
        fill(X, CHAIN_SLOTS * room, real);
        for (int k = 0; k < CHAIN_SLOTS; k++) {
            made[k] = k < MOVING + NUMBERS;
            own[k] = (char *)X + k * room * size;
            alone[k] = (char *)G + k * room * size;
            for (int64_t j = 1; is_number(k) && j < room; j++)
                memcpy(own[k] + j * size, own[k], (size_t)size);
        }
        memcpy(G, X, (size_t)(CHAIN_SLOTS * room * size));
        for (int k = 0; k < CHAIN_STEPS; k++) {
            random_step(&step[k], made, BESIDE);
            step[k].by_rows = step[k].a < BESIDE || step[k].b < BESIDE || step[k].c < BESIDE;
        }
        for (int64_t e = -1; e < ROWS; e++) { /* -1: all rows at once */
            for (int k = 0; k < CHAIN_SLOTS; k++) {
                int64_t row = k < BESIDE || is_number(k) ? 0 : n * size;
                at.row[k] = row;
                at.p[k] = e < 0 ? own[k] : alone[k] + (k < MOVING ? e * row : 0);
            }
            r->chain(step, CHAIN_STEPS, &at, MOVING, 0, e < 0 ? ROWS : 1, n);
        }
        int bad = 0;
        for (int k = 0; k < MOVING; k++)
            bad += memcmp(own[k], alone[k], (size_t)(ROWS * n * size)) != 0;
        ok(bad == 0, "%s f%d chain over %d rows of %d numbers: %d slots differ", vk->name,
           real == AGNI_SIMD_F32 ? 32 : 64, ROWS, (int)n, bad);
    }
}

/* A step that takes a number for each row has the bits of the loop over rows, whether rows are
 * parts of a block, a block, or more. */
static void check_row_numbers(const agni_simd_kernels *vk, int real)
{
    enum { ROWS = 7, STEP = 3 };
    static const struct {
        uint8_t kind, f, operands;
    } of[] = {{AGNI_VC_MUL_N, AGNI_V2_mul, 2},
              {AGNI_VC_ADD_N, AGNI_V2_add, 2},
              {AGNI_VC_FMA_N, AGNI_V3_fma, 3},
              {AGNI_VC_FNMA_N, AGNI_V3_fnma, 3}};
    static const uint8_t run[][5] = {
#define RUN(a, b, c, d, e) {AGNI_VC_##a, AGNI_VC_##b, AGNI_VC_##c, AGNI_VC_##d, AGNI_VC_##e},
#include "tensor/cpu/simd/fused_steps.def"
#undef RUN
    };
    const agni_real_kernels *r = &vk->real[real];
    const int64_t size = real == AGNI_SIMD_F32 ? 4 : 8, block = AGNI_VBLOCK / size;
    const int64_t many[] = {block / 8, 3 * block / 8, block, block + block / 8, 3 * block};
    int bad = 0;
    for (size_t i = 0; i < sizeof many / sizeof *many; i++)
        for (size_t q = 0; q < sizeof of / sizeof *of; q++) {
            const int64_t n = many[i], room = ROWS * n;
            uint8_t f = 0;
            fill(X, 4 * room, real);
            char *a = (char *)X, *c = a + room * size, *y = c + room * size,
                 *number = y + room * size;
            while (run[f][0] != of[q].kind || run[f][1] != AGNI_VC_NONE)
                f++;
            const agni_chain_step step = {of[q].kind, f, 0, 1, 3, 2, true};
            agni_chain_places at = {{y, a, c, number},
                                    {n * size, n * size, n * size, STEP * size}};
            const agni_simd_operand in[3] = {{a, n, 1}, {number, STEP, 0}, {c, n, 1}};
            r->chain(&step, 1, &at, 3, 1, ROWS, n);
            (of[q].operands == 2 ? r->loop2 : r->loop3)[of[q].f](G, n, in, ROWS, n);
            bad += memcmp(G, y, (size_t)(room * size)) != 0;
        }
    ok(bad == 0, "%s f%d: steps with a number for each row, %d unlike the loop", vk->name,
       real == AGNI_SIMD_F32 ? 32 : 64, bad);
}

/* Each run of chain.def has the bits of its steps, one by one over everything. */
static void check_runs(const agni_simd_kernels *vk, int real)
{
    /* six move, the last of them is written */
    enum { SLOTS = 9, RESULT = 6, PRODUCT, S, LONGEST = 5 };
    static const struct {
        uint8_t op, sum, number;
    } row[] = {
#define NEAR(name, op, sum, number, value) {AGNI_VC_##op, sum, number},
#include "tensor/cpu/simd/fused_steps.def"
#undef NEAR
    };
    static const uint8_t run[][LONGEST] = {
#define RUN(a, b, c, d, e) {AGNI_VC_##a, AGNI_VC_##b, AGNI_VC_##c, AGNI_VC_##d, AGNI_VC_##e},
#include "tensor/cpu/simd/fused_steps.def"
#undef RUN
    };
    static const uint8_t as[] = {AGNI_V2_mul, AGNI_V2_add, AGNI_V2_sub,  AGNI_V3_fma,
                                 AGNI_V3_fnma, AGNI_VM_neg, AGNI_V2_mulz, AGNI_V3_fmaz,
                                 AGNI_V2_div,  AGNI_VM_abs, AGNI_V2_eq,   AGNI_V3_where,
                                 AGNI_V2_lt,   AGNI_V3_gate};
    const agni_real_kernels *r = &vk->real[real];
    const int64_t size = real == AGNI_SIMD_F32 ? 4 : 8, block = AGNI_VBLOCK / size,
                  n = block + block / 4, room = 2 * block;
    char number[4][AGNI_VBLOCK];
    int bad = 0, many = (int)(sizeof run / sizeof *run);
    for (int i = 0; i < many; i++) {
        char *slot[SLOTS];
        agni_chain_places at;
        fill(X, SLOTS * room, real);
        for (int k = 0; k < SLOTS; k++)
            slot[k] = (char *)X + k * room * size;
        memset(slot[0], 0, (size_t)(room / 8 * size));
        for (int k = 0; k < RESULT + 4; k++)
            at.p[k] = k < RESULT ? slot[k] : number[k - RESULT], at.row[k] = 0;
        for (int k = 0; k < 4; k++)
            for (int64_t j = 0; j < AGNI_VBLOCK; j += size)
                memcpy(number[k] + j, slot[1] + k * size, (size_t)size);
        agni_chain_step step[LONGEST];
        int n_step = 0;
        for (; n_step < LONGEST && run[i][n_step] != AGNI_VC_NONE; n_step++) {
            const int q = run[i][n_step], op = row[q].op;
            const bool product = op == AGNI_VC_FMA_PRODUCT;
            uint8_t in[3];
            agni_simd_operand o[3];
            for (int k = 0; k < 3; k++) {
                bool is_number = row[q].number == k + 1;
                in[k] = (uint8_t)(is_number ? RESULT + n_step % 4
                                            : (int)((uniform() + 1) / 2 * (RESULT - 1)));
                o[k] = is_number ? (agni_simd_operand){number[n_step % 4], 0, 0}
                                 : (agni_simd_operand){slot[row[q].sum == k + 1 ? S : in[k]], n, 1};
            }
            if (product) {
                const agni_simd_operand all[3] = {
                    {number[n_step % 4], 0, 0}, {slot[PRODUCT], n, 1}, {slot[S], n, 1}};
                r->loop2[AGNI_V2_mul](slot[PRODUCT], n, o, 1, n);
                r->loop3[AGNI_V3_fma](slot[S], n, all, 1, n);
            } else if (op == AGNI_VC_NEG || op == AGNI_VC_MAGNITUDE) {
                r->map[as[op]](slot[S], o[0].p, n);
            } else {
                (op == AGNI_VC_FMA || op == AGNI_VC_FNMA || op == AGNI_VC_FMAZ ||
                         op == AGNI_VC_WHERE || op == AGNI_VC_GATE
                     ? r->loop3
                     : r->loop2)[as[op]](slot[S], n, o, 1, n);
            }
            step[n_step] = (agni_chain_step){(uint8_t)q, (uint8_t)i, RESULT - 1, in[0],
                                             in[1],      in[2],      false};
        }
        r->chain(step, n_step, &at, RESULT, 0, 1, n);
        bad += memcmp(slot[RESULT - 1], slot[S], (size_t)(n * size)) != 0;
    }
    ok(bad == 0, "%s f%d: %d runs of a chain, %d of them unlike their steps", vk->name,
       real == AGNI_SIMD_F32 ? 32 : 64, many, bad);
}

/* Each loop with every mixture of tiles, uniform values and immediates, and in
 * place. */
static void check_loops(const agni_simd_kernels *vk, int real)
{
    static const double odd[] = {0.0,         -0.0, HUGE_VAL, -HUGE_VAL,
                                 (double)NAN, 1,    -1,       0x1p-120};
    const int64_t rows = 5;
    int bad = 0, count = 0;
    for (int f = 0; f < AGNI_VLOOP2_COUNT + AGNI_VLOOP3_COUNT; f++) {
        for (int mix = 0; mix < 27 * 2; mix++) {
            const int64_t n = 21 + mix, yrow = mix % 2 ? n : n + 4;
            double *base[3] = {X, G, W};
            agni_simd_operand in[3];
            int kind = mix / 2;
            for (int k = 0; k < 3; k++, kind /= 3) {
                fill(base[k], rows * (n + 9), real);
                for (int i = 0; i < 40; i++)
                    set(base[k], (i * 7 + k) % (rows * n), odd[(i + i / 8 * k) % 8],
                        real);
                in[k] = (agni_simd_operand){base[k], kind % 3 == 0 ? n : kind % 3 == 1,
                                   kind % 3 == 0};
            }
            void *y = f % 2 && in[0].step && yrow == n ? (void *)X : C;
            memcpy(D, X, sizeof D);
            if (f < AGNI_VLOOP2_COUNT)
                vk->real[real].loop2[f](y, yrow, in, rows, n);
            else
                vk->real[real].loop3[f - AGNI_VLOOP2_COUNT](y, yrow, in, rows, n);
            for (int64_t i = 0; i < rows * n; i++) {
                const int64_t r = i / n, t = i % n;
                const double a = get(D, r * in[0].row + t * in[0].step, real);
                const double b = get(G, r * in[1].row + t * in[1].step, real);
                const double c = get(W, r * in[2].row + t * in[2].step, real);
                const double want = f < AGNI_VLOOP2_COUNT
                                        ? plain2(f, a, b)
                                        : plain3(vk, real, f - AGNI_VLOOP2_COUNT, a, b,
                                                 c);
                bad += !same(want, get(y, r * yrow + t, real), real);
                count++;
            }
        }
    }
    ok(bad == 0, "%s f%d loops: %d of %d differ", vk->name,
       real == AGNI_SIMD_F32 ? 32 : 64, bad, count);
}

/* In a child, since the choice is for life: the level's name and whether it was
 * refused */
static void check_choice(const char *name, const char *want, bool refused)
{
    int status = -1;
    fflush(stdout);
    const pid_t pid = fork();
    if (pid == 0) {
        setenv("AGNESI_CPU", name, 1);
        const bool good = !strcmp(agni_simd_kernels_get()->name, want) &&
                          !!agni_cpu_level_fault() == refused;
        _exit(good ? 0 : 1);
    }
    ok(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0,
       "AGNESI_CPU=%s gives %s%s", name, want, refused ? " and says why" : "");
}

int main(void)
{
    const agni_simd_kernels *vk, *best = NULL;
    bool usable;
    for (int l = 0; (vk = agni_simd_kernels_level(l, &usable)); l++)
        if (usable)
            best = vk;
    for (int l = 0; (vk = agni_simd_kernels_level(l, &usable)); l++)
        check_choice(vk->name, usable ? vk->name : best->name, !usable);
    check_choice("", best->name, false);
    check_choice("sse9", best->name, true);
    for (int l = 0; (vk = agni_simd_kernels_level(l, &usable)); l++) {
        if (!usable || !tap_level(vk->name))
            continue;
        for (int real = 0; real < AGNI_SIMD_REALS; real++) {
            check_loops(vk, real);
            check_chain(vk, real);
            check_chain_rows(vk, real);
            check_row_numbers(vk, real);
            check_runs(vk, real);
            for (int i = 0; i < SHAPES; i++) {
                const int K = shapes[i].K, J = shapes[i].J, T = shapes[i].T;
                check_prod(vk, real, K, J, T, T + shapes[i].pad);
                check_outer(vk, real, K, J, T, T + shapes[i].pad);
            }
            static const int side[] = {1, 3, 4, 7, 8, 9, 16, 30, 33};
            for (int a = 0; a < (int)(sizeof side / sizeof *side); a++)
                for (int b = 0; b < (int)(sizeof side / sizeof *side); b++)
                    check_turn(vk, real, side[a], side[b]);
            check_bprod(vk, real, 3, 5, 7, 32);
            check_bprod(vk, real, 1, 1, 1, 16);
        }
    }
    return done();
}
