/* t-sound-set - sounds by blocks, and collections of labelled sounds in a folder that the test
   writes: ESC-50 and TESS. */
#include "tests/modes.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64], path[128];
static agn_tensor *out = untouched, *labels = untouched;

static const char *at(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static agn_tensor *sound(int64_t channels, int64_t frames, int first)
{
    int16_t *v = room_for((size_t)(channels * frames) * sizeof *v);
    agn_tensor *x = NULL;
    for (int64_t i = 0; i < channels * frames; i++)
        v[i] = (int16_t)((first + 7 * i) % 30000 - 15000);
    must(agn_from_host(&x, AGN_I16, 2, (int64_t[]){channels, frames}, v));
    free(v);
    return x;
}

static void write_sound(const char *name, int64_t channels, int64_t frames, int first, int rate)
{
    agn_tensor *x = sound(channels, frames, first);
    must(agn_sound_save(at(name), x, rate, NULL));
    agn_release(x);
}

static void write_text(const char *name, const char *text)
{
    FILE *f = fopen(at(name), "wb");
    if (!f || fputs(text, f) < 0 || fclose(f))
        abort();
}

/* ---- blocks -------------------------------------------------------------------------------------- */

static void test_blocks(void)
{
    static const int containers[] = {AGN_SOUND_WAV, AGN_SOUND_FLAC, AGN_SOUND_AIFF, AGN_SOUND_CAF};
    tally q = {0, 0};
    for (int k = 0; k < COUNT(containers); k++)
        for (int64_t step = 1; step <= 1000; step = step * 7 + 2) {
            agn_tensor *x = sound(2, 613, 5), *block = NULL, *part = NULL;
            agn_sound_save_options to = {.size = sizeof to, .container = containers[k]};
            agn_sound_load_options as = {
                .size = sizeof as, .dtype = AGN_I16, .offset = 13, .frames = 500};
            agn_sound_facts facts = {.size = sizeof facts};
            agn_sound *s = NULL;
            int64_t have = 13;
            must(agn_sound_save(at("blocks"), x, 8000, &to));
            must(agn_sound_open(&s, &facts, path, &as));
            check(&q, facts.frames == 613 && facts.channels == 2 && facts.rate == 8000, "facts");
            for (;;) {
                must(agn_sound_read(&block, s, step));
                int64_t n = agn_shape(block)[1];
                if (n) {
                    must(agn_slice(&part, x, 2, (int64_t[]){0, have}, (int64_t[]){2, have + n},
                                   (int64_t[]){1, 1}));
                    check(&q,
                          n == (513 - have < step ? 513 - have : step) && same_values(part, block),
                          "container %d: %d frames from %d", k, (int)n, (int)have);
                    agn_release(part);
                }
                agn_release(block);
                have += n;
                if (!n)
                    break;
            }
            check(&q, have == 513, "%d frames in all", (int)have);
            must(agn_sound_seek(s, 513));
            must(agn_sound_read(&block, s, 0));
            check(&q, agn_shape(block)[1] == 0, "nothing behind those asked for");
            agn_release(block);
            must(agn_sound_seek(s, 2));
            must(agn_sound_read(&block, s, 0));
            must(agn_slice(&part, x, 2, (int64_t[]){0, 2}, (int64_t[]){2, 513}, (int64_t[]){1, 1}));
            check(&q, same_values(part, block), "all from there");
            agn_release(block);
            agn_release(part);
            agn_release(x);
            agn_sound_close(s);
        }
    agn_sound_close(NULL);
    /* floats, frames first */
    agn_tensor *x = sound(1, 40, 0), *y = NULL;
    agn_sound *s = NULL;
    must(agn_sound_save(at("blocks"), x, 8000, NULL));
    must(agn_sound_open(
        &s, NULL, path,
        &(agn_sound_load_options){.size = sizeof(agn_sound_load_options), .frames_first = true}));
    must(agn_sound_read(&y, s, 30));
    check(&q,
          has_shape(y, 2, (int64_t[]){30, 1}) && agn_dtype_of(y) == AGN_F32 &&
              peek(y, 7) == peek(x, 7) / 32768,
          "floats");
    agn_release(y);
    agn_release(x);
    agn_sound_close(s);
    tell(&q, "blocks");
}

/* samples of 16 and 8 bits as floats: each in its place, around blocks of samples and of vectors */
static void test_places(void)
{
    static const int containers[] = {AGN_SOUND_WAV, AGN_SOUND_FLAC, AGN_SOUND_AIFF, AGN_SOUND_AU};
    static const int64_t lengths[] = {1, 15, 16, 33, 16390, 40000};
    tally q = {0, 0};
    for (int k = 0; k < COUNT(containers); k++)
        for (int64_t channels = 1; channels <= 3; channels++)
            for (int l = 0; l < COUNT(lengths); l++) {
                int64_t n = lengths[l];
                bool few = l % 2;
                agn_sound_save_options to = {.size = sizeof to, .container = containers[k],
                                             .encoding = few && k != 3 ? AGN_SOUND_PCM8 : AGN_SOUND_PCM16};
                agn_tensor *x = sound(channels, n, 3 * k), *levels = NULL, *y = NULL;
                agn_sound_load_options as = {.size = sizeof as, .dtype = AGN_I16};
                must(agn_sound_save(at("blocks"), x, 8000, &to));
                must(agn_sound_load(&levels, NULL, path, &as));
                for (int how = 0; how < 4; how++) {
                    as.dtype = how % 2 ? AGN_F64 : AGN_F32;
                    as.frames_first = how > 1;
                    must(agn_sound_load(&y, NULL, path, &as));
                    bool same = has_shape(y, 2, (int64_t[]){how > 1 ? n : channels, how > 1 ? channels : n}) &&
                                agn_dtype_of(y) == as.dtype;
                    for (int64_t i = 0; same && i < channels * n; i++)
                        same = peek(y, how > 1 ? i % n * channels + i / n : i) == peek(levels, i) / 32768;
                    check(&q, same, "container %d, %d channels of %d, way %d", k, (int)channels, (int)n, how);
                    agn_release(y);
                }
                agn_release(levels);
                agn_release(x);
            }
    tell(&q, "floats of 16 bits in their places");
}

static void test_cut_off(void)
{
    tally q = {0, 0};
    agn_sound *s = NULL;
    agn_tensor *y = NULL;
    write_sound("cut", 1, 100, 0, 8000);
    if (truncate(path, 44 + 2 * 60))
        abort();
    must(agn_sound_open(&s, NULL, path, NULL));
    must(agn_sound_read(&y, s, 50));
    check(&q, agn_shape(y)[1] == 50, "what is there");
    agn_release(y);
    must(agn_sound_read(&y, s, 50));
    check(&q, agn_shape(y)[1] == 10, "%d frames, the rest of it", (int)agn_shape(y)[1]);
    agn_release(y);
    must(agn_sound_read(&y, s, 50));
    check(&q, agn_shape(y)[1] == 0, "no more");
    agn_release(y);
    agn_sound_close(s);
    tell(&q, "a file that was cut off");
}

/* ---- collections --------------------------------------------------------------------------------- */

static void make_folders(void)
{
    static const char *const names[] = {"meta", "audio", "OAF_angry", "OAF_angry/deep"};
    for (int k = 0; k < COUNT(names); k++)
        if (mkdir(at(names[k]), 0700))
            abort();
    write_text(
        "meta/esc50.csv",
        "filename,fold,target,category,esc10,src_file,take\n1-1.wav,1,0,dog,True,1,A\n"
        "2-1.wav,2,2,rain,False,1,A\r\n3-1.wav,2,0,dog,True,1,B\n\n4-1.wav,5,49,hand_saw,False,1,A");
    write_sound("audio/1-1.wav", 1, 50, 1, 8000);
    write_sound("audio/2-1.wav", 2, 80, 2, 8000);
    write_sound("audio/3-1.wav", 1, 20, 3, 8000);
    write_sound("audio/4-1.wav", 1, 20, 3, 16000);
    write_sound("OAF_angry/OAF_back_angry.wav", 1, 10, 1, 8000);
    write_sound("OAF_angry/deep/YAF_dog_ps.wav", 1, 10, 2, 8000);
    write_sound("OAF_home_sad.WAV", 1, 10, 3, 8000);
    write_text("notes_on_happy.txt", "no sound");
    write_text("OAF_home_bored.wav", "another emotion");
}

static void test_esc50(void)
{
    tally q = {0, 0};
    agn_sound_set *set = NULL;
    agn_tensor *x = NULL, *y = NULL, *one = NULL;
    int32_t rate = 0;
    must(agn_sound_set_esc50(&set, folder, 2, true));
    check(&q, agn_sound_set_count(set) == 2 && agn_sound_set_n_classes(set) == 50, "fold 2");
    check(&q,
          agn_sound_set_label(set, 0) == 2 && agn_sound_set_label(set, 1) == 0 &&
              agn_sound_set_label(set, 2) == -1 && agn_sound_set_label(set, -1) == -1,
          "labels");
    const char *dog = agn_sound_set_class_name(set, 0), *rain = agn_sound_set_class_name(set, 2),
               *saw = agn_sound_set_class_name(set, 49), *file = agn_sound_set_path(set, 1);
    check(&q,
          dog && !strcmp(dog, "dog") && rain && !strcmp(rain, "rain") && saw &&
              !strcmp(saw, "hand_saw") && !agn_sound_set_class_name(set, 1) &&
              !agn_sound_set_class_name(set, 50),
          "names");
    check(&q, file && !strcmp(file, at("audio/3-1.wav")) && !agn_sound_set_path(set, 2), "paths");
    must(agn_sound_set_load(&x, &y, &rate, set, 0, 2, 60));
    check(&q, rate == 8000 && has_shape(x, 2, (int64_t[]){2, 60}) && agn_dtype_of(y) == AGN_I64,
          "a batch");
    agn_tensor *two = sound(2, 80, 2), *short_one = sound(1, 20, 3);
    for (int i = 0; i < 60; i++) {
        check(&q, fabs(peek(x, i) - (peek(two, i) + peek(two, 80 + i)) / 65536) < 1e-7,
              "sample %d of two channels", i);
        check(&q, peek(x, 60 + i) == (i < 20 ? peek(short_one, i) / 32768 : 0),
              "sample %d of a short one", i);
    }
    agn_release(two);
    agn_release(short_one);
    check(&q, peek(y, 0) == 2 && peek(y, 1) == 0, "their labels");
    agn_release(x);
    agn_release(y);
    agn_sound_set_release(set);
    must(agn_sound_set_esc50(&set, folder, 2, false));
    check(&q, agn_sound_set_count(set) == 2 && agn_sound_set_label(set, 1) == 49,
          "the other folds");
    check(&q,
          refused(agn_sound_set_load(&out, &labels, NULL, set, 0, 2, 10), AGN_EFORMAT,
                  "sound_set_load", "16000", "8000", out),
          "other rates: %s", agn_error_message());
    agn_sound_set_release(set);
    agn_sound_set_release(NULL);
    check(&q,
          !agn_sound_set_count(NULL) && !agn_sound_set_n_classes(NULL) &&
              !agn_sound_set_path(NULL, 0) && !agn_sound_set_class_name(NULL, 0) &&
              agn_sound_set_label(NULL, 0) == -1 && !one,
          "no set");
    tell(&q, "ESC-50");
}

static void test_tess(void)
{
    tally q = {0, 0};
    agn_sound_set *set = NULL;
    must(agn_sound_set_tess(&set, folder, 1, 1, true));
    static const int want[] = {0, 5, 6};
    check(&q, agn_sound_set_count(set) == 3 && agn_sound_set_n_classes(set) == 7, "%d files",
          (int)agn_sound_set_count(set));
    for (int k = 0; k < 3; k++)
        check(&q, agn_sound_set_label(set, k) == want[k], "label %d: %d", k,
              (int)agn_sound_set_label(set, k));
    check(&q, !strcmp(agn_sound_set_class_name(set, 5), "ps"), "names");
    agn_sound_set_release(set);
    must(agn_sound_set_tess(&set, folder, 2, 1, true));
    check(&q, agn_sound_set_count(set) == 2 && agn_sound_set_label(set, 1) == 6,
          "the first fold of two");
    agn_sound_set_release(set);
    must(agn_sound_set_tess(&set, folder, 2, 1, false));
    check(&q, agn_sound_set_count(set) == 1 && agn_sound_set_label(set, 0) == 5, "the other one");
    agn_sound_set_release(set);
    tell(&q, "TESS");
}

/* ---- failures ------------------------------------------------------------------------------------ */

#define NO(call, st, op, a, b) \
    check(&q, refused(call, st, op, a, b, out), "line %d: %s", __LINE__, agn_error_message())

static void test_failures(void)
{
    static const char op[] = "sound_open", rd[] = "sound_read", sk[] = "sound_seek",
                      es[] = "sound_set_esc50", te[] = "sound_set_tess", ld[] = "sound_set_load";
    static const char *const tables[] = {"",
                                         "fold,filename\n",
                                         "filename,fold\n1.wav,2\n",
                                         "filename,fold\n1.wav,6,1,x\n",
                                         "filename,fold\n1.wav,1,50,x\n",
                                         "filename,fold\n../1.wav,1,1,x\n",
                                         "filename,fold\n/etc/1.wav,1,1,x\n",
                                         "filename,fold\n.,1,1,x\n",
                                         "filename,fold\n,1,1,x\n",
                                         "filename,fold\n1.wav,-1,1,x\n",
                                         "filename,fold\n1.wav,99999999999999999999,1,x\n"};
    tally q = {0, 0};
    agn_sound *s = NULL;
    agn_sound_set *set = NULL, *none = NULL;
    agn_sound_facts facts = {.size = 3};
    write_sound("fine", 1, 100, 0, 8000);
    write_text("text", "no sound at all, only text, which is long enough for a header");
    NO(agn_sound_open(NULL, NULL, path, NULL), AGN_ENULL, op, "out", "NULL");
    NO(agn_sound_open(&s, NULL, NULL, NULL), AGN_ENULL, op, "path", "NULL");
    NO(agn_sound_open(&s, NULL, at("text"), NULL), AGN_EFORMAT, op, "text", "no sound");
    NO(agn_sound_open(&s, NULL, at("missing"), NULL), AGN_EIO, op, "missing", NULL);
    NO(agn_sound_open(&s, &facts, at("fine"), NULL), AGN_EARG, op, "3 bytes", "has");
#define OPEN_(...) agn_sound_open(&s, NULL, path, &(agn_sound_load_options){__VA_ARGS__})
    NO(OPEN_(.size = 5), AGN_EARG, op, "5 bytes", "has");
    NO(OPEN_(.size = sizeof(agn_sound_load_options), .offset = -1), AGN_EARG, op, "offset -1",
       "negative");
    NO(OPEN_(.size = sizeof(agn_sound_load_options), .offset = 101), AGN_EARG, op, "offset 101",
       "100");
    NO(OPEN_(.size = sizeof(agn_sound_load_options), .dtype = AGN_C64), AGN_EDTYPE, op, "c64",
       "f32");
    check(&q, !s, "nothing is opened");
    must(agn_sound_open(&s, NULL, path, NULL));
    NO(agn_sound_read(NULL, s, 1), AGN_ENULL, rd, "out", "NULL");
    NO(agn_sound_read(&out, NULL, 1), AGN_ENULL, rd, "sound", "NULL");
    NO(agn_sound_read(&out, s, -1), AGN_EARG, rd, "-1 frames", "negative");
    NO(agn_sound_seek(NULL, 1), AGN_ENULL, sk, "sound", "NULL");
    NO(agn_sound_seek(s, 101), AGN_EARG, sk, "frame 101", "100");
    NO(agn_sound_seek(s, -1), AGN_EARG, sk, "frame -1", "100");
    agn_sound_close(s);
    NO(agn_sound_set_esc50(NULL, folder, 1, true), AGN_ENULL, es, "out", "NULL");
    NO(agn_sound_set_esc50(&none, NULL, 1, true), AGN_ENULL, es, "folder", "NULL");
    NO(agn_sound_set_esc50(&none, folder, 6, true), AGN_EARG, es, "fold 6", "1 to 5");
    NO(agn_sound_set_esc50(&none, at("audio"), 1, true), AGN_EIO, es, "esc50.csv", NULL);
    NO(agn_sound_set_tess(NULL, folder, 2, 1, true), AGN_ENULL, te, "out", "NULL");
    NO(agn_sound_set_tess(&none, NULL, 2, 1, true), AGN_ENULL, te, "folder", "NULL");
    NO(agn_sound_set_tess(&none, folder, 2, 3, true), AGN_EARG, te, "fold 3 of 2", NULL);
    NO(agn_sound_set_tess(&none, at("nowhere"), 2, 1, true), AGN_EIO, te, "nowhere", NULL);
    NO(agn_sound_set_tess(&none, at("meta"), 2, 1, true), AGN_EFORMAT, te, "meta", "OAF");
    must(agn_sound_set_esc50(&set, folder, 5, true));
    NO(agn_sound_set_load(NULL, &labels, NULL, set, 0, 1, 5), AGN_ENULL, ld, "out", "NULL");
    NO(agn_sound_set_load(&out, NULL, NULL, set, 0, 1, 5), AGN_ENULL, ld, "labels", "NULL");
    NO(agn_sound_set_load(&out, &labels, NULL, NULL, 0, 1, 5), AGN_ENULL, ld, "set", "NULL");
    NO(agn_sound_set_load(&out, &labels, NULL, set, 0, 2, 5), AGN_EARG, ld, "2 sounds", "of 1");
    NO(agn_sound_set_load(&out, &labels, NULL, set, 0, 1, 0), AGN_EARG, ld, "0 samples", "of 1");
    write_text("audio/4-1.wav", "this is no sound");
    NO(agn_sound_set_load(&out, &labels, NULL, set, 0, 1, 5), AGN_EFORMAT, ld, "4-1.wav",
       "no sound");
    if (unlink(at("audio/4-1.wav")))
        abort();
    NO(agn_sound_set_load(&out, &labels, NULL, set, 0, 1, 5), AGN_EIO, ld, "4-1.wav", NULL);
    agn_sound_set_release(set);
    for (int k = 0; k < COUNT(tables); k++) {
        write_text("meta/esc50.csv", tables[k]);
        check(&q,
              refused(agn_sound_set_esc50(&none, folder, 1, true), AGN_EFORMAT, es, "esc50.csv",
                      NULL, out),
              "table %d: %s", k, agn_error_message());
    }
    check(&q, !none && labels == untouched, "nothing is written");
    tell(&q, "failures: status, op, two facts, nothing written");
}

static agn_status read_block(void *user, agn_tensor **y)
{
    agn_sound *s = NULL;
    (void)user;
    agn_status st = agn_sound_open(&s, NULL, at("audio/1-1.wav"), NULL);
    if (!st)
        st = agn_sound_read(y, s, 20);
    agn_sound_close(s);
    return st;
}
static agn_status read_batch(void *user, agn_tensor **y)
{
    agn_sound_set *set = NULL;
    agn_tensor *label = NULL;
    agn_status st = user ? agn_sound_set_tess(&set, folder, 1, 1, true)
                         : agn_sound_set_esc50(&set, folder, 2, true);
    if (!st)
        st = agn_sound_set_load(y, &label, NULL, set, 0, 2, 8);
    if (!st)
        agn_release(label);
    agn_sound_set_release(set);
    return st;
}

int main(void)
{
    snprintf(folder, sizeof folder, "t-sound-set-%d", (int)getpid());
    if (mkdir(folder, 0700))
        return 1;
    make_folders();
    test_blocks();
    test_places();
    test_cut_off();
    test_esc50();
    test_tess();
    every_allocation(read_block, NULL, "a block");
    every_allocation(read_batch, NULL, "a batch of ESC-50");
    every_allocation(read_batch, folder, "a batch of TESS");
    test_failures();
    static const char *const all[] = {"meta/esc50.csv",
                                      "audio/1-1.wav",
                                      "audio/2-1.wav",
                                      "audio/3-1.wav",
                                      "OAF_angry/OAF_back_angry.wav",
                                      "OAF_angry/deep/YAF_dog_ps.wav",
                                      "OAF_home_sad.WAV",
                                      "notes_on_happy.txt",
                                      "OAF_home_bored.wav",
                                      "blocks",
                                      "cut",
                                      "fine",
                                      "text"};
    static const char *const folders[] = {"OAF_angry/deep", "OAF_angry", "audio", "meta", "."};
    for (int k = 0; k < COUNT(all); k++)
        unlink(at(all[k]));
    for (int k = 0; k < COUNT(folders) - 1; k++)
        rmdir(at(folders[k]));
    rmdir(folder);
    return done();
}
