/* t-sound - sound files: round trips of every container and encoding, parts, facts; malformed and truncated
   ones; failures, which leave the old file. M9. */
#include "tests/laws.h"

#include <stdio.h>
#include <unistd.h>

static char path[64];

static void release_all(agn_tensor **x, int n)
{
    for (int k = 0; k < n; k++)
        agn_release(x[k]);
}

static agn_tensor *whole_numbers(int dtype, int64_t channels, int64_t frames, int bits)
{
    agn_tensor *x = NULL, *y = NULL;
    double top = ldexp(1, bits - 1), *v = room_for((size_t)(channels * frames) * sizeof *v);
    double shift = dtype == AGN_I16 ? ldexp(1, 16 - bits) : ldexp(1, 32 - bits);
    for (int64_t i = 0; i < channels * frames; i++)
        v[i] = i == 0 ? -top * shift : i == 1 ? (top - 1) * shift : floor(rnd_in(-top, top)) * shift;
    x = of_reals(AGN_F64, 2, (int64_t[]){channels, frames}, v);
    must(agn_cast(&y, x, dtype));
    agn_release(x);
    free(v);
    return y;
}

/* exact PCM of each container: i16, i32, f32 and f64 that are levels */
static void test_exact(void)
{
    static const struct {
        int container, encoding, bits;
    } cases[] = {{AGN_SOUND_WAV, AGN_SOUND_PCM8, 8},    {AGN_SOUND_WAV, AGN_SOUND_PCM16, 16},
                 {AGN_SOUND_WAV, AGN_SOUND_PCM24, 24},  {AGN_SOUND_WAV, AGN_SOUND_PCM32, 32},
                 {AGN_SOUND_FLAC, AGN_SOUND_PCM8, 8},   {AGN_SOUND_FLAC, AGN_SOUND_PCM16, 16},
                 {AGN_SOUND_FLAC, AGN_SOUND_PCM24, 24}, {AGN_SOUND_AIFF, AGN_SOUND_PCM8, 8},
                 {AGN_SOUND_AIFF, AGN_SOUND_PCM16, 16}, {AGN_SOUND_AIFF, AGN_SOUND_PCM24, 24},
                 {AGN_SOUND_AIFF, AGN_SOUND_PCM32, 32}, {AGN_SOUND_CAF, AGN_SOUND_PCM16, 16},
                 {AGN_SOUND_CAF, AGN_SOUND_PCM24, 24},  {AGN_SOUND_AU, AGN_SOUND_PCM16, 16},
                 {AGN_SOUND_AU, AGN_SOUND_PCM24, 24},   {AGN_SOUND_W64, AGN_SOUND_PCM16, 16},
                 {AGN_SOUND_W64, AGN_SOUND_PCM8, 8},    {AGN_SOUND_RF64, AGN_SOUND_PCM24, 24},
                 {AGN_SOUND_NIST, AGN_SOUND_PCM16, 16}, {AGN_SOUND_NIST, AGN_SOUND_PCM32, 32}};
    tally q = {0, 0};
    for (int k = 0; k < COUNT(cases); k++)
        for (int64_t channels = 1; channels <= 3; channels += 2) {
            int bits = cases[k].bits;
            agn_sound_save_options to = {.size = sizeof to, .container = cases[k].container,
                                         .encoding = cases[k].encoding};
            agn_sound_facts facts = {.size = sizeof facts};
            agn_tensor *x = whole_numbers(bits <= 16 ? AGN_I16 : AGN_I32, channels, 501, bits), *y = NULL,
                       *f = NULL, *g = NULL;
            agn_sound_load_options as = {.size = sizeof as, .dtype = agn_dtype_of(x)};
            int32_t rate = 0;
            agn_status st = agn_sound_save(path, x, 16000, &to);
            check(&q, !st, "container %d, %d bits: %s", cases[k].container, bits, agn_error_message());
            if (st) {
                agn_release(x);
                continue;
            }
            must(agn_sound_load(&y, &rate, path, &as));
            check(&q, rate == 16000 && same_values(x, y), "container %d, %d bits, %d channels: whole numbers",
                  cases[k].container, bits, (int)channels);
            must(agn_sound_info(&facts, path));
            check(&q,
                  facts.frames == 501 && facts.channels == channels && facts.rate == 16000 &&
                      facts.container == cases[k].container && facts.encoding == cases[k].encoding &&
                      facts.bits == bits,
                  "facts: %d frames, container %d, encoding %d, %d bits", (int)facts.frames, facts.container,
                  facts.encoding, facts.bits);
            as.dtype = AGN_F64;
            must(agn_sound_load(&f, NULL, path, &as));
            for (int64_t i = 0; i < agn_numel(f); i++)
                check(&q, peek(f, i) == (double)peek_int(x, i) / (bits <= 16 ? 32768.0 : 2147483648.0),
                      "floats are levels");
            must(agn_sound_save(path, f, 16000, &to));
            as.dtype = agn_dtype_of(x);
            must(agn_sound_load(&g, NULL, path, &as));
            check(&q, same_values(x, g), "container %d, %d bits: floats and back", cases[k].container, bits);
            release_all((agn_tensor *[]){x, y, f, g}, 4);
        }
    tell(&q, "PCM of 8 to 32 bits comes back as it was, M9");
}

static void test_others(void)
{
    static const struct {
        int container, encoding;
        double tol;
    } cases[] = {{AGN_SOUND_WAV, AGN_SOUND_F32, 0},        {AGN_SOUND_WAV, AGN_SOUND_F64, 0},
                 {AGN_SOUND_AIFF, AGN_SOUND_F32, 0},       {AGN_SOUND_CAF, AGN_SOUND_F64, 0},
                 {AGN_SOUND_AU, AGN_SOUND_F32, 0},         {AGN_SOUND_W64, AGN_SOUND_F32, 0},
                 {AGN_SOUND_WAV, AGN_SOUND_MU_LAW, 0.03},  {AGN_SOUND_AU, AGN_SOUND_A_LAW, 0.03},
                 {AGN_SOUND_AIFF, AGN_SOUND_MU_LAW, 0.03}, {AGN_SOUND_NIST, AGN_SOUND_MU_LAW, 0.03},
                 {AGN_SOUND_OGG, AGN_SOUND_VORBIS, 0.1},   {AGN_SOUND_OGG, AGN_SOUND_OPUS, 0.1},
                 {AGN_SOUND_MP3, AGN_SOUND_MPEG3, 0.1}};
    tally q = {0, 0};
    for (int k = 0; k < COUNT(cases); k++) {
        enum { N = 24000 };
        double *v = room_for(N * sizeof *v);
        for (int i = 0; i < N; i++)
            v[i] = f32_of(0.5 * sin(i * 0.05));
        agn_tensor *x = of_reals(AGN_F32, 1, (int64_t[]){N}, v), *bytes = NULL, *y = NULL;
        free(v);
        agn_sound_save_options to = {.size = sizeof to, .container = cases[k].container,
                                     .encoding = cases[k].encoding};
        int32_t rate = 0;
        agn_status st = agn_sound_encode(&bytes, x, 48000, &to);
        if (st == AGN_EARG && cases[k].encoding >= AGN_SOUND_OPUS) { /* an older libsndfile */
            agn_release(x);
            continue;
        }
        check(&q, !st, "container %d, encoding %d: %s", cases[k].container, cases[k].encoding,
              st ? agn_error_message() : "");
        if (!st) {
            const void *p = NULL;
            must(agn_data_contiguous(&p, bytes));
            must(agn_sound_decode(&y, &rate, p, (size_t)agn_numel(bytes), NULL));
            int64_t n = agn_numel(y);
            check(&q, rate == 48000 && agn_dtype_of(y) == AGN_F32 && n >= N && n < N + 3000, "%d of %d frames",
                  (int)n, N);
            double worst = 0; /* compressed sound may come later */
            for (int lag = 0; lag < (cases[k].tol >= 0.1 ? 1200 : 1); lag++) {
                double most = 0;
                for (int i = 5000; i < 15000; i += 7)
                    most = fmax(most, fabs(peek(x, i) - peek(y, i + lag)));
                worst = lag == 0 || most < worst ? most : worst;
            }
            check(&q, worst <= cases[k].tol, "container %d, encoding %d: off by %g", cases[k].container,
                  cases[k].encoding, worst);
        }
        release_all((agn_tensor *[]){x, bytes, y}, 3);
    }
    tell(&q, "floats, companded and compressed sound");
    /* parts, orders, what is too loud */
    tally p = {0, 0};
    agn_tensor *x = whole_numbers(AGN_I16, 2, 300, 16), *y = NULL, *part = NULL, *t = NULL, *back = NULL;
    must(agn_sound_save(path, x, 8000, NULL));
    agn_sound_load_options as = {.size = sizeof as, .offset = 40, .frames = 100, .dtype = AGN_I16};
    must(agn_sound_load(&y, NULL, path, &as));
    must(agn_slice(&part, x, 2, (int64_t[]){0, 40}, (int64_t[]){2, 140}, (int64_t[]){1, 1}));
    check(&p, same_values(y, part), "100 frames from the 40th on");
    release_all((agn_tensor *[]){y, part}, 2);
    as = (agn_sound_load_options){.size = sizeof as, .dtype = AGN_I16, .frames_first = true, .offset = 300};
    must(agn_sound_load(&y, NULL, path, &as));
    check(&p, has_shape(y, 2, (int64_t[]){0, 2}), "nothing behind the end");
    agn_release(y);
    as.offset = 0;
    must(agn_sound_load(&y, NULL, path, &as));
    must(agn_transpose(&t, x));
    check(&p, same_values(y, t), "[frames, channels]");
    must(agn_sound_save(path, t, 8000, &(agn_sound_save_options){.size = sizeof(agn_sound_save_options),
                                                                .frames_first = true}));
    as.frames_first = false;
    must(agn_sound_load(&back, NULL, path, &as));
    check(&p, same_values(back, x), "and back, from a strided view");
    release_all((agn_tensor *[]){x, y, t, back}, 4);
    x = of_reals(AGN_F64, 1, (int64_t[]){4}, (double[]){2, -3, (double)INFINITY, 0.5});
    must(agn_sound_save(path, x, 8000, NULL));
    must(agn_sound_load(&y, NULL, path, &as));
    check(&p, peek_int(y, 0) == 32767 && peek_int(y, 1) == -32768 && peek_int(y, 2) == 32767 &&
                  peek_int(y, 3) == 16384,
          "what is too loud is cut off");
    release_all((agn_tensor *[]){x, y}, 2);
    x = random_of(AGN_F32, 2, (int64_t[]){1, 0}, 0, 1);
    must(agn_sound_save(path, x, 8000, NULL));
    must(agn_sound_load(&y, NULL, path, NULL));
    check(&p, has_shape(y, 2, (int64_t[]){1, 0}), "no frame at all");
    release_all((agn_tensor *[]){x, y}, 2);
    tell(&p, "parts, orders, too loud, none");
}

/* ---- malformed ------------------------------------------------------------------------------------- */

static void put(unsigned char *p, uint64_t v, int n)
{
    for (int k = 0; k < n; k++)
        p[k] = (unsigned char)(v >> 8 * k);
}

/* 44 bytes of header and 100 of samples */
static size_t make_wav(unsigned char *w, int channels, uint64_t rate, int bits, uint64_t data, int tag)
{
    memcpy(w, "RIFF....WAVEfmt ", 16);
    put(w + 4, 136, 4);
    put(w + 16, 16, 4);
    put(w + 20, (uint64_t)tag, 2);
    put(w + 22, (uint64_t)channels, 2);
    put(w + 24, rate, 4);
    put(w + 28, rate * (uint64_t)channels * (uint64_t)bits / 8, 4);
    put(w + 32, (uint64_t)(channels * bits / 8), 2);
    put(w + 34, (uint64_t)bits, 2);
    memcpy(w + 36, "data", 4);
    put(w + 40, data, 4);
    for (int k = 0; k < 100; k++)
        w[44 + k] = (unsigned char)k;
    return 144;
}

static void test_malformed(void)
{
    tally q = {0, 0};
    unsigned char w[4096];
    agn_tensor *out = untouched;
    int32_t rate = -7;
    size_t n = make_wav(w, 0, 8000, 16, 100, 1);
    check(&q, refused(agn_sound_decode(&out, &rate, w, n, NULL), AGN_EFORMAT, "sound_decode", "no sound", NULL, out),
          "0 channels");
    n = make_wav(w, 1, 0, 16, 100, 1);
    check(&q, refused(agn_sound_decode(&out, &rate, w, n, NULL), AGN_EFORMAT, "sound_decode", "no sound", NULL, out),
          "a rate of 0");
    n = make_wav(w, 60000, 8000, 16, 100, 1);
    check(&q, refused(agn_sound_decode(&out, &rate, w, n, NULL), AGN_EFORMAT, "sound_decode", "no sound", NULL, out),
          "60000 channels");
    n = make_wav(w, 1, 8000, 16, 100, 0x7777);
    check(&q, refused(agn_sound_decode(&out, &rate, w, n, NULL), AGN_EFORMAT, "sound_decode", "no sound", NULL, out),
          "an unknown encoding");
    static const struct {
        const char *bytes;
        size_t n;
    } nothing[] = {{"", 0}, {"RIFF", 4}, {"fLaC", 4}, {"OggS", 4}, {"FORM....AIFF", 12}, {"not a sound", 11},
                   {".snd", 4}, {"caff", 4}, {"RIFX....WAVE", 12}};
    for (int k = 0; k < COUNT(nothing); k++)
        check(&q,
              refused(agn_sound_decode(&out, &rate, nothing[k].bytes, nothing[k].n, NULL), AGN_EFORMAT,
                      "sound_decode", "no sound", NULL, out),
              "\"%s\"", nothing[k].bytes);
    check(&q, rate == -7, "nothing is written");
    /* claims of 2^31 frames, and files that were cut off: what is there */
    agn_tensor *y = NULL;
    n = make_wav(w, 1, 8000, 16, 0xfffffffe, 1);
    must(agn_sound_decode(&y, NULL, w, n, NULL));
    check(&q, agn_numel(y) == 50, "2^31 frames claimed, 50 there: %d", (int)agn_numel(y));
    agn_release(y);
    n = make_wav(w, 1, 8000, 16, 100, 1);
    y = NULL;
    must(agn_sound_decode(&y, NULL, w, n - 31, NULL));
    check(&q, agn_numel(y) == 34, "cut off: %d", (int)agn_numel(y));
    agn_release(y);
    /* RIFX: numbers with the other end first */
    memcpy(w, "RIFX", 4);
    static const int words[][2] = {{4, 4}, {16, 4}, {20, 2}, {22, 2}, {24, 4}, {28, 4}, {32, 2}, {34, 2}, {40, 4}};
    for (int k = 0; k < COUNT(words); k++)
        for (int i = 0; i < words[k][1] / 2; i++) {
            unsigned char *a = w + words[k][0] + i, *b = w + words[k][0] + words[k][1] - 1 - i, c = *a;
            *a = *b;
            *b = c;
        }
    y = NULL;
    must(agn_sound_decode(&y, NULL, w, n,
                          &(agn_sound_load_options){.size = sizeof(agn_sound_load_options), .dtype = AGN_I16}));
    check(&q, agn_numel(y) == 50 && peek_int(y, 1) == 0x0203, "RIFX");
    agn_release(y);
    tell(&q, "malformed headers are refused, what was cut off is read as far as it goes, M9");
    /* every prefix, and bytes that were changed: right or refused, nothing is lost */
    tally f = {0, 0};
    static const struct {
        int container, encoding;
    } of[] = {{AGN_SOUND_WAV, AGN_SOUND_PCM16}, {AGN_SOUND_FLAC, AGN_SOUND_PCM16}, {AGN_SOUND_AIFF, AGN_SOUND_PCM24},
              {AGN_SOUND_CAF, AGN_SOUND_PCM16}, {AGN_SOUND_AU, AGN_SOUND_MU_LAW},  {AGN_SOUND_OGG, AGN_SOUND_VORBIS},
              {AGN_SOUND_W64, AGN_SOUND_F32},   {AGN_SOUND_NIST, AGN_SOUND_PCM16}};
    agn_tensor *x = whole_numbers(AGN_I16, 1, 200, 16);
    for (int k = 0; k < COUNT(of); k++) {
        agn_tensor *bytes = NULL;
        const void *p = NULL;
        must(agn_sound_encode(&bytes, x, 8000,
                              &(agn_sound_save_options){.size = sizeof(agn_sound_save_options),
                                                        .container = of[k].container,
                                                        .encoding = of[k].encoding}));
        must(agn_data_contiguous(&p, bytes));
        int64_t size = agn_numel(bytes), live, after;
        unsigned char *copy = room_for((size_t)size);
        agn_memory_live(NULL, &live, NULL);
        for (int r = 0; r < tap_scale(400); r++) {
            size_t cut = r % 2 ? (size_t)size : (size_t)rnd_below(size);
            memcpy(copy, p, (size_t)size);
            for (int c = 0; r % 2 && c < 1 + r % 5; c++)
                copy[rnd_below(r % 3 ? size : size < 200 ? size : 200)] = (unsigned char)rnd();
            y = untouched;
            agn_status st = agn_sound_decode(&y, NULL, copy, cut, NULL);
            check(&f, st ? (st == AGN_EFORMAT || st == AGN_ENOMEM) && y == untouched : agn_numel(y) >= 0,
                  "container %d, run %d: %s", of[k].container, r, agn_error_message());
            if (!st)
                agn_release(y);
        }
        agn_memory_live(NULL, &after, NULL);
        check(&f, live == after, "nothing is lost");
        free(copy);
        agn_release(bytes);
    }
    agn_release(x);
    tell(&f, "files cut short and changed: right or refused");
}

/* ---- failures ------------------------------------------------------------------------------------------ */

static void test_failures(void)
{
    tally q = {0, 0};
    agn_tensor *out = untouched, *x = random_of(AGN_F32, 2, (int64_t[]){2, 30}, -1, 1),
               *wide = random_of(AGN_F32, 3, (int64_t[]){2, 3, 4}, -1, 1), *bools = random_of(AGN_BOOL, 1, (int64_t[]){3}, 0, 1),
               *none = random_of(AGN_F32, 2, (int64_t[]){0, 4}, 0, 1), *y = NULL, *again = NULL,
               *nan = of_reals(AGN_F64, 1, (int64_t[]){2}, (double[]){0, (double)NAN});
    agn_sound_facts facts = {.size = sizeof facts}, wrong = {.size = 3};
    must(agn_sound_save(path, x, 8000, NULL));
    must(agn_sound_load(&y, NULL, path, NULL));
#define NO(call, st, op, a, b) check(&q, refused(call, st, op, a, b, out), "line %d: %s", __LINE__, \
                                     agn_error_message())
#define LOAD(...) agn_sound_load(&out, NULL, path, &(agn_sound_load_options){.size = sizeof(agn_sound_load_options), __VA_ARGS__})
#define SAVE(x, rate, ...) agn_sound_save(path, x, rate, &(agn_sound_save_options){.size = sizeof(agn_sound_save_options), __VA_ARGS__})
#define ENCODE(x, rate, ...) agn_sound_encode(&out, x, rate, &(agn_sound_save_options){.size = sizeof(agn_sound_save_options), __VA_ARGS__})
    NO(agn_sound_load(NULL, NULL, path, NULL), AGN_ENULL, "sound_load", "out", "NULL");
    NO(agn_sound_load(&out, NULL, NULL, NULL), AGN_ENULL, "sound_load", "path", "NULL");
    NO(agn_sound_load(&out, NULL, "/no/such/file", NULL), AGN_EIO, "sound_load", "file", NULL);
    NO(agn_sound_load(&out, NULL, path, &(agn_sound_load_options){.size = 1}), AGN_EARG, "sound_load", "1 bytes",
       "has");
    NO(LOAD(.offset = -1), AGN_EARG, "sound_load", "-1", "negative");
    NO(LOAD(.frames = -2), AGN_EARG, "sound_load", "-2", "negative");
    NO(LOAD(.offset = 31), AGN_EARG, "sound_load", "31", "30 frames");
    NO(LOAD(.dtype = AGN_U8), AGN_EDTYPE, "sound_load", "u8", "f32");
    NO(agn_sound_decode(NULL, NULL, "x", 1, NULL), AGN_ENULL, "sound_decode", "out", "NULL");
    NO(agn_sound_decode(&out, NULL, NULL, 1, NULL), AGN_ENULL, "sound_decode", "bytes", "NULL");
    NO(agn_sound_decode(&out, NULL, "x", 1, &(agn_sound_load_options){.size = 1}), AGN_EARG, "sound_decode",
       "1 bytes", "has");
    NO(agn_sound_decode(&out, NULL, "x", 1,
                        &(agn_sound_load_options){.size = sizeof(agn_sound_load_options), .dtype = AGN_C64}),
       AGN_EDTYPE, "sound_decode", "c64", "f32");
    NO(agn_sound_info(NULL, path), AGN_ENULL, "sound_info", "out", "NULL");
    NO(agn_sound_info(&facts, NULL), AGN_ENULL, "sound_info", "path", "NULL");
    NO(agn_sound_info(&wrong, path), AGN_EARG, "sound_info", "3 bytes", "has");
    NO(agn_sound_info(&facts, "/no/such/file"), AGN_EIO, "sound_info", "file", NULL);
    NO(agn_sound_save(NULL, x, 8000, NULL), AGN_ENULL, "sound_save", "path", "NULL");
    NO(agn_sound_save(path, NULL, 8000, NULL), AGN_ENULL, "sound_save", "x is", "NULL");
    NO(agn_sound_save("/no/such/folder/a.wav", x, 8000, NULL), AGN_EIO, "sound_save", "a.wav", NULL);
    NO(agn_sound_encode(NULL, x, 8000, NULL), AGN_ENULL, "sound_encode", "out", "NULL");
    NO(agn_sound_encode(&out, NULL, 8000, NULL), AGN_ENULL, "sound_encode", "x is", "NULL");
    for (int k = 0; k < 2; k++) {
        const char *op = k ? "sound_encode" : "sound_save";
#define BOTH(x, rate, ...) (k ? ENCODE(x, rate, __VA_ARGS__) : SAVE(x, rate, __VA_ARGS__))
        NO(BOTH(x, 0, .quality = 0), AGN_EARG, op, "rate of 0", "positive");
        NO(BOTH(x, 8000, .quality = 2), AGN_EARG, op, "quality 2", "from 0 to 1");
        NO(BOTH(x, 8000, .container = AGN_SOUND_OTHER), AGN_EARG, op, "container 25", "encoding 0");
        NO(BOTH(x, 8000, .encoding = -1), AGN_EARG, op, "container 0", "encoding -1");
        NO(BOTH(x, 8000, .encoding = AGN_SOUND_VORBIS), AGN_EARG, op, "container 0", "encoding 8");
        NO(BOTH(bools, 8000, .quality = 0), AGN_EDTYPE, op, "bool", "f32");
        NO(BOTH(wide, 8000, .quality = 0), AGN_ESHAPE, op, "[2,3,4]", "channels");
        NO(BOTH(none, 8000, .quality = 0), AGN_ESHAPE, op, "[0,4]", "channels");
        NO(BOTH(nan, 8000, .quality = 0), AGN_EDOMAIN, op, "sample 1", "NaN");
        NO(k ? agn_sound_encode(&out, x, 8000, &(agn_sound_save_options){.size = 2})
             : agn_sound_save(path, x, 8000, &(agn_sound_save_options){.size = 2}),
           AGN_EARG, op, "2 bytes", "has");
    }
    FILE *text = fopen(path, "wb");
    if (!text || fputs("text", text) < 0 || fclose(text))
        bail_out("no file");
    NO(agn_sound_info(&facts, path), AGN_EFORMAT, "sound_info", "no sound", NULL);
    NO(agn_sound_load(&out, NULL, path, NULL), AGN_EFORMAT, "sound_load", "no sound", NULL);
    must(agn_sound_save(path, x, 8000, NULL));
    /* saves that fail, at every allocation too, leave what was there */
    for (int n = 0;; n++) {
        agn_memory_fail_after(n);
        agn_status st = agn_sound_save(path, wide, 8000, NULL);
        st = st == AGN_ESHAPE ? agn_sound_save(path, y, 9000, NULL) : st;
        agn_memory_fail_after(-1);
        if (!st)
            break;
        must(agn_sound_load(&again, NULL, path, NULL));
        check(&q, st == AGN_ENOMEM && same_values(again, y), "a save without memory leaves the old file: %d", n);
        agn_release(again);
    }
    for (int n = 0;; n++) {
        int64_t before, after;
        agn_memory_live(NULL, &before, NULL);
        out = untouched;
        agn_memory_fail_after(n);
        agn_status st = agn_sound_load(&out, NULL, path, NULL);
        agn_memory_fail_after(-1);
        if (!st) {
            agn_release(out);
            break;
        }
        agn_memory_live(NULL, &after, NULL);
        check(&q, st == AGN_ENOMEM && out == untouched && before == after, "a load without memory");
    }
    tell(&q, "failures: status, op, two facts, nothing written, the old file left");
    release_all((agn_tensor *[]){x, wide, bools, none, y, nan}, 6);
}

int main(void)
{
    snprintf(path, sizeof path, "t-sound-%ld.sound", (long)getpid());
    test_exact();
    test_others();
    test_malformed();
    test_failures();
    remove(path);
    return done();
}
