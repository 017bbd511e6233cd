/* Mapped files: read, written, made, private, beyond memory, and refused. */
#include "tests/files.h"
#include "tests/values.h"
#include <fcntl.h>
#include <sys/stat.h>

static const int64_t four[1] = {4};

static agn_tensor *map(const char *file, int dtype, int64_t n, int64_t offset, int mode)
{
    agn_tensor *x = NULL;
    if (!is_int(agn_map_file(&x, file, dtype, 1, &n, offset, mode), AGN_OK,
                "map %s [%d] at %d", agn_dtype_name(dtype), (int)n, (int)offset))
        diag("%s", agn_error_message());
    return x;
}

static void test_reading(void)
{
    const char *file = in_folder("a");
    double v[600];
    for (int i = 0; i < 600; i++)
        v[i] = i;
    write_file(file, v, sizeof v);
    int files = open_files();
    static const int64_t offsets[] = {0, 8, 4096, 4088, 4104};
    for (int k = 0; k < AGNI_COUNT(offsets); k++) {
        agn_tensor *x = map(file, AGN_F64, 80, offsets[k], AGN_MAP_READ), *y = NULL;
        const double *p = agn_data(x);
        ok(p && p[0] == (double)(offsets[k] / 8) && p[79] == p[0] + 79, "offset %d",
           (int)offsets[k]);
        void *q = &y;
        fails(agn_data_mut(&q, x), AGN_EARG, "read-only");
        must_hold(agn_slice(&y, x, 1, (int64_t[]){70}, (int64_t[]){80}, NULL));
        agn_release(x);
        ok(((const double *)agn_data(y))[9] == p[0] + 79, "a view keeps the map");
        agn_release(y);
    }
    agn_tensor *e = map(file, AGN_F64, 0, 4800, AGN_MAP_READ);
    is_int(agn_map_flush(e), AGN_OK, "flush of nothing");
    agn_release(e);
    is_int(open_files(), files, "R12 no descriptor stays open");
    unlink(file);
}

static void test_bools(void)
{
    const char *file = in_folder("a");
    int files = open_files();
    static const char bytes[] = {7, 1, 0, 0, 1, 2};
    write_file(file, bytes, sizeof bytes);
    agn_tensor *x = map(file, AGN_BOOL, 4, 1, AGN_MAP_WRITE), *none = NULL;
    ok(x && !memcmp(agn_data(x), bytes + 1, 4), "bools between other bytes");
    agn_release(x);
    fails(agn_map_file(&none, file, AGN_BOOL, 1, (int64_t[]){5}, 1, AGN_MAP_PRIVATE), AGN_EFORMAT,
          "byte 5 is 2; a bool is 0 or 1");
    ok(!none, "nothing is written");
    is_int(open_files(), files, "R12 no descriptor stays open");
    agn_release(map(file, AGN_BOOL, 0, 6, AGN_MAP_READ));
    unlink(file);
}

static void test_writing(void)
{
    const char *file = in_folder("a");
    float v[4] = {1, 2, 3, 4};
    void *p = NULL;
    write_file(file, v, sizeof v);
    agn_tensor *x = map(file, AGN_F32, 4, 0, AGN_MAP_WRITE);
    must_hold(agn_data_mut(&p, x));
    ((float *)p)[1] = 7;
    is_int(agn_map_flush(x), AGN_OK, "flush");
    read_whole(file, v, sizeof v);
    ok(v[1] == 7, "the file has it");
    agn_tensor *y = NULL;
    must_hold(agn_slice(&y, x, 1, (int64_t[]){1}, (int64_t[]){2}, NULL));
    is_int(agn_map_flush(y), AGN_OK, "flush of a view");
    agn_release(y);
    agn_release(x);
    x = map(file, AGN_F32, 4, 0, AGN_MAP_PRIVATE);
    must_hold(agn_data_mut(&p, x));
    ((float *)p)[0] = 9;
    is_int(agn_map_flush(x), AGN_OK, "flush of a private map");
    ok(((const float *)agn_data(x))[0] == 9, "a private map has what was written");
    agn_release(x);
    read_whole(file, v, sizeof v);
    ok(v[0] == 1, "the file has not");
    unlink(file);
    x = map(file, AGN_I16, 10, 6, AGN_MAP_CREATE);
    struct stat info;
    ok(!stat(file, &info) && info.st_size == 26,
       "a file is made, as long as it must be");
    must_hold(agn_data_mut(&p, x));
    memset(p, 1, 20);
    agn_release(x);
    x = map(file, AGN_I16, 5, 6, AGN_MAP_CREATE);
    ok(!stat(file, &info) && info.st_size == 26 &&
           ((const int16_t *)agn_data(x))[4] == 257,
       "one that is long enough is left alone");
    agn_release(x);
    x = map(file, AGN_I16, 20, 6, AGN_MAP_CREATE);
    ok(!stat(file, &info) && info.st_size == 46 &&
           ((const int16_t *)agn_data(x))[4] == 257 &&
           ((const int16_t *)agn_data(x))[19] == 0,
       "one that is not is made longer");
    agn_release(x);
    unlink(file);
}

/* S1, and more than memory: a file of holes, of which three pages are touched */
static void test_large(void)
{
    const char *file = in_folder("large");
    int64_t n = (int64_t)1 << 37; /* 1 TiB of f64 */
    agn_tensor *x = NULL, *y = NULL;
    agn_status st = agn_map_file(&x, file, AGN_F64, 2, (int64_t[]){n / 1024, 1024}, 0,
                                 AGN_MAP_CREATE);
    if (st) {
        skip("no file of a tebibyte here: %s", agn_error_message());
        unlink(file);
        return;
    }
    void *p;
    must_hold(agn_data_mut(&p, x));
    ((double *)p)[n - 1] = 3;
    ((double *)p)[n / 2] = 4;
    must_hold(agn_slice(&y, x, 1, (int64_t[]){-1}, (int64_t[]){n / 1024}, NULL));
    agn_tensor *sum = NULL;
    double v = 0;
    must_hold(agn_sum_all(&sum, y));
    must_hold(agn_item_f64(&v, sum));
    ok(v == 3, "S1 the last row of a file of 1 TiB");
    agn_release(sum);
    agn_release(y);
    agn_release(x);
    x = NULL;
    must_hold(agn_map_file(&x, file, AGN_F64, 1, (int64_t[]){2}, 4 * n, AGN_MAP_READ));
    ok(*(const double *)agn_data(x) == 4, "S1 an offset beyond 2^32");
    agn_release(x);
    unlink(file);
}

static agn_status map_and_drop(const char *path)
{
    agn_tensor *x = NULL;
    agn_status st = agn_map_file(&x, path, AGN_F64, 1, four, 0, AGN_MAP_READ);
    agn_release(x);
    return st;
}

static void test_errors(void)
{
    const char *file = in_folder("a");
    agn_tensor *x = NULL;
    write_file(file, "12345678901234567890123456789012", 32);
    fails(agn_map_file(NULL, file, AGN_F64, 1, four, 0, 0), AGN_ENULL,
          "map_file: out is NULL");
    fails(agn_map_file(&x, NULL, AGN_F64, 1, four, 0, 0), AGN_ENULL,
          "map_file: path is NULL");
    fails(agn_map_file(&x, file, AGN_F64, 1, NULL, 0, 0), AGN_ENULL, "shape is NULL");
    fails(agn_map_file(&x, file, 99, 1, four, 0, 0), AGN_EDTYPE, "99 is no dtype");
    fails(agn_map_file(&x, file, AGN_F64, 1, (int64_t[]){-1}, 0, 0), AGN_ESHAPE,
          "is negative");
    fails(agn_map_file(&x, file, AGN_F64, 1, four, 0, 4), AGN_EARG,
          "4 is no mode; there are 4");
    fails(agn_map_file(&x, file, AGN_F64, 1, four, 4, 0), AGN_EARG,
          "offset 4; a multiple of the 8 bytes of f64 is needed");
    fails(agn_map_file(&x, file, AGN_F64, 1, four, -8, 0), AGN_EARG, "offset -8");
    fails(agn_map_file(&x, file, AGN_F64, 1, four, INT64_MAX / 8 * 8, 0), AGN_EARG,
          "offset 9223");
    fails(agn_map_file(&x, file, AGN_F64, 1, (int64_t[]){5}, 0, AGN_MAP_READ),
          AGN_EFORMAT, "a: has 32 bytes, the elements end at 40");
    fails(agn_map_file(&x, file, AGN_F64, 1, four, 8, AGN_MAP_WRITE), AGN_EFORMAT,
          "a: has 32 bytes, the elements end at 40");
    fails(agn_map_file(&x, file, AGN_BOOL, 1, four, 3, AGN_MAP_READ), AGN_EFORMAT,
          "a: byte 3 is 52; a bool is 0 or 1");
    fails(agn_map_file(&x, in_folder("none"), AGN_F64, 1, four, 0, AGN_MAP_WRITE),
          AGN_EIO, "none: cannot be opened: No such file");
    struct rlimit old, low;
    getrlimit(RLIMIT_FSIZE, &old);
    low = (struct rlimit){.rlim_cur = 16, .rlim_max = old.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &low);
    agn_status st = agn_map_file(&x, in_folder("new"), AGN_F64, 1, four, 0,
                                 AGN_MAP_CREATE);
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, handler);
    fails(st, AGN_EIO, "new: cannot be made longer: File too large");
    is_int(files_in_folder(), 1, "and no new file is left");
    ok(!x, "nothing is written");
    test_failed_reads("map_file", map_and_drop, file);
    test_many_times("map_file", map_and_drop, file);
    fails(agn_map_flush(NULL), AGN_ENULL, "map_flush: x is NULL");
    x = values(AGN_F64, 1, four);
    fails(agn_map_flush(x), AGN_EARG, "map_flush: f64 [4] is no part of a mapped file");
    agn_release(x);
    agn_tensor *y = NULL;
    must_hold(agn_map_file(&x, file, AGN_F64, 1, four, 0, AGN_MAP_READ));
    must_hold(agn_add(&y, x, x));
    fails(agn_map_flush(y), AGN_EARG, "is no part of a mapped file");
    agn_release(x);
    agn_release(y);
    unlink(file);
}

int main(void)
{
    open_folder();
    test_reading();
    test_bools();
    test_writing();
    test_large();
    test_errors();
    close_folder();
    return done();
}
