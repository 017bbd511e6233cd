/* regimes.c - hidden Markov models of counts. Great earthquakes of 1900 to 2006 with three states
   (Zucchini & MacDonald 2009, whose largest likelihood this is), and disasters in coal mines with
   two states, of which the second is never left: a change point. Which state a year was in comes
   from the derivative in that year's rate of that state, P(state | all) (count / rate - 1). With an
   argument a picture is written there. */
#include "chart.h"
#include "mines.h"
#include <agnesi/agnesi.h>
#include <agnesi/linalg.h>
#include <agnesi/nn.h>
#include <agnesi/optim.h>
#include <agnesi/series_laws.h>

enum { QUAKE_YEARS = 107, STATES = 3 };
static const double quakes[QUAKE_YEARS] = {
    13, 14, 8,  10, 16, 26, 32, 27, 18, 32, 36, 24, 22, 23, 22, 18, 25, 21, 21, 14, 8,  11,
    14, 23, 18, 17, 19, 20, 22, 19, 13, 26, 13, 14, 22, 24, 21, 22, 26, 21, 23, 24, 27, 41,
    31, 27, 35, 26, 28, 36, 39, 21, 17, 22, 17, 19, 15, 34, 10, 15, 22, 18, 15, 20, 15, 22,
    19, 16, 30, 27, 29, 23, 20, 16, 21, 21, 25, 16, 18, 15, 18, 14, 10, 15, 8,  15, 6,  11,
    8,  7,  18, 16, 13, 12, 13, 20, 15, 16, 12, 18, 15, 16, 13, 15, 16, 11, 11};

/* a series and its kind of chain */
typedef struct series {
    const double *count;
    int64_t years;
    int states;
    bool forward; /* states are passed in order, from the first one on */
} series;

static const agn_tensor *transitions(agn_scope *s, const series *q, const agn_tensor *v)
{
    const int64_t k = q->states, shape[2] = {k, k};
    const double never = -1e4;
    double base[STATES * STATES] = {0}, free[STATES * STATES] = {0};
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++) {
            bool open = q->forward ? j == i + 1 : j != i;
            free[i * k + j] = open;
            base[i * k + j] = open || i == j ? 0 : never;
        }
    return ag_add(s, ag_from_host(s, AGN_F64, 2, shape, base),
                  ag_mul(s, ag_from_host(s, AGN_F64, 2, shape, free), ag_reshape(s, v, 2, shape)));
}
/* logarithms of the probabilities of the first year: those that transitions leave as they are */
static const agn_tensor *beginning(agn_scope *s, const series *q, const agn_tensor *logits)
{
    const int64_t k = q->states;
    if (q->forward)
        return ag_from_host(s, AGN_F64, 1, &k, (const double[]){0, -1e4, -1e4});
    const agn_tensor *p = ag_nn_softmax(s, logits, 1);
    const agn_tensor *a = ag_add_c(s, ag_sub(s, ag_eye(s, AGN_F64, k, k, 0), p), 1);
    return ag_log(s, ag_linalg_solve(s, ag_transpose(s, a), ag_ones(s, AGN_F64, 1, &k)));
}
/* minus the log likelihood of the rates by years and states, in[0], and of transitions, in[1] */
static agn_status surprise(void *user, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    const series *q = user;
    const agn_tensor *logits = transitions(s, q, in[1]);
    const agn_distribution *seen = ag_distribution_poisson(s, in[0], NULL);
    const agn_distribution *law = ag_distribution_hidden_markov(
        s, q->years, beginning(s, q, logits), logits, seen, NULL);
    const agn_tensor *x = ag_from_host(s, AGN_F64, 1, &q->years, q->count);
    out[0] = ag_neg(s, ag_distribution_log_prob(s, law, x));
    return agn_scope_status(s);
}
static const agn_tensor *by_years(agn_scope *s, const series *q, const agn_tensor *log_rate)
{
    return ag_broadcast_to(s, ag_exp(s, log_rate), 2, (const int64_t[]){q->years, q->states});
}
static agn_status loss(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const agn_tensor *args[] = {by_years(s, user, in[0]), in[1]};
    return surprise(user, s, args, out);
}

/* probability of each state in each year, [years, states] */
static const agn_tensor *states_of(agn_scope *s, const series *q, const agn_tensor *const *best)
{
    agn_fn *f = NULL, *df = NULL;
    const int32_t first = 0;
    const agn_tensor *rate = by_years(s, q, best[0]), *in[] = {rate, best[1]}, *g = NULL;
    agn_status st = agn_fn_new(&f, surprise, (void *)(uintptr_t)q, NULL, 2, 1);
    st = st ? st : agn_fn_grad(&df, f, &first, 1);
    st = st ? st : agn_fn_apply(s, &g, 1, df, in, 2);
    agn_scope_fail(s, st);
    agn_fn_release(f);
    agn_fn_release(df);
    const agn_tensor *x = ag_from_host(s, AGN_F64, 2, (const int64_t[]){q->years, 1}, q->count);
    return ag_contiguous(s, ag_div(s, ag_neg(s, g), ag_add_c(s, ag_div(s, x, rate), -1)));
}

static void draw(const chart *c, const series *q, const double *rate, const double *p, int year)
{
    double at[128], mean[128];
    for (int t = 0; t < q->years; t++) {
        at[t] = year + t;
        mean[t] = 0;
        for (int k = 0; k < q->states; k++)
            mean[t] += p[t * q->states + k] * exp(rate[k]);
        chart_line(c, at[t], 0, at[t], q->count[t], 3, CHART_PALE);
    }
    chart_curve(c, (int)q->years, at, mean, CHART_RED);
}
static agn_status fit(agn_scope *s, const series *q, const double *rates, const chart *c, int year)
{
    agn_fn *f = NULL;
    agn_tensor *best[2] = {NULL, NULL};
    double value = 0, start[STATES];
    const int64_t k = q->states, all = k * k;
    for (int i = 0; i < k; i++)
        start[i] = log(rates[i]);
    const agn_tensor *in[] = {ag_from_host(s, AGN_F64, 1, &k, start),
                              ag_full(s, AGN_F64, 1, &all, -2)};
    agn_optim_options opts = {.size = sizeof opts, .gradient_tol = 1e-6};
    agn_status st = agn_scope_status(s);
    st = st ? st : agn_fn_new(&f, loss, (void *)(uintptr_t)q, NULL, 2, 1);
    st = st ? st : agn_fn_minimise(best, 2, &value, NULL, f, in, 2, AGN_OPTIM_BFGS, 300, &opts);
    agn_fn_release(f);
    const agn_tensor *at[] = {agn_scope_adopt(s, st, &best[0]), agn_scope_adopt(s, st, &best[1])};
    const agn_tensor *state = states_of(s, q, at);
    st = agn_scope_status(s);
    if (st)
        return st;
    const double *rate = agn_data(at[0]), *p = agn_data(state);
    printf("minus log likelihood %.3f, rates", value);
    for (int i = 0; i < k; i++)
        printf(" %.2f", exp(rate[i]));
    double off = 0;
    int change = 0;
    for (int t = 0; t < q->years; t++) {
        double sum = 0;
        for (int i = 0; i < k; i++)
            sum += p[t * k + i];
        off = fmax(off, fabs(sum - 1));
        change += p[t * k] > 0.5;
    }
    printf("; probabilities of states %s\n", off < 1e-9 ? "sum to 1" : "do not sum to 1");
    if (q->forward)
        printf("the second state from %d on\n", year + change);
    if (c->f)
        draw(c, q, rate, p, year);
    return AGN_OK;
}

int main(int argc, char **argv)
{
    const series shaken = {quakes, QUAKE_YEARS, STATES, false}, mined = {disasters, YEARS, 2, true};
    FILE *f = argc > 1 ? picture_open(argv[1], 640, 480) : NULL;
    const chart above = {f, 50, 25, 570, 180, 1898, 2009, 0, 45},
                below = {f, 50, 260, 570, 180, 1849, 1965, 0, 7};
    chart_frame(&above, "great earthquakes a year, and their rate by three hidden states");
    chart_frame(&below, "disasters in coal mines a year, and their rate before and after a change");
    agn_scope *s = agn_scope_open(NULL);
    agn_status st = fit(s, &shaken, (const double[]){10, 20, 30}, &above, 1900);
    st = st ? st : fit(s, &mined, (const double[]){3, 1}, &below, 1851);
    picture_close(f);
    agn_scope_fail(s, st);
    st = agn_scope_close(s);
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    return st != AGN_OK;
}
