/* t-categories - categories drawn by a guide (Chen & Asau 1974) are those that bisection of the cumulative sums
   finds, whatever the weights: equal ones, few that are positive, steep ones, sums beyond the range. */
#include "core/random/philox.h"
#include "tensor/random/cpu/sequences.h"

#include <agnesi/random.h>
#include <agnesi/shape.h>
#include <agnesi/tensor.h>
#include <math.h>
#include <stdlib.h>

#include "tests/tap.h"

#define must(call) \
    if (call)      \
    bail_out("%s: %s", #call, agn_error_message())

static double weight(int kind, int64_t k, int64_t n)
{
    switch (kind) {
    case 0: return 1;
    case 1: return k % 7 == 3 ? 1 + (double)k : 0;
    case 2: return exp(-(double)k);
    case 3: return k == n / 2;
    case 4: return k == n - 1 || k == 0 ? 1e-300 : 0;
    default: return 1e308 * ((1 + (double)(k * 37 % 11)) / 12);
    }
}

int main(void)
{
    const int64_t sizes[] = {1, 2, 3, 8, 100, 1000};
    agn_generator *g = NULL;
    must(agn_generator_new(&g, 5));
    for (int kind = 0; kind < 6; kind++) {
        int wrong = 0, drawn = 0;
        for (int i = 0; i < 6; i++) {
            int64_t n = sizes[i] < 8 && kind == 1 ? 8 : sizes[i], many = 700 + i, rows = 3;
            double *w = malloc((size_t)n * sizeof *w), *sum = malloc((size_t)n * sizeof *sum), s = 0;
            for (int64_t k = 0; k < n; k++)
                w[k] = weight(kind, k, n);
            for (int64_t k = 0; k < n; k++)
                sum[k] = s += w[k];
            for (int64_t k = 0, far = isinf(s); far && k < n; k++)
                sum[k] = (k ? sum[k - 1] : 0) + 0x1p-64 * w[k];
            agn_tensor *key = NULL, *x = NULL, *y = NULL, *all = NULL;
            must(agn_key(&key, g));
            must(agn_from_host(&x, AGN_F64, 1, &n, w));
            must(agn_broadcast_to(&all, x, 2, (const int64_t[]){rows, n}));
            must(agn_random_multinomial(&y, key, all, many, true));
            const int64_t *k = agn_data(key), *have = agn_data(y);
            uint64_t sub = agni_philox_subkey((uint64_t)k[0], (uint64_t)k[1]);
            for (int64_t r = 0; r < rows; r++)
                for (int64_t j = 0; j < many; j++, drawn++)
                    wrong += have[r * many + j] !=
                             agni_invert_cumulative(sum, n, agni_philox_f64(sub, (uint64_t)(r * many + j)));
            agn_release(key);
            agn_release(x);
            agn_release(all);
            agn_release(y);
            free(w);
            free(sum);
        }
        is_int(wrong, 0, "weights %d: %d categories", kind, drawn);
    }
    agn_generator_release(g);
    return done();
}
