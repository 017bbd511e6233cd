/* bench/task.c - measuring a compiled function, and the same written by hand. */
#include "task.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void release_all(agn_tensor **x, int n)
{
    for (int i = 0; i < n; i++) {
        agn_release(x[i]);
        x[i] = NULL;
    }
}

static void task_call(void *user)
{
    task *t = user;
    release_all(t->out, t->n_out);
    TRY(agn_fn_call(t->out, agn_fn_n_out(t->step), t->step, (const agn_tensor *const *)t->in,
                    agn_fn_n_in(t->step)));
}

static int task_check(void *user, double *value)
{
    task *t = user;
    return t->check(t, value);
}

void task_run(const char *id, task *t, agn_fn *f, agn_fn *df)
{
    if (bench_asked(id)) {
        TRY(agn_fn_compile(&t->step, df, NULL));
        t->n_in = agn_fn_n_in(df);
        t->n_out = agn_fn_n_out(df);
        bench_plan(t->step, agn_dtype_of(t->in[0]) == AGN_F32);
        bench_measure(id, &(bench_work){task_call, task_check, t, 0});
        bench_explained(t->step);
        agn_fn_release(t->step);
        release_all(t->out, t->n_out);
    }
    agn_fn_release(df);
    agn_fn_release(f);
}

void task_close(task *t)
{
    release_all(t->in, MOST_IN);
    release_all(t->out, MOST_OUT);
}

/* ---- by hand ------------------------------------------------------------------------------ */

static const char suffix[] = "-by-hand";

bool task_asked(const char *id)
{
    char by_hand_id[96];
    snprintf(by_hand_id, sizeof by_hand_id, "%s%s", id, suffix);
    return bench_asked(id) || bench_asked(by_hand_id);
}

/* results lie in the same place at each call, as those that the library has room for */
typedef struct manual {
    task *t;
    by_hand *f;
    const void *sizes, *in[MOST_IN];
    void *out[MOST_OUT];
    agn_dtype dtype;
    const int64_t *elements;
} manual;

static void manual_call(void *user)
{
    manual *m = user;
    m->f(m->sizes, m->in, m->out);
}
static int manual_check(void *user, double *value)
{
    manual *m = user;
    task *t = m->t;
    release_all(t->out, t->n_out);
    for (int i = 0; i < t->n_out; i++)
        TRY(agn_from_host(&t->out[i], m->dtype, 1, &m->elements[i], m->out[i]));
    return t->check(t, value);
}

void task_by_hand(const char *id, task *t, by_hand *f, const void *sizes, agn_dtype dtype,
                  int n_out, const int64_t *elements)
{
    char by_hand_id[96];
    snprintf(by_hand_id, sizeof by_hand_id, "%s%s", id, suffix);
    if (!bench_asked(by_hand_id) || !by_hand_runs())
        return;
    manual m = {.t = t, .f = f, .sizes = sizes, .dtype = dtype, .elements = elements};
    for (int i = 0; i < MOST_IN; i++)
        m.in[i] = t->in[i] ? agn_data(t->in[i]) : NULL;
    t->n_out = n_out;
    for (int i = 0; i < n_out; i++)
        if (!(m.out[i] = malloc((size_t)elements[i] * (dtype == AGN_F32 ? 4 : 8))))
            bench_die("memory");
    bench_measure(by_hand_id, &(bench_work){manual_call, manual_check, &m, 0});
    for (int i = 0; i < n_out; i++)
        free(m.out[i]);
}

/* ---- inputs and checks ---------------------------------------------------------------------- */

agn_tensor *grid1(int64_t n, double lo, double hi, int salt, agn_dtype dtype)
{
    return bench_grid(1, &n, lo, hi, salt, dtype);
}
agn_tensor *grid2(int64_t m, int64_t n, double lo, double hi, int salt, agn_dtype dtype)
{
    return bench_grid(2, (int64_t[]){m, n}, lo, hi, salt, dtype);
}
agn_tensor *grid3(int64_t k, int64_t m, int64_t n, double lo, double hi, int salt,
                  agn_dtype dtype)
{
    return bench_grid(3, (int64_t[]){k, m, n}, lo, hi, salt, dtype);
}

double square_sum(const agn_tensor *x)
{
    agn_tensor *y = bench_f64(x);
    const double *v = agn_data(y);
    double sum = 0;
    for (int64_t i = 0; i < agn_numel(y); i++)
        sum += v[i] * v[i];
    agn_release(y);
    return sum;
}
double element(const agn_tensor *x, int64_t i)
{
    agn_tensor *y = bench_f64(x);
    double v = ((const double *)agn_data(y))[i];
    agn_release(y);
    return v;
}

int value_and_norm(const task *t, double *value)
{
    double sum = 0;
    for (int i = 1; i < t->n_out; i++)
        sum += square_sum(t->out[i]);
    value[0] = element(t->out[0], 0);
    value[1] = sqrt(sum);
    return 2;
}
int each_square_sum(const task *t, double *value)
{
    for (int i = 0; i < t->n_out; i++)
        value[i] = square_sum(t->out[i]);
    return t->n_out;
}
