/* fft/signal/peaks.c - local maxima of a row of numbers, and what may be asked of them: height,
   steps beside them, distance, prominence, width, plateaus (Virtanen et al. 2020). */
#include "fft/signal/signal.h"
#include "tensor/dispatch/host_run.h"

#include <math.h>
#include <string.h>

typedef struct row {
    const double *x;
    int64_t n;
} row;

/* x as f64 on the host, owned by *owner */
static agn_status read_row(row *r, agn_tensor **owner, const char *op, const agn_tensor *x)
{
    const void *v = NULL;
    agn_tensor *wide = NULL;
    *owner = NULL;
    if (!x)
        return agni_fail(AGN_ENULL, "%s: x is NULL", op);
    if (x->ndim != 1)
        return agni_fail(AGN_ESHAPE, "%s: x is %s; it is a row of numbers, [n]", op, AGNI_SHAPE(x));
    if (agni_kind(x->dtype) == AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDTYPE, "%s: x is %s %s; a real dtype is needed", op,
                         agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    agn_status st = agn_cast(&wide, x, AGN_F64);
    if (!st)
        st = agn_contiguous(owner, wide);
    agn_release(wide);
    if (!st)
        st = agn_data_contiguous(&v, *owner);
    if (st) {
        agn_release(*owner);
        *owner = NULL;
        return agni_rename_error(op, st);
    }
    *r = (row){v, x->size};
    return AGN_OK;
}

/* middles of the stretches of equal numbers that are above both neighbours, with their ends; room
   for n / 2 */
static int64_t local_maxima(const row *r, int64_t *peak, int64_t *left, int64_t *right)
{
    int64_t count = 0;
    for (int64_t i = 1; i + 1 < r->n; i++) {
        if (!(r->x[i - 1] < r->x[i]))
            continue;
        int64_t ahead = i + 1;
        while (ahead + 1 < r->n && r->x[ahead] == r->x[i])
            ahead++;
        if (r->x[ahead] < r->x[i]) {
            left[count] = i;
            right[count] = ahead - 1;
            peak[count++] = (i + ahead - 1) / 2;
            i = ahead - 1;
        }
    }
    return count;
}

/* height above the higher of the two lowest points on the way to something higher, or to the
   window's end */
static double find_prominence(const row *r, int64_t peak, int64_t window, int64_t *left,
                              int64_t *right)
{
    int64_t reach = window >= 2 ? window / 2 : r->n, lo = peak > reach ? peak - reach : 0,
            hi = r->n - 1 - peak > reach ? peak + reach : r->n - 1;
    double top = r->x[peak], least_l = top, least_r = top;
    *left = *right = peak;
    for (int64_t i = peak; i >= lo && r->x[i] <= top; i--)
        if (r->x[i] < least_l) {
            least_l = r->x[i];
            *left = i;
        }
    for (int64_t i = peak; i <= hi && r->x[i] <= top; i++)
        if (r->x[i] < least_r) {
            least_r = r->x[i];
            *right = i;
        }
    return top - fmax(least_l, least_r);
}

typedef struct crossing {
    double height, left, right;
} crossing;

/* where the line through a peak at a part of its prominence meets the signal */
static crossing width_of(const row *r, int64_t peak, int64_t left, int64_t right, double prominent,
                         double part)
{
    crossing c = {.height = r->x[peak] - prominent * part};
    int64_t i = peak;
    while (left < i && c.height < r->x[i])
        i--;
    c.left = (double)i;
    if (r->x[i] < c.height)
        c.left += (c.height - r->x[i]) / (r->x[i + 1] - r->x[i]);
    i = peak;
    while (i < right && c.height < r->x[i])
        i++;
    c.right = (double)i;
    if (r->x[i] < c.height)
        c.right -= (c.height - r->x[i]) / (r->x[i - 1] - r->x[i]);
    return c;
}

/* ---- conditions ----------------------------------------------------------------------------- */

typedef struct found {
    int64_t *peak, *left, *right, *order;
    bool *keep;
    int64_t count;
} found;

static void drop_others(found *f)
{
    int64_t n = 0;
    for (int64_t k = 0; k < f->count; k++)
        if (f->keep[k]) {
            f->peak[n] = f->peak[k];
            f->left[n] = f->left[k];
            f->right[n++] = f->right[k];
        }
    f->count = n;
}

static bool is_within(double v, const double *range)
{
    return v >= range[0] && v <= range[1];
}

/* by rising height; peaks of one height in their order (bottom-up merges, b of the same size) */
static void order_by_height(const row *r, const found *f, int64_t *b)
{
    int64_t *a = f->order, n = f->count;
    for (int64_t k = 0; k < n; k++)
        a[k] = k;
    for (int64_t size = 1; size < n; size *= 2) {
        for (int64_t lo = 0; lo < n; lo += 2 * size) {
            int64_t mid = lo + size < n ? lo + size : n, hi = mid + size < n ? mid + size : n,
                    i = lo, j = mid;
            for (int64_t k = lo; k < hi; k++)
                b[k] = i < mid && (j >= hi || r->x[f->peak[a[i]]] <= r->x[f->peak[a[j]]]) ? a[i++]
                                                                                          : a[j++];
        }
        memcpy(a, b, (size_t)n * sizeof *a);
    }
}

/* the highest first: it takes away all that are nearer than distance */
static void keep_apart(const row *r, found *f, double distance, int64_t *work)
{
    int64_t least = (int64_t)ceil(distance);
    order_by_height(r, f, work);
    for (int64_t k = f->count - 1; k >= 0; k--) {
        int64_t j = f->order[k];
        if (!f->keep[j])
            continue;
        for (int64_t i = j - 1; i >= 0 && f->peak[j] - f->peak[i] < least; i--)
            f->keep[i] = false;
        for (int64_t i = j + 1; i < f->count && f->peak[i] - f->peak[j] < least; i++)
            f->keep[i] = false;
    }
}

static void apply_conditions(const row *r, found *f, const agn_signal_peak_options *o,
                             int64_t *work)
{
    static const int32_t order[] = {AGN_PEAK_PLATEAU, AGN_PEAK_HEIGHT,     AGN_PEAK_THRESHOLD,
                                    AGN_PEAK_DISTANCE, AGN_PEAK_PROMINENCE, AGN_PEAK_WIDTH};
    for (int c = 0; c < (int)(sizeof order / sizeof *order); c++) {
        if (!(o->conditions & order[c]))
            continue;
        for (int64_t k = 0; k < f->count; k++) {
            int64_t p = f->peak[k], left, right;
            double down = r->x[p] - r->x[p - 1], up = r->x[p] - r->x[p + 1], prominent;
            switch (order[c]) {
            case AGN_PEAK_PLATEAU:
                f->keep[k] = is_within((double)(f->right[k] - f->left[k] + 1), o->plateau);
                break;
            case AGN_PEAK_HEIGHT:
                f->keep[k] = is_within(r->x[p], o->height);
                break;
            case AGN_PEAK_THRESHOLD:
                f->keep[k] = fmin(down, up) >= o->threshold[0] && fmax(down, up) <= o->threshold[1];
                break;
            case AGN_PEAK_DISTANCE:
                f->keep[k] = true;
                break;
            default:
                prominent = find_prominence(r, p, o->window, &left, &right);
                if (order[c] == AGN_PEAK_WIDTH) {
                    crossing w = width_of(r, p, left, right, prominent,
                                          o->part == 0 ? 0.5 : o->part);
                    f->keep[k] = is_within(w.right - w.left, o->width);
                } else {
                    f->keep[k] = is_within(prominent, o->prominence);
                }
            }
        }
        if (order[c] == AGN_PEAK_DISTANCE)
            keep_apart(r, f, o->distance, work);
        drop_others(f);
    }
}

static agn_status check_options(const char *op, const agn_signal_peak_options *o)
{
    static const double none[2] = {0, 0};
    const double *range[] = {o->conditions & AGN_PEAK_PLATEAU ? o->plateau : none,
                             o->conditions & AGN_PEAK_HEIGHT ? o->height : none,
                             o->conditions & AGN_PEAK_THRESHOLD ? o->threshold : none,
                             o->conditions & AGN_PEAK_PROMINENCE ? o->prominence : none,
                             o->conditions & AGN_PEAK_WIDTH ? o->width : none};
    if (o->conditions & ~(2 * AGN_PEAK_WIDTH - 1))
        return agni_fail(AGN_EARG, "%s: conditions %d; they are sums of bits to %d", op,
                         o->conditions, AGN_PEAK_WIDTH);
    for (int k = 0; k < 5; k++)
        if (!(range[k][0] <= range[k][1]))
            return agni_fail(AGN_EARG,
                             "%s: a range from %g to %g; the first is not above the second", op,
                             range[k][0], range[k][1]);
    bool apart = o->conditions & AGN_PEAK_DISTANCE;
    if ((apart && !(o->distance >= 1 && o->distance < 9e18)) || o->window < 0 || o->window == 1 ||
        !(o->part >= 0) || !isfinite(o->part))
        return agni_fail(
            AGN_EARG,
            "%s: distance %g, window %lld, part %g; distances are 1 at least, windows 2, parts "
            "not negative",
            op, o->distance, (long long)o->window, o->part);
    return AGN_OK;
}

agn_status agn_signal_find_peaks(agn_tensor **out, const agn_tensor *x,
                                 const agn_signal_peak_options *opts)
{
    agni_host_call h;
    if (agni_host_call_begin(&h, "signal_find_peaks", 1, (const agn_tensor *[]){x})) {
        agn_status st = h.st ? h.st : agn_signal_find_peaks(out ? &h.y[0] : NULL, h.in[0], opts);
        return agni_host_call_end(&h, st, 1, (agn_tensor * *[]){out});
    }
    static const char op[] = "signal_find_peaks";
    agn_signal_peak_options o = {.size = sizeof o};
    agn_tensor *owner;
    row r;
    if (!out)
        return agni_fail(AGN_ENULL, "%s: out is NULL", op);
    if (agni_check_size(op, agn_signal_peak_options, opts))
        return AGN_EARG;
    if (opts)
        o = *opts;
    agn_status st = check_options(op, &o);
    if (!st)
        st = read_row(&r, &owner, op, x);
    if (st)
        return st;
    int64_t most = r.n / 2 + 1;
    size_t bytes = (size_t)most * (5 * sizeof(int64_t) + sizeof(bool));
    found f = {.peak = agni_alloc(bytes)};
    if (!f.peak) {
        agn_release(owner);
        return agni_nomem(op, bytes);
    }
    f.left = f.peak + most;
    f.right = f.left + most;
    f.order = f.right + most;
    f.keep = (bool *)(f.order + 2 * most);
    f.count = local_maxima(&r, f.peak, f.left, f.right);
    apply_conditions(&r, &f, &o, f.order + most);
    st = agn_from_host(out, AGN_I64, 1, &f.count, f.peak);
    agni_free(f.peak);
    agn_release(owner);
    return st;
}

agn_status agn_signal_measure_peaks(agn_tensor **out, const agn_tensor *x, const agn_tensor *peaks,
                                    int64_t window, double part)
{
    agni_host_call h;
    if (agni_host_call_begin(&h, "signal_measure_peaks", 2, (const agn_tensor *[]){x, peaks})) {
        agn_status st = h.st ? h.st : agn_signal_measure_peaks(out ? &h.y[0] : NULL, h.in[0],
                                                               h.in[1], window, part);
        return agni_host_call_end(&h, st, 1, (agn_tensor * *[]){out});
    }
    static const char op[] = "signal_measure_peaks";
    agn_tensor *owner, *places = NULL, *wide = NULL;
    const void *v = NULL;
    row r;
    if (!out || !peaks)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, out ? "peaks" : "out");
    if (peaks->ndim != 1)
        return agni_fail(AGN_ESHAPE, "%s: peaks is %s; it is [peaks]", op, AGNI_SHAPE(peaks));
    if (peaks->dtype != AGN_I64 && peaks->dtype != AGN_I32)
        return agni_fail(AGN_EDTYPE, "%s: peaks is %s %s; i64 or i32 is needed", op,
                         agni_dtypes[peaks->dtype].name, AGNI_SHAPE(peaks));
    if (window < 0 || window == 1 || !(part >= 0) || !isfinite(part))
        return agni_fail(AGN_EARG,
                         "%s: window %lld, part %g; windows are 2 at least, parts not negative", op,
                         (long long)window, part);
    agn_status st = read_row(&r, &owner, op, x);
    if (st)
        return st;
    st = agn_cast(&wide, peaks, AGN_I64);
    if (!st)
        st = agn_contiguous(&places, wide);
    if (!st)
        st = agn_data_contiguous(&v, places);
    int64_t n = st ? 0 : places->size;
    double *m = st ? NULL : agni_alloc((size_t)(n ? n : 1) * 6 * sizeof *m);
    if (!st && !m)
        st = agni_nomem(op, (size_t)n * 6 * sizeof *m);
    for (int64_t k = 0; !st && k < n; k++) {
        int64_t p = ((const int64_t *)v)[k], left, right;
        if (p < 0 || p >= r.n) {
            st = agni_fail(AGN_EINDEX, "%s: peak %lld is at %lld; x has %lld samples", op,
                           (long long)k, (long long)p, (long long)r.n);
            break;
        }
        double high = find_prominence(&r, p, window, &left, &right);
        crossing c = width_of(&r, p, left, right, high, part == 0 ? 0.5 : part);
        memcpy(m + 6 * k,
               (double[]){high, (double)left, (double)right, c.right - c.left, c.left, c.right},
               6 * sizeof *m);
    }
    if (!st)
        st = agn_from_host(out, AGN_F64, 2, (int64_t[]){n, 6}, m);
    agni_free(m);
    agn_release(owner);
    agn_release(wide);
    agn_release(places);
    return agni_rename_error(op, st);
}
