/* audio/speech/room.c - impulse responses of a box: mirror images of the source (Allen & Berkley
   1979), each a windowed sinc
   at a delay between samples (Peterson 1986). */
#include "audio/speech/speech.h"

#include <agnesi/ag.h>
#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

enum { HALF = 40, TAPS = 2 * HALF, ORDER_MOST = 30 };

/* images: of each and each axis, the sign of the source, how many rooms away, and reflections at
   both walls */
static int64_t list_images(double *sign, double *rooms, double *hits, int order)
{
    int64_t count = 0;
    for (int i = -order; i <= order; i++)
        for (int j = -order; j <= order; j++)
            for (int k = -order; k <= order; k++) {
                int at[] = {i, j, k};
                if (abs(i) + abs(j) + abs(k) > order)
                    continue;
                for (int d = 0; sign && d < 3; d++) {
                    bool odd = at[d] % 2 != 0;
                    sign[3 * count + d] = odd ? -1 : 1;
                    rooms[3 * count + d] = odd ? at[d] + 1 : at[d];
                    hits[6 * count + 2 * d] = fabs(floor(at[d] / 2.0));
                    hits[6 * count + 2 * d + 1] = fabs(floor((at[d] + 1) / 2.0));
                }
                count++;
            }
    return count;
}

static const agn_tensor *adopt_table(agn_scope *s, int dtype, int64_t rows, int64_t columns,
                                     const double *v)
{
    agn_tensor *made = NULL;
    if (agn_scope_status(s))
        return NULL;
    agn_status st = agni_audio_make(&made, (agn_dtype)dtype, 2, (int64_t[]){rows, columns}, v);
    return agni_adopt_constant(s, st, made);
}

static agn_status check_room(int *dtype, const char *op, const agn_tensor *const *x)
{
    static const char *const names[] = {"room", "source", "microphone", "absorption"};
    static const int64_t sizes[] = {3, 3, 3, 6};
    for (int k = 0; k < 4; k++) {
        if (!x[k])
            return agni_fail(AGN_ENULL, "%s: %s is NULL", op, names[k]);
        if (agni_kind(x[k]->dtype) == AGNI_KIND_COMPLEX)
            return agni_fail(AGN_EDTYPE, "%s: %s is %s; a real dtype is needed", op, names[k],
                             agni_dtypes[x[k]->dtype].name);
        int rank = k == 2 ? 2 : 1;
        if (x[k]->ndim != rank || x[k]->shape[rank - 1] != sizes[k] || !x[k]->size)
            return agni_fail(AGN_ESHAPE, "%s: %s is %s; it is %s", op, names[k], AGNI_SHAPE(x[k]),
                             k == 2   ? "[microphones, 3]"
                             : k == 3 ? "[6]"
                                      : "[3]");
        *dtype = k ? agni_promote(*dtype, x[k]->dtype) : x[k]->dtype;
    }
    *dtype = agni_audio_dtype(*dtype);
    return AGN_OK;
}

/* distances of images and their strengths, [microphones, images], summed as sincs into
   [microphones, n] */
static const agn_tensor *sum_images(agn_scope *s, const agn_tensor *delay,
                                    const agn_tensor *strength, int64_t n)
{
    agn_tensor *made = NULL;
    if (!delay || !strength)
        return NULL;
    int dtype = delay->dtype;
    int64_t rows = delay->shape[0];
    const agn_tensor *whole = ag_stop_gradient(s, ag_floor(s, delay));
    agn_status st = agn_scope_status(s)
                        ? AGN_OK
                        : agn_arange(&made, (agn_dtype)dtype, 1 - HALF, HALF + 1, 1);
    const agn_tensor *tap = agn_scope_status(s) ? NULL : agni_adopt_constant(s, st, made);
    const agn_tensor *base = ag_expand_dims(s, whole, -1);
    const agn_tensor *t = ag_sub(s, tap, ag_expand_dims(s, ag_sub(s, delay, whole), -1));
    const agn_tensor *window = ag_mul_c(s, ag_add_c(s, ag_cos(s, ag_mul_c(s, t, PI / HALF)), 1),
                                        0.5);
    const agn_tensor *v = ag_mul(s, ag_mul(s, ag_sinc(s, t), window),
                                 ag_expand_dims(s, strength, -1));
    /* what is beyond goes to a place of its own, behind the last sample of each row */
    const agn_tensor *at = ag_add(s, base, tap), *none = ag_full_like(s, at, (double)n);
    const agn_tensor *inside = ag_logical_and(s, ag_ge(s, at, ag_full_like(s, at, 0)),
                                              ag_lt(s, at, none));
    at = ag_cast(s, ag_where(s, inside, at, none), AGN_I64);
    made = NULL;
    st = agn_scope_status(s) ? AGN_OK : agn_arange(&made, AGN_I64, 0, (double)rows, 1);
    const agn_tensor *row = agn_scope_status(s) ? NULL : agni_adopt_constant(s, st, made);
    row = ag_mul(s, row, ag_full_i64(s, AGN_I64, 0, NULL, n + 1));
    at = ag_ravel(s, ag_add(s, at, ag_expand_dims(s, ag_expand_dims(s, row, -1), -1)));
    const agn_tensor *y = ag_scatter_add(
        s, ag_zeros(s, (agn_dtype)dtype, 1, (int64_t[]){rows * (n + 1)}), at, ag_ravel(s, v), 0);
    return agni_audio_part(s, agni_reshape(s, y, 2, (int64_t[]){rows, n + 1}), 0, n);
}

agn_status agn_audio_room_response(agn_tensor **out, const agn_tensor *room,
                                   const agn_tensor *source, const agn_tensor *microphone,
                                   const agn_tensor *absorption, int32_t order, double rate,
                                   double speed, int64_t n)
{
    static const char op[] = "audio_room_response";
    int dtype = AGN_F64;
    AGNI_NEED(op, out);
    agn_status st = check_room(&dtype, op,
                               (const agn_tensor *[]){room, source, microphone, absorption});
    if (!st && (order < 0 || order > ORDER_MOST || !(rate > 0) || !isfinite(rate) || !(speed > 0) ||
                !isfinite(speed) || n < 1 || n > 1 << 24))
        st = agni_fail(
            AGN_EARG,
            "%s: order %d, a rate of %g, a speed of %g, %lld samples; orders are 0 to %d, "
            "samples 1 to "
            "2^24, the others positive",
            op, order, rate, speed, (long long)n, ORDER_MOST);
    if (st)
        return st;
    int64_t images = list_images(NULL, NULL, NULL, order);
    size_t size = (size_t)images * 12 * sizeof(double);
    double *v = agni_alloc(size);
    if (!v)
        return agni_nomem(op, size);
    list_images(v, v + 3 * images, v + 6 * images, order);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *sign = adopt_table(s, dtype, images, 3, v),
                     *rooms = adopt_table(s, dtype, images, 3, v + 3 * images),
                     *hits = adopt_table(s, dtype, images, 6, v + 6 * images);
    agni_free(v);
    const agn_tensor *place = ag_add(s, ag_mul(s, sign, ag_cast(s, source, dtype)),
                                     ag_mul(s, rooms, ag_cast(s, room, dtype)));
    const agn_tensor *way = ag_sub(s, ag_expand_dims(s, ag_cast(s, microphone, dtype), -2), place);
    const agn_tensor *far = ag_sqrt(s, ag_sum(s, ag_square(s, way), (int32_t[]){-1}, 1, false));
    const agn_tensor *left = ag_sqrt(s, ag_add_c(s, ag_neg(s, ag_cast(s, absorption, dtype)), 1));
    const agn_tensor *strength = ag_prod(s, ag_pow(s, left, hits), (int32_t[]){-1}, 1, false);
    const agn_tensor *y = sum_images(s, ag_mul_c(s, far, rate / speed), ag_div(s, strength, far),
                                     n);
    return agni_return(op, s, out, y);
}
