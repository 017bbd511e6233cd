/* t-sound-hostile - headers that lie: no channels or too many, 2^31 frames and more, samples of 1
   to 64 bits in blocks that do not fit them, orders of bytes, chunks that overlap or never end, of
   WAV, AIFF, AU, CAF, W64, FLAC, Ogg and MP3. Each is read as far as there are samples, or refused,
   in memory that the input accounts for. M9. */
#include "tests/laws.h"

typedef struct bytes {
    unsigned char p[1 << 13];
    size_t n;
} bytes;

static void put_text(bytes *b, const char *text)
{
    memcpy(b->p + b->n, text, strlen(text));
    b->n += strlen(text);
}

/* n bytes of v, the big end first or last */
static void put(bytes *b, uint64_t v, int n, bool big)
{
    for (int k = 0; k < n; k++)
        b->p[b->n++] = (unsigned char)(v >> 8 * (big ? n - 1 - k : k));
}

static void put_samples(bytes *b, int n)
{
    for (int k = 0; k < n; k++)
        b->p[b->n++] = (unsigned char)(k * 37 + 11);
}

enum { MOST_MEMORY = 1 << 20 };

/* AGN_OK with so many frames, at least the least, or AGN_EFORMAT; always in bounded memory */
static void read_one(tally *q, const bytes *b, bool may_fail, int64_t least, int64_t most,
                     const char *what, uint64_t v)
{
    agn_tensor *x = untouched;
    int64_t before, after, peak;
    agn_memory_live(&before, NULL, NULL);
    agn_memory_reset_peak();
    unsigned char *copy = room_for(b->n ? b->n : 1);
    memcpy(copy, b->p, b->n);
    agn_status st = agn_sound_decode(&x, NULL, copy, b->n, NULL);
    agn_memory_live(NULL, NULL, &peak);
    if (st)
        check(q, may_fail && (st == AGN_EFORMAT || st == AGN_ENOMEM) && x == untouched,
              "%s, %llu: %s", what, (unsigned long long)v, agn_error_message());
    else {
        int64_t frames = agn_shape(x)[1];
        check(q, frames >= least && frames <= most, "%s, %llu: %d frames", what,
              (unsigned long long)v, (int)frames);
        agn_release(x);
    }
    free(copy);
    agn_memory_live(&after, NULL, NULL);
    check(q, before == after && peak - before < MOST_MEMORY, "%s, %llu: %lld bytes in use", what,
          (unsigned long long)v, (long long)(peak - before));
}

typedef struct wav {
    uint64_t riff, fmt, tag, channels, rate, per_second, block, bits, data;
} wav;
static const wav usual = {136, 16, 1, 1, 8000, 16000, 2, 16, 100};

static void make_wav(bytes *b, const wav *w, bool big)
{
    b->n = 0;
    put_text(b, big ? "RIFX" : "RIFF");
    put(b, w->riff, 4, big);
    put_text(b, "WAVEfmt ");
    put(b, w->fmt, 4, big);
    put(b, w->tag, 2, big);
    put(b, w->channels, 2, big);
    put(b, w->rate, 4, big);
    put(b, w->per_second, 4, big);
    put(b, w->block, 2, big);
    put(b, w->bits, 2, big);
    put_text(b, "data");
    put(b, w->data, 4, big);
    put_samples(b, 100);
}

static void test_wav(void)
{
    static const uint64_t odd[] = {
        0,     1,     2,     3,     4,          5,          7,          8,         9,    12,
        16,    17,    20,    24,    31,         32,         33,         36,        40,   48,
        63,    64,    65,    100,   128,        255,        256,        1000,      1024, 1025,
        32767, 32768, 65535, 65536, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};
    static const char *const field[] = {"size of RIFF", "size of fmt", "encoding",
                                        "channels",     "rate",        "bytes a second",
                                        "block",        "bits",        "size of data"};
    tally q = {0, 0};
    bytes b;
    for (int big = 0; big < 2; big++) {
        make_wav(&b, &usual, big);
        read_one(&q, &b, false, 50, 50, "as it should be", (uint64_t)big);
        for (int k = 0; k < 9; k++)
            for (int i = 0; i < COUNT(odd); i++) {
                wav w = usual;
                uint64_t *v[] = {&w.riff,       &w.fmt,   &w.tag,  &w.channels, &w.rate,
                                 &w.per_second, &w.block, &w.bits, &w.data};
                *v[k] = odd[i];
                make_wav(&b, &w, big);
                read_one(&q, &b, true, 0, 100 * 1024, field[k], odd[i]);
            }
        /* sizes of data with all that is there: never more, and what is claimed where it is less */
        for (int i = 0; i < COUNT(odd); i++) {
            wav w = usual;
            w.data = odd[i];
            make_wav(&b, &w, big);
            read_one(&q, &b, true, odd[i] < 100 ? (int64_t)odd[i] / 2 : 0, 50, "data", odd[i]);
        }
        /* bits with the block that belongs to them, of one and two channels */
        for (uint64_t bits = 1; bits <= 72; bits++)
            for (uint64_t channels = 1; channels <= 2; channels++) {
                wav w = usual;
                w.channels = channels;
                w.bits = bits;
                w.block = channels * ((bits + 7) / 8);
                w.per_second = 8000 * w.block;
                make_wav(&b, &w, big);
                int64_t frames = 100 / (int64_t)w.block;
                read_one(&q, &b, true, frames, frames, "bits", bits);
            }
    }
    tell(&q, "WAV and RIFX: fields that lie, 1 to 72 bits");
    tally p = {0, 0};
    static const int depths[] = {8, 16, 24, 32};
    for (int k = 0; k < 4; k++) { /* the very samples, in both orders */
        agn_tensor *x[2] = {NULL, NULL};
        for (int big = 0; big < 2; big++) {
            wav w = usual;
            w.bits = (uint64_t)depths[k];
            w.block = w.bits / 8;
            w.per_second = 8000 * w.block;
            make_wav(&b, &w, big);
            int n = depths[k] / 8;
            for (int i = 0; big && i < 100 - 100 % n; i += n) /* turned about */
                for (int j = 0; j < n / 2; j++) {
                    unsigned char *one = b.p + 44 + i + j, *two = b.p + 44 + i + n - 1 - j,
                                  c = *one;
                    *one = *two;
                    *two = c;
                }
            must(agn_sound_decode(&x[big], NULL, b.p, b.n,
                                  &(agn_sound_load_options){.size = sizeof(agn_sound_load_options),
                                                            .dtype = AGN_I32}));
        }
        uint32_t want = 0;
        for (int j = 0; j < depths[k] / 8; j++)
            want |= (uint32_t)(unsigned char)(j * 37 + 11) << (32 - depths[k] + 8 * j);
        want ^= depths[k] == 8 ? 0x80000000u : 0;
        check(&p, same_values(x[0], x[1]) && peek_int(x[0], 0) == (int32_t)want, "%d bits: %x, %x",
              depths[k], (unsigned)peek_int(x[0], 0), (unsigned)want);
        agn_release(x[0]);
        agn_release(x[1]);
    }
    tell(&p, "RIFF and RIFX hold the same samples of 8 to 32 bits");
}

static void test_chunks(void)
{
    tally q = {0, 0};
    bytes b;
    /* chunks before data whose sizes end anywhere */
    static const uint64_t size[] = {0, 1, 2, 99, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff};
    static const char *const name[] = {"LIST", "fact", "PEAK", "bext", "cart", "cue ",
                                       "smpl", "inst", "fmt ", "data", "????"};
    for (int k = 0; k < COUNT(name); k++)
        for (int i = 0; i < COUNT(size); i++) {
            make_wav(&b, &usual, false);
            unsigned char rest[200];
            size_t n = b.n - 36;
            memcpy(rest, b.p + 36, n);
            b.n = 36;
            put_text(&b, name[k]);
            put(&b, size[i], 4, false);
            memcpy(b.p + b.n, rest, n);
            b.n += n;
            read_one(&q, &b, true, 0, 60, name[k], size[i]);
        }
    /* no fmt; data first; a thousand empty chunks */
    b.n = 0;
    put_text(&b, "RIFF....WAVEdata");
    put(&b, 100, 4, false);
    put_samples(&b, 100);
    read_one(&q, &b, true, 0, 100, "no fmt", 0);
    b.n = 0;
    put_text(&b, "RIFF....WAVE");
    for (int k = 0; k < 1000; k++) {
        put_text(&b, "abcd");
        put(&b, 0, 4, false);
    }
    read_one(&q, &b, true, 0, 0, "empty chunks", 1000);
    tell(&q, "chunks that overlap, repeat or never end");
}

/* numbers of headers by their place: each one in turn is every one of the odd values */
static void try_fields(tally *q, const bytes *good, const int (*field)[2], int n_fields, bool big,
                       int64_t frames, const char *what)
{
    static const uint64_t odd[] = {0,
                                   1,
                                   2,
                                   3,
                                   5,
                                   8,
                                   24,
                                   36,
                                   64,
                                   255,
                                   256,
                                   1025,
                                   32768,
                                   65535,
                                   0x7fffffff,
                                   0x80000000,
                                   0xffffffff,
                                   0x7fffffffffffffff,
                                   0x8000000000000000,
                                   0xffffffffffffffff};
    bytes b = *good;
    read_one(q, &b, false, frames, frames, what, 0);
    for (int k = 0; k < n_fields; k++)
        for (int i = 0; i < COUNT(odd); i++) {
            b = *good;
            b.n = (size_t)field[k][0];
            put(&b, odd[i], field[k][1], big);
            b.n = good->n;
            read_one(q, &b, true, 0, 1 << 16, what, (uint64_t)k * 100 + (uint64_t)i);
        }
    for (size_t n = 0; n < good->n; n++) {
        b = *good;
        b.n = n;
        read_one(q, &b, true, 0, frames, "a prefix", n);
    }
}

static void test_others(void)
{
    tally q = {0, 0};
    bytes b = {.n = 0};
    put_text(&b, "FORM");
    put(&b, 146, 4, true);
    put_text(&b, "AIFFCOMM");
    put(&b, 18, 4, true);
    put(&b, 1, 2, true);
    put(&b, 50, 4, true);
    put(&b, 16, 2, true);
    put(&b, 0x400bfa0000000000, 8, true); /* 8000 in 80 bits */
    put(&b, 0, 2, true);
    put_text(&b, "SSND");
    put(&b, 108, 4, true);
    put(&b, 0, 8, true);
    put_samples(&b, 100);
    try_fields(&q, &b,
               (const int[][2]){{4, 4},
                                {16, 4},
                                {20, 2},
                                {22, 4},
                                {26, 2},
                                {28, 2},
                                {30, 8},
                                {42, 4},
                                {46, 4},
                                {50, 4}},
               10, true, 50, "AIFF");
    b.n = 0;
    put_text(&b, ".snd");
    put(&b, 24, 4, true);
    put(&b, 100, 4, true);
    put(&b, 3, 4, true);
    put(&b, 8000, 4, true);
    put(&b, 1, 4, true);
    put_samples(&b, 100);
    try_fields(&q, &b, (const int[][2]){{4, 4}, {8, 4}, {12, 4}, {16, 4}, {20, 4}}, 5, true, 50,
               "AU");
    b.n = 0;
    put_text(&b, "caff");
    put(&b, 0x00010000, 4, true);
    put_text(&b, "desc");
    put(&b, 32, 8, true);
    put(&b, 0x40bf400000000000, 8, true); /* 8000 in 64 bits */
    put_text(&b, "lpcm");
    put(&b, 0, 4, true);
    put(&b, 2, 4, true);
    put(&b, 1, 4, true);
    put(&b, 1, 4, true);
    put(&b, 16, 4, true);
    put_text(&b, "data");
    put(&b, 104, 8, true);
    put(&b, 0, 4, true);
    put_samples(&b, 100);
    try_fields(&q, &b,
               (const int[][2]){{4, 4},
                                {12, 8},
                                {20, 8},
                                {28, 4},
                                {32, 4},
                                {36, 4},
                                {40, 4},
                                {44, 4},
                                {48, 4},
                                {56, 8}},
               10, true, 50, "CAF");
    tell(&q, "AIFF, AU, CAF: fields that lie, prefixes");
}

/* packed sounds: every prefix and every byte of the head changed */
static void test_packed(void)
{
    static const struct {
        int container, encoding;
        const char *name;
    } of[] = {{AGN_SOUND_FLAC, AGN_SOUND_PCM16, "FLAC"}, {AGN_SOUND_OGG, AGN_SOUND_OPUS, "Opus"},
              {AGN_SOUND_MP3, AGN_SOUND_MPEG3, "MP3"},   {AGN_SOUND_W64, AGN_SOUND_PCM24, "W64"},
              {AGN_SOUND_RF64, AGN_SOUND_F32, "RF64"},   {AGN_SOUND_NIST, AGN_SOUND_PCM16, "NIST"}};
    tally q = {0, 0};
    agn_tensor *x = random_of(AGN_F32, 2, (int64_t[]){1, 400}, -1, 1);
    for (int k = 0; k < COUNT(of); k++) {
        agn_sound_save_options to = {
            .size = sizeof to, .container = of[k].container, .encoding = of[k].encoding};
        agn_tensor *bytes_of = NULL;
        if (agn_sound_encode(&bytes_of, x, 8000, &to)) {
            diag("%s is not in this libsndfile: %s", of[k].name, agn_error_message());
            continue;
        }
        bytes good = {.n = (size_t)agn_numel(bytes_of)}, b;
        if (good.n > sizeof good.p)
            bail_out("a file of %zu bytes", good.n);
        memcpy(good.p, agn_data(bytes_of), good.n);
        agn_release(bytes_of);
        for (size_t n = 0; n < good.n; n += 1 + n / 100) {
            b = good;
            b.n = n;
            read_one(&q, &b, true, 0, 1 << 13, of[k].name, n);
        }
        for (size_t i = 0; i < good.n && i < 120; i++)
            for (int v = 0; v < 4; v++) {
                b = good;
                b.p[i] = (unsigned char)(v == 0   ? 0
                                         : v == 1 ? 0xff
                                         : v == 2 ? b.p[i] ^ 0x80
                                                  : b.p[i] + 1);
                read_one(&q, &b, true, 0, 1 << 16, of[k].name, i);
            }
    }
    agn_release(x);
    tell(&q, "FLAC, Opus, MP3, W64, RF64, NIST: prefixes, changed heads");
}

int main(void)
{
    test_wav();
    test_chunks();
    test_others();
    test_packed();
    return done();
}
