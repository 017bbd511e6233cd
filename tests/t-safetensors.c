/* safetensors files: those its own package writes (tests/data/make-exchange.py), and every way in
   which one can contradict itself. */
#include "exchange/file/readers.h"
#include "tests/files.h"
#include "tests/values.h"

static agn_dict *some;

/* ---- what the package wrote ----------------------------------------------------------- */

static void is_entry(const agn_dict *d, const char *name, int dtype, int ndim,
                     const int64_t *shape)
{
    agn_tensor *x = NULL;
    if (!is_int(agn_dict_get(&x, d, name), AGN_OK, "has '%s'", name))
        return;
    ok(has_values(x, dtype, ndim, shape), "its dtype, shape and elements");
    agn_release(x);
}

/* written again it is the same byte for byte */
static agn_dict *load_and_save(const char *file)
{
    agn_dict *d = NULL;
    char a[2048], b[2048];
    is_int(agn_safetensors_load(&d, seed("safetensors", file)), AGN_OK, "read %s",
           file);
    is_int(agn_safetensors_save(in_folder("a"), d), AGN_OK, "write it");
    size_t n = read_whole(seed("safetensors", file), a, sizeof a);
    ok(n == read_whole(in_folder("a"), b, sizeof b) && !memcmp(a, b, n),
       "the same bytes");
    unlink(in_folder("a"));
    return d;
}

static void test_package(void)
{
    agn_dict *d = load_and_save("dtypes.safetensors");
    is_int(agn_dict_count(d), AGN_NDTYPES - 1, "S4 every dtype but c128");
    for (int k = 0; k < AGN_NDTYPES - 1; k++)
        is_entry(d, agn_dtype_name(k), k, 2, (int64_t[]){2, 3});
    is_str(agn_dict_note(d, "made by"), "a \"test\"\n\xe2\x82\xac", "its metadata");
    agn_dict_release(d);
    d = load_and_save("none.safetensors");
    is_int(agn_dict_count(d), 0, "nothing in it");
    agn_dict_release(d);
    d = load_and_save("shapes.safetensors");
    is_entry(d, "number", AGN_F32, 0, NULL);
    is_entry(d, "empty", AGN_F32, 2, (int64_t[]){0, 4});
    is_entry(d, "one", AGN_U8, 3, (int64_t[]){1, 1, 1});
    agn_dict_release(d);
}

static void test_round_trip(void)
{
    agn_dict *d = NULL;
    const char *file = in_folder("a");
    must_hold(agn_dict_note_put(some, "\x01\x1f \"\\/\b\f\n\r\t", "\xf0\x9f\x98\x80"));
    is_int(agn_safetensors_save(file, some), AGN_OK, "write");
    is_int(agn_safetensors_load(&d, file), AGN_OK, "read");
    is_int(agn_dict_count(d), agn_dict_count(some), "all tensors");
    int wrong = 0;
    for (int32_t i = 0; i < agn_dict_count(some); i++) {
        agn_tensor *x = NULL, *y = NULL;
        must_hold(agn_dict_get(&x, some, agn_dict_name(some, i)));
        must_hold(agn_dict_get(&y, d, agn_dict_name(some, i)));
        wrong += !same(x, y);
        agn_release(x);
        agn_release(y);
    }
    is_int(wrong, 0, "S4 S6 every dtype and shape, nested names");
    is_str(agn_dict_note(d, "\x01\x1f \"\\/\b\f\n\r\t"), "\xf0\x9f\x98\x80",
           "a note with escapes");
    agn_dict_release(d);
    unlink(file);
}

/* ---- headers ------------------------------------------------------------------------------ */

static agn_status read_text(agn_dict **d, const char *header, int64_t length,
                            size_t data)
{
    static unsigned char file[1 << 16];
    agni_input in;
    size_t n = strlen(header);
    for (int i = 0; i < 8; i++)
        file[i] = (unsigned char)((uint64_t)length >> 8 * i);
    memcpy(file + 8, header, n);
    memset(file + 8 + n, 1, data);
    agni_input_memory(&in, "safetensors_load", file, 8 + n + data);
    return agni_safetensors_read(d, &in);
}

#define ONE "\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}"
static const struct {
    const char *header;
    size_t data;
    const char *says;
} lies[] = {
    {"", 0, "header ends at byte 0, expected is '{'"},
    {" {}", 0, "header has 0x20 at byte 0, expected is '{'"},
    {"[]", 0, "header has '[' at byte 0"},
    {"{", 0, "expected is a text"},
    {"{}x", 0, "header has 'x' at byte 2, expected is its end"},
    {"{}\n", 0, "header has 0x0a at byte 2, expected is its end"},
    {"{}", 1, "the tensors have 0 bytes, behind the header are 1"},
    {"{" ONE "}", 7, "the tensors have 8 bytes, behind the header are 7"},
    {"{" ONE "}", 9, "the tensors have 8 bytes, behind the header are 9"},
    {"{" ONE ",}", 8, "expected is a text"},
    {"{" ONE ONE "}", 8, "expected is ',' or '}'"},
    {"{" ONE, 8, "expected is ',' or '}'"},
    {"{" ONE "," ONE "}", 8, "'a' begins at 0, the one before ends at 8"},
    {"{" ONE ",\"b\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[4,12]}}", 12,
     "'b' begins at 4, the one before ends at 8"},
    {"{" ONE ",\"b\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[12,20]}}", 20,
     "'b' begins at 12, the one before ends at 8"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[0,0]},"
     "\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}",
     8, "'a' is there twice, again with offset 0"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[8,16]}}", 16,
     "'a' begins at 8"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,4]}}", 4,
     "'a' is f32 [2] and has the offsets 0 and 4"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[8,0]}}", 8,
     "offsets 8 and 0"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[4611686018427387904,4],\"data_offsets\":[0,0]}}",
     0, "offsets 0 and 0"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[0,4611686018427387904,4],\"data_offsets\":[0,0]}}",
     0, "offsets 0 and 0"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[9223372036854775808],\"data_offsets\":[0,0]}}",
     0, "a number beyond 2^63"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[-2],\"data_offsets\":[0,8]}}", 8,
     "expected is a size"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2.0],\"data_offsets\":[0,8]}}", 8,
     "expected is ',' or ']'"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[02],\"data_offsets\":[0,8]}}", 8,
     "expected is a size"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":2,\"data_offsets\":[0,8]}}", 8,
     "expected is '['"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0]}}", 8,
     "expected is two offsets"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8,8]}}", 8,
     "a list of more than 2 numbers"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
     "1,1,1],\"data_offsets\":[0,4]}}",
     4, "a list of more than 32 numbers"},
    {"{\"a\":{\"dtype\":\"U64\",\"shape\":[1],\"data_offsets\":[0,8]}}", 8,
     "no dtype for 'U64' of 'a'"},
    {"{\"a\":{\"dtype\":\"f32\",\"shape\":[2],\"data_offsets\":[0,8]}}", 8,
     "no dtype for 'f32'"},
    {"{\"a\":{\"dtype\":4,\"shape\":[2],\"data_offsets\":[0,8]}}", 8,
     "expected is a text"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2]}}", 8, "'a' lacks 'data_offsets'"},
    {"{\"a\":{\"dtype\":\"F32\",\"data_offsets\":[0,8]}}", 8, "'a' lacks 'shape'"},
    {"{\"a\":{\"shape\":[2],\"data_offsets\":[0,8]}}", 8, "'a' lacks 'dtype'"},
    {"{\"a\":{}}", 8, "'a' lacks 'dtype'"},
    {"{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F32\"}}", 8, "'a' has a second 'dtype'"},
    {"{\"a\":{\"colour\":\"F32\"}}", 8, "'a' has an unknown 'colour'"},
    {"{\"a\":3}", 8, "expected is '{'"},
    {"{\"a\" 3}", 8, "expected is ':'"},
    {"{a:3}", 8, "expected is a text"},
    {"{\"a", 8, "expected is a closing quote"},
    {"{\"a\n\":3}", 8, "expected is a character of a text"},
    {"{\"\\x\":3}", 8, "expected is a character of a text"},
    {"{\"\\u12\":3}", 8, "expected is a character of a text"},
    {"{\"\\u0000\":3}", 8, "expected is a character of a text"},
    {"{\"\\ud800\":3}", 8, "expected is a character of a text"},
    {"{\"\\ud800\\u0041\":3}", 8, "expected is a character of a text"},
    {"{\"\\udc00\":3}", 8, "expected is a character of a text"},
    {"{\"\xff\":3}", 8, "expected is a character of a text"},
    {"{\"\xc0\x80\":3}", 8, "expected is a character of a text"},
    {"{\"\xed\xa0\x80\":3}", 8, "expected is a character of a text"},
    {"{\"\xf4\x90\x80\x80\":3}", 8, "expected is a character of a text"},
    {"{\"\xe2\x82\":3}", 8, "expected is a character of a text"},
    {"{\"__metadata__\":{\"a\":1}}", 0, "expected is a text"},
    {"{\"__metadata__\":{\"a\":\"b\",\"a\":\"b\"}}", 0, "the note 'a' is there twice"},
    {"{\"__metadata__\":{},\"__metadata__\":{}}", 0, "'__metadata__' is there twice"},
    {"{\"__metadata__\":[]}", 0, "expected is '{'"},
    {"{\"__metadata__\":{\"a\":\"b\"", 0, "expected is ',' or '}'"},
};

static const struct {
    const char *header;
    size_t data;
    const char *name;
} fine[] = {
    {"{" ONE "}", 8, "a"},
    {"{" ONE "}       ", 8, "a"},
    {"{ \"a\" :\n{ \"data_offsets\" : [ 0 , 8 ] , \"shape\" : [ 2 ] ,\t\"dtype\" : \"F32\" } }",
     8, "a"},
    {"{\"\\u0041\\u00e9\\u20AC\\ud83d\\ude00\\\"\\\\\\/\\b\\f\\n\\r\\t\":"
     "{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}",
     8, "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"\\/\b\f\n\r\t"},
    {"{\"\":{\"dtype\":\"BOOL\",\"shape\":[3],\"data_offsets\":[0,3]}}", 3, ""},
};

static void test_headers(void)
{
    int64_t before, after, peak;
    agn_memory_live(&before, NULL, NULL);
    agn_memory_reset_peak();
    for (int i = 0; i < AGNI_COUNT(lies); i++) {
        agn_dict *d = NULL;
        fails(read_text(&d, lies[i].header, (int64_t)strlen(lies[i].header),
                        lies[i].data),
              AGN_EFORMAT, lies[i].says);
        ok(!d, "nothing is written");
    }
    agn_memory_live(&after, NULL, &peak);
    is_int(after, before, "no lie costs memory");
    ok(peak - before < 16384, "and none is believed before it is checked");
    for (int i = 0; i < AGNI_COUNT(fine); i++) {
        agn_dict *d = NULL;
        if (!is_int(read_text(&d, fine[i].header, (int64_t)strlen(fine[i].header),
                              fine[i].data),
                    AGN_OK, "spelling %d", i))
            diag("%s", agn_error_message());
        is_str(agn_dict_name(d, 0), fine[i].name, "its name");
        agn_dict_release(d);
    }
    agn_dict *d = NULL;
    static const int64_t lengths[] = {3, 1000, INT64_MAX, -1, INT64_MIN};
    for (int i = 0; i < AGNI_COUNT(lengths); i++)
        fails(read_text(&d, "{}", lengths[i], 0), AGN_EFORMAT,
              "the file has 10 and 100000000 are allowed");
    fails(read_text(&d, "{}", 1, 0), AGN_EFORMAT, "expected is a text");
    agni_input in;
    agni_input_memory(&in, "safetensors_load", "1234567", 7);
    fails(agni_safetensors_read(&d, &in), AGN_EFORMAT,
          "ends after 7 of the 8 bytes of its first 8");
    ok(!d, "nothing is written");
}

/* ---- errors --------------------------------------------------------------------------------- */

static agn_status save_some(const char *path)
{
    return agn_safetensors_save(path, some);
}
static agn_status load_some(const char *path)
{
    agn_dict *d = NULL;
    agn_status st = agn_safetensors_load(&d, path);
    agn_dict_release(d);
    return st;
}

static void refused(const char *name, const agn_tensor *x, agn_status want,
                    const char *says)
{
    agn_dict *d = NULL;
    must_hold(agn_dict_new(&d));
    must_hold(agn_dict_put(d, name, x));
    fails(agn_safetensors_save(in_folder("a"), d), want, says);
    agn_dict_release(d);
}

static void test_errors(void)
{
    agn_dict *d = NULL;
    agn_tensor *x = values(AGN_F64, 2, (int64_t[]){2, 2}), *s = NULL,
               *z = values(AGN_C128, 0, NULL);
    fails(agn_safetensors_load(NULL, "x"), AGN_ENULL, "safetensors_load: out is NULL");
    fails(agn_safetensors_load(&d, NULL), AGN_ENULL, "safetensors_load: path is NULL");
    fails(agn_safetensors_save(NULL, some), AGN_ENULL,
          "safetensors_save: path is NULL");
    fails(agn_safetensors_save("x", NULL), AGN_ENULL, "safetensors_save: d is NULL");
    must_hold(agn_sparse_from_dense(&s, x));
    refused("s", s, AGN_EUNSUPPORTED, "safetensors_save: f64 [2,2] is sparse");
    refused("z", z, AGN_EUNSUPPORTED, "the format has no c128; 'z' is []");
    refused("\xff", x, AGN_EARG, "can be no name: it is no UTF-8");
    refused("__metadata__", x, AGN_EARG,
            "'__metadata__' can be no name: it is the format's own");
    must_hold(agn_dict_new(&d));
    must_hold(agn_dict_note_put(d, "\xff", "x"));
    fails(agn_safetensors_save(in_folder("a"), d), AGN_EARG, "note 0 of 1 is no UTF-8");
    agn_dict_release(d);
    agn_release(x);
    agn_release(s);
    agn_release(z);
}

int main(void)
{
    open_folder();
    some = dict_of(((1u << AGN_NDTYPES) - 1) & ~(1u << AGN_C128));
    test_package();
    test_round_trip();
    test_headers();
    test_errors();
    test_failed_writes("safetensors_save", save_some);
    test_failed_reads("safetensors_load", load_some,
                      seed("safetensors", "dtypes.safetensors"));
    test_many_times("safetensors_load", load_some,
                    seed("safetensors", "shapes.safetensors"));
    test_many_times("safetensors_save", save_some, in_folder("many"));
    unlink(in_folder("many"));
    agn_dict_release(some);
    close_folder();
    return done();
}
