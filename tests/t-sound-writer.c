/* t-sound-writer - sound files written by blocks: the bytes that a save at once makes, in place
   after a commit alone; failures and full disks, which leave the old file; all containers and
   encodings, both orders of bytes, samples without a header; bytes read by blocks. M9. */
#include "tests/laws.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[128], folder[64];

typedef agn_sound_save_options save_options;
typedef agn_sound_load_options load_options;

static agn_tensor *read_file(const char *name)
{
    static unsigned char p[1 << 20];
    agn_tensor *x = NULL;
    FILE *f = fopen(name, "rb");
    if (!f)
        return NULL;
    int64_t n = (int64_t)fread(p, 1, sizeof p, f);
    fclose(f);
    must(agn_from_host(&x, AGN_U8, 1, &n, p));
    return x;
}

static int count_files(void)
{
    int n = 0;
    DIR *d = opendir(folder);
    if (!d)
        bail_out("no folder");
    for (struct dirent *e; (e = readdir(d));)
        n += strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
    closedir(d);
    return n;
}

/* blocks of sizes that are none of the library's, one of them empty */
static agn_status write_blocks(agn_sound_writer *w, const agn_tensor *x)
{
    static const int64_t step[] = {1, 0, 7, 300, 64};
    agn_status st = AGN_OK;
    for (int64_t at = 0, n, k = 0; at < agn_shape(x)[1] && !st; at += n, k++) {
        agn_tensor *part = NULL;
        n = step[k % 5] < agn_shape(x)[1] - at ? step[k % 5] : agn_shape(x)[1] - at;
        st = agn_slice(&part, x, 2, (int64_t[]){0, at}, (int64_t[]){agn_shape(x)[0], at + n}, NULL);
        st = st ? st : agn_sound_write(w, part);
        agn_release(part);
    }
    return st;
}

static void test_blocks(void)
{
    static const int of[][2] = {
        {AGN_SOUND_WAV, AGN_SOUND_PCM16},  {AGN_SOUND_WAV, AGN_SOUND_IMA_ADPCM},
        {AGN_SOUND_FLAC, AGN_SOUND_PCM24}, {AGN_SOUND_AIFF, AGN_SOUND_PCM8},
        {AGN_SOUND_AIFF, AGN_SOUND_F64},   {AGN_SOUND_CAF, AGN_SOUND_PCM16},
        {AGN_SOUND_AU, AGN_SOUND_MU_LAW},  {AGN_SOUND_W64, AGN_SOUND_PCM24},
        {AGN_SOUND_RF64, AGN_SOUND_F32},   {AGN_SOUND_NIST, AGN_SOUND_PCM16},
        {AGN_SOUND_MP3, AGN_SOUND_MPEG3}};
    tally q = {0, 0};
    for (int k = 0; k < COUNT(of); k++)
        for (int64_t channels = 1; channels <= 2; channels++) {
            save_options to = {.size = sizeof to, .container = of[k][0], .encoding = of[k][1]};
            agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){channels, 1001}, -1, 1), *old = NULL,
                       *have, *want = NULL;
            agn_sound_writer *w = NULL;
            must(agn_sound_save(path, x, 11025, NULL));
            old = read_file(path);
            must(agn_sound_encode(&want, x, 16000, &to));
            agn_status st = agn_sound_create(&w, path, (int32_t)channels, 16000, &to);
            check(&q, !st && !write_blocks(w, x), "container %d: %s", of[k][0],
                  agn_error_message());
            have = read_file(path);
            check(&q, same_values(have, old) && count_files() == 2,
                  "until then the old file is there");
            agn_release(have);
            check(&q, !agn_sound_commit(w), "container %d: %s", of[k][0], agn_error_message());
            agn_sound_writer_release(w);
            have = read_file(path);
            check(&q, same_values(have, want) && count_files() == 1,
                  "container %d, %d channels: the same bytes", of[k][0], (int)channels);
            agn_tensor *all[] = {x, old, have, want};
            for (int i = 0; i < 4; i++)
                agn_release(all[i]);
        }
    tell(&q, "blocks make the bytes of a save at once, in place after the commit");
}

static void test_dropped(void)
{
    tally q = {0, 0};
    agn_tensor *x = random_of(AGN_F32, 2, (int64_t[]){1, 40000}, -1, 1), *old, *have,
               *nan = of_reals(AGN_F64, 2, (int64_t[]){1, 2}, (double[]){0, (double)NAN});
    agn_sound_writer *w = NULL;
    save_options to = {.size = sizeof to};
    must(agn_sound_save(path, x, 8000, NULL));
    old = read_file(path);
    must(agn_sound_create(&w, path, 1, 8000, &to));
    must(agn_sound_write(w, x));
    agn_sound_writer_release(w);
    have = read_file(path);
    check(&q, same_values(old, have) && count_files() == 1, "not committed: dropped");
    agn_release(have);
    /* a block with NaN is refused, the others are written */
    w = NULL;
    must(agn_sound_create(&w, path, 1, 8000, &to));
    must(agn_sound_write(w, x));
    check(&q, agn_sound_write(w, nan) == AGN_EDOMAIN, "NaN");
    must(agn_sound_commit(w));
    agn_sound_writer_release(w);
    have = read_file(path);
    check(&q, same_values(old, have), "a refused block is not in the file");
    agn_release(have);
    /* a disk that is full after 20000 bytes */
    struct rlimit before, small;
    if (getrlimit(RLIMIT_FSIZE, &before))
        bail_out("no limits");
    small = before;
    small.rlim_cur = 20000;
    w = NULL;
    must(agn_sound_create(&w, path, 1, 8000, &to));
    setrlimit(RLIMIT_FSIZE, &small);
    agn_status st = agn_sound_write(w, x);
    check(&q, st == AGN_EIO && strstr(agn_error_message(), "sound_write"), "a full disk: %s",
          agn_error_message());
    check(&q, agn_sound_write(w, x) == AGN_EARG && agn_sound_commit(w) == AGN_EARG, "no more then");
    setrlimit(RLIMIT_FSIZE, &before);
    agn_sound_writer_release(w);
    have = read_file(path);
    check(&q, same_values(old, have) && count_files() == 1, "the old file is left");
    agn_release(have);
    /* every allocation fails in turn */
    for (int n = 0;; n++) {
        int64_t live, after;
        agn_memory_live(NULL, &live, NULL);
        w = NULL;
        agn_memory_fail_after(n);
        st = agn_sound_create(&w, path, 1, 8000, &to);
        st = st ? st : agn_sound_write(w, x);
        agn_memory_fail_after(-1);
        agn_sound_writer_release(w);
        agn_memory_live(NULL, &after, NULL);
        check(&q, (!st || st == AGN_ENOMEM) && live == after && count_files() == 1,
              "allocation %d fails", n);
        if (!st)
            break;
    }
    agn_release(x);
    agn_release(old);
    agn_release(nan);
    tell(&q, "what is dropped, fails or is refused leaves the old file");
}

/* every container with every encoding that libsndfile takes: lossless ones bit by bit, in both
   orders */
static void test_formats(void)
{
    tally q = {0, 0};
    int taken = 0, lossless = 0;
    for (int c = 0; c < AGN_SOUND_OTHER; c++)
        for (int e = 0; e < AGN_SOUND_UNKNOWN; e++)
            for (int order = 0; order < 3; order++) {
                save_options to = {
                    .size = sizeof to, .container = c, .encoding = e, .order = order};
                agn_tensor *x = NULL, *y = NULL, *bytes = NULL,
                           *wide = random_of(AGN_F64, 2, (int64_t[]){1, 640}, -1, 1);
                load_options as = {.size = sizeof as, .dtype = AGN_F64};
                agn_sound_facts facts = {.size = sizeof facts};
                agn_sound *s = NULL;
                int32_t rate = 0;
                if (c == AGN_SOUND_RAW)
                    as.raw_channels = 1, as.raw_rate = 8000, as.raw_encoding = e,
                    as.raw_order = order;
                agn_status st = agn_sound_encode(&bytes, wide, 8000, &to);
                if (st) {
                    check(&q,
                          st == AGN_EARG && (strstr(agn_error_message(), "container") ||
                                             strstr(agn_error_message(), "format")),
                          "refused: %s", agn_error_message());
                    agn_release(wide);
                    continue;
                }
                taken++;
                st = agn_sound_decode(&x, &rate, agn_data(bytes), (size_t)agn_numel(bytes), &as);
                check(&q, !st && agn_shape(x)[0] == 1, "container %d, encoding %d, order %d: %s", c,
                      e, order, agn_error_message());
                if (!st)
                    st = agn_sound_open_bytes(&s, &facts, agn_data(bytes), (size_t)agn_numel(bytes),
                                              &as);
                check(&q,
                      st || (facts.container == c && facts.encoding == e && facts.rate == rate &&
                             (rate == 8000 || c == AGN_SOUND_VOC || c == AGN_SOUND_SDS ||
                              e == AGN_SOUND_OPUS || c == AGN_SOUND_XI)),
                      "container %d, encoding %d: %d %d %d", c, e, facts.container, facts.encoding,
                      facts.rate);
                bool counted = c != AGN_SOUND_RAW || e < AGN_SOUND_DWVW12 || e > AGN_SOUND_DWVW24;
                if (!counted) /* nothing says where its last bits end */
                    check(&q, agn_numel(x) >= 640, "raw DWVW: %d samples", (int)agn_numel(x));
                else if (!st && facts.bits) {
                    /* levels come back from a second file as they came from the first */
                    lossless++;
                    agn_release(bytes);
                    bytes = NULL;
                    agn_sound_close(s);
                    s = NULL;
                    must(agn_sound_encode(&bytes, x, 8000, &to));
                    must(agn_sound_decode(&y, &rate, agn_data(bytes), (size_t)agn_numel(bytes),
                                          &as));
                    check(&q, agn_numel(x) >= 640 && same_values(x, y),
                          "container %d, encoding %d, order %d: %d samples, levels", c, e, order,
                          (int)agn_numel(x));
                }
                agn_sound_close(s);
                agn_tensor *all[] = {x, y, bytes, wide};
                for (int i = 0; i < 4; i++)
                    agn_release(all[i]);
            }
    diag("%d formats are written and read, %d of them lossless", taken, lossless);
    check(&q, taken > 150 && lossless > 120, "%d formats, %d lossless", taken, lossless);
    tell(&q, "every container, encoding and order that libsndfile writes");
}

static void test_raw(void)
{
    tally q = {0, 0};
    static const unsigned char p[] = {0x12, 0x34, 0x56, 0x78, 0x80, 0x00};
    agn_tensor *x = NULL, *out = untouched;
    load_options as = {.size = sizeof as,
                       .dtype = AGN_I16,
                       .raw_channels = 1,
                       .raw_rate = 8000,
                       .raw_order = AGN_SOUND_BIG};
    int32_t rate = 0;
    must(agn_sound_decode(&x, &rate, p, sizeof p, &as));
    check(&q,
          agn_numel(x) == 3 && peek_int(x, 0) == 0x1234 && peek_int(x, 2) == -32768 && rate == 8000,
          "big");
    agn_release(x);
    as.raw_order = AGN_SOUND_LITTLE;
    as.raw_channels = 3;
    must(agn_sound_decode(&x, &rate, p, sizeof p, &as));
    check(&q, agn_shape(x)[0] == 3 && agn_shape(x)[1] == 1 && peek_int(x, 0) == 0x3412,
          "little, 3 channels");
    agn_release(x);
    int32_t wrong[][4] = {{-1, 8000, 0, 0},
                          {1025, 8000, 0, 0},
                          {1, 0, 0, 0},
                          {1, 8000, -1, 0},
                          {1, 8000, AGN_SOUND_UNKNOWN, 0},
                          {1, 8000, 0, 3},
                          {1, 8000, AGN_SOUND_VORBIS, 0}};
    for (int k = 0; k < COUNT(wrong); k++) {
        as.raw_channels = wrong[k][0];
        as.raw_rate = wrong[k][1];
        as.raw_encoding = wrong[k][2];
        as.raw_order = wrong[k][3];
        check(&q,
              refused(agn_sound_decode(&out, &rate, p, sizeof p, &as), AGN_EARG, "sound_decode",
                      "raw", NULL, out),
              "case %d: %s", k, agn_error_message());
    }
    tell(&q, "samples without a header");
}

static void test_failures(void)
{
    tally q = {0, 0};
    agn_sound_writer *w = (agn_sound_writer *)untouched, *open = NULL;
    agn_sound *s = (agn_sound *)untouched;
    agn_sound_facts wrong = {.size = 3};
    agn_tensor *x = random_of(AGN_F32, 2, (int64_t[]){2, 30}, -1, 1),
               *bools = random_of(AGN_BOOL, 1, (int64_t[]){3}, 0, 1);
    must(agn_sound_create(&open, path, 1, 8000, NULL));
#define CREATE(channels, rate, ...) \
    agn_sound_create(&w, path, channels, rate, \
                     &(save_options){.size = sizeof(save_options), __VA_ARGS__})
#define NO(call, st, op, a, b) \
    check(&q, refused(call, st, op, a, b, (agn_tensor *)w), "line %d: %s", __LINE__, \
          agn_error_message())
    NO(agn_sound_create(NULL, path, 1, 8000, NULL), AGN_ENULL, "sound_create", "out", "NULL");
    NO(agn_sound_create(&w, NULL, 1, 8000, NULL), AGN_ENULL, "sound_create", "path", "NULL");
    NO(agn_sound_create(&w, path, 0, 8000, NULL), AGN_EARG, "sound_create", "0 channels", "1024");
    NO(agn_sound_create(&w, path, 1, 0, NULL), AGN_EARG, "sound_create", "rate of 0", "positive");
    NO(agn_sound_create(&w, path, 1, 8000, &(save_options){.size = 9}), AGN_EARG, "sound_create",
       "9 bytes", "has");
    NO(CREATE(1, 8000, .order = 3), AGN_EARG, "sound_create", "order 3", "container 0");
    NO(CREATE(1, 8000, .encoding = AGN_SOUND_VORBIS), AGN_EARG, "sound_create", "encoding 8",
       "container 0");
    NO(CREATE(2, 8000, .container = AGN_SOUND_MP3, .encoding = AGN_SOUND_MPEG1), AGN_EARG,
       "sound_create", "format", "2 channels");
    NO(agn_sound_create(&w, folder, 1, 8000, NULL), AGN_EIO, "sound_create", "no file", NULL);
    NO(agn_sound_create(&w, "/no/such/folder/a", 1, 8000, NULL), AGN_EIO, "sound_create", "a",
       NULL);
    NO(agn_sound_write(NULL, x), AGN_ENULL, "sound_write", "writer", "NULL");
    NO(agn_sound_write(open, NULL), AGN_ENULL, "sound_write", "x is", "NULL");
    NO(agn_sound_write(open, x), AGN_ESHAPE, "sound_write", "[2,30]", "has 1");
    NO(agn_sound_write(open, bools), AGN_EDTYPE, "sound_write", "bool", "f32");
    NO(agn_sound_commit(NULL), AGN_ENULL, "sound_commit", "writer", "NULL");
    must(agn_sound_commit(open));
    NO(agn_sound_write(open, x), AGN_EARG, "sound_write", "committed", NULL);
    NO(agn_sound_commit(open), AGN_EARG, "sound_commit", "committed", NULL);
    agn_sound_writer_release(open);
    agn_sound_writer_release(NULL);
    check(&q, count_files() == 1, "an empty sound, and nothing beside it");
#define BYTES(st, a, b, ...) \
    check( \
        &q, \
        refused(agn_sound_open_bytes(__VA_ARGS__), st, "sound_open_bytes", a, b, (agn_tensor *)s), \
        "line %d: %s", __LINE__, agn_error_message())
    BYTES(AGN_ENULL, "out", "NULL", NULL, NULL, "x", 1, NULL);
    BYTES(AGN_ENULL, "bytes", "NULL", &s, NULL, NULL, 1, NULL);
    BYTES(AGN_EARG, "3 bytes", "has", &s, &wrong, "x", 1, NULL);
    BYTES(AGN_EFORMAT, "no sound", NULL, &s, NULL, "x", 1, NULL);
    BYTES(AGN_EARG, "-1", "negative", &s, NULL, "x", 1,
          &(load_options){.size = sizeof(load_options), .offset = -1});
    BYTES(AGN_EDTYPE, "u8", "f32", &s, NULL, "x", 1,
          &(load_options){.size = sizeof(load_options), .dtype = AGN_U8});
    agn_release(x);
    agn_release(bools);
    tell(&q, "failures: status, op, two facts, nothing written");
}

int main(void)
{
    snprintf(folder, sizeof folder, "t-sound-writer-%ld", (long)getpid());
    snprintf(path, sizeof path, "%s/a.sound", folder);
    if (mkdir(folder, 0700))
        return skip_all("no folder can be made here");
    test_blocks();
    test_dropped();
    test_formats();
    test_raw();
    test_failures();
    remove(path);
    rmdir(folder);
    return done();
}
