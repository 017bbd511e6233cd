/* t-fft-wisdom - plans of every effort give the same transforms, for all layouts and kinds; wisdom goes out as bytes and comes
   back; failures. */
#include "modes.h"

#include "fft/fft.h"


static agn_status transform(agn_tensor **y, int kind, const agn_tensor *x)
{
    agn_tensor *h = NULL;
    agn_status st;
    switch (kind) {
    case 0:
        return agn_fft_fft(y, x, 0, -1, AGN_FFT_BACKWARD);
    case 1:
        return agn_fft_rfft(y, x, 0, 0, AGN_FFT_BACKWARD);
    case 2:
        st = agn_fft_rfftn(&h, x, NULL, NULL, 2, AGN_FFT_BACKWARD);
        if (!st)
            st = agn_fft_irfftn(y, h, NULL, NULL, 2, AGN_FFT_BACKWARD);
        agn_release(h);
        return st;
    default:
        return agn_fft_dct(y, x, 2, 0, -1, AGN_FFT_BACKWARD);
    }
}

static void test_efforts(void)
{
    tally q = {0, 0};
    for (int dtype = AGN_F32;; dtype = AGN_F64) {
        agn_tensor *x = random_of(dtype, 2, (int64_t[]){18, 20}, -1, 1);
        for (int kind = 0; kind < 4; kind++)
            for (int l = 0; l < N_LAYOUTS; l++) {
                agn_tensor *want = NULL, *y = NULL, *w = laid_out(x, l);
                must(agn_fft_set_effort(AGN_FFT_ESTIMATE, 0));
                must(transform(&want, kind, w));
                for (int effort = AGN_FFT_MEASURE; effort <= AGN_FFT_EXHAUSTIVE; effort++) {
                    must(agn_fft_set_effort(effort, 0.01));
                    double off = 0;
                    must(transform(&y, kind, w));
                    for (int64_t i = 0; i < agn_numel(want); i++)
                        off = fmax(off, cabs(peekz(y, i) - peekz(want, i)));
                    check(&q, same_shapes(y, want) && off < (dtype == AGN_F32 ? 1e-4 : 1e-13), "kind %d, layout %d, effort %d: %.1e", kind,
                          l, effort, off);
                    agn_release(y);
                }
                release_all((agn_tensor *[]){want, w}, 2);
            }
        agn_release(x);
        if (dtype == AGN_F64)
            break;
    }
    must(agn_fft_set_effort(AGN_FFT_ESTIMATE, 0));
    tell(&q, "every effort");
}

static void test_wisdom(void)
{
    tally q = {0, 0};
    agn_tensor *x = random_of(AGN_F64, 1, (int64_t[]){128}, -1, 1), *y = NULL, *bytes = NULL, *cut = NULL, *out = untouched;
    must(agn_fft_set_effort(AGN_FFT_MEASURE, 0.1));
    must(agn_fft_fft(&y, x, 0, -1, AGN_FFT_BACKWARD));
    must(agn_fft_export_wisdom(&bytes));
    check(&q, agn_dtype_of(bytes) == AGN_U8 && agn_numel(bytes) > 60, "bytes: %d", (int)agn_numel(bytes));
    must(agn_fft_import_wisdom(bytes));
    must(agn_fft_set_effort(AGN_FFT_ESTIMATE, 0));
    /* cut off or changed anywhere: refused */
    for (int64_t n = 0; n < agn_numel(bytes); n += 1 + agn_numel(bytes) / 50) {
        must(agn_slice(&cut, bytes, 1, (int64_t[]){0}, &n, (int64_t[]){1}));
        check(&q, refused(agn_fft_import_wisdom(cut), AGN_EARG, "fft_import_wisdom", "bytes", "x", out), "%d bytes", (int)n);
        agn_release(cut);
    }
    check(&q, refused(agn_fft_import_wisdom(NULL), AGN_ENULL, "fft_import_wisdom", "x", "NULL", out), "%s", agn_error_message());
    check(&q, refused(agn_fft_import_wisdom(x), AGN_EDTYPE, "fft_import_wisdom", "f64", "[128]", out), "%s", agn_error_message());
    must(agn_expand_dims(&cut, bytes, 0));
    check(&q, refused(agn_fft_import_wisdom(cut), AGN_ESHAPE, "fft_import_wisdom", "[1,", "u8", out), "%s", agn_error_message());
    check(&q, refused(agn_fft_export_wisdom(NULL), AGN_ENULL, "fft_export_wisdom", "out", "NULL", out), "%s", agn_error_message());
    check(&q, refused(agn_fft_set_effort(4, 0), AGN_EARG, "fft_set_effort", "effort 4", "0 to 3", out), "%s", agn_error_message());
    check(&q, refused(agn_fft_set_effort(1, -1), AGN_EARG, "fft_set_effort", "-1", "seconds", out), "%s", agn_error_message());
    check(&q, refused(agn_fft_set_effort(1, (double)NAN), AGN_EARG, "fft_set_effort", "nan", "seconds", out), "%s", agn_error_message());
    /* texts of the right lengths that say nothing */
    static const char nothing[] = "agnesi-fftw-wisdom 3 2\n(a)()";
    agn_release(cut);
    must(agn_from_host(&cut, AGN_U8, 1, (int64_t[]){sizeof nothing - 1}, nothing));
    check(&q, refused(agn_fft_import_wisdom(cut), AGN_EARG, "fft_import_wisdom", "f64 refused", "f32 refused", out), "%s",
          agn_error_message());
    release_all((agn_tensor *[]){x, y, bytes, cut}, 4);
    tell(&q, "wisdom out and in, refused where it is none");
}

static agn_status make(void *user, agn_tensor **out)
{
    agn_status st = agn_fft_set_effort(AGN_FFT_MEASURE, 0.01);
    if (!st)
        st = agn_fft_fft(out, user, 0, -1, AGN_FFT_BACKWARD);
    agni_fft_clear_plans();
    return st;
}
static agn_status carry(void *user, agn_tensor **out)
{
    (void)user;
    agn_tensor *text = NULL;
    agn_status st = agn_fft_export_wisdom(&text);
    if (!st)
        st = agn_fft_import_wisdom(text);
    if (st)
        agn_release(text);
    else
        *out = text;
    return st;
}

int main(void)
{
    test_efforts();
    test_wisdom();
    agn_tensor *x = random_of(AGN_F64, 1, (int64_t[]){24}, 0, 1);
    agni_fft_clear_plans();
    every_allocation(make, x, "a measured plan");
    every_allocation(carry, NULL, "wisdom");
    agn_release(x);
    agni_fft_clear_plans();
    return done();
}
