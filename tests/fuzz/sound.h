/* tests/fuzz/sound.h - any bytes as a sound file of one container: samples or a clean error,
   nothing leaks, and no allocation that neither the input nor what was read accounts for. */
#ifndef AGN_FUZZ_SOUND_H
#define AGN_FUZZ_SOUND_H

#include <agnesi/agnesi.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* A block and its doublings for a container's claim of frames; a compressed silence may be long. */
enum { FUZZ_FRAMES = 1 << 14, FUZZ_FIXED = 1 << 20 };

static void fuzz_check(agn_status st, const agn_tensor *x)
{
    if ((st && st != AGN_EFORMAT && st != AGN_ENOMEM) || !st != (x != NULL))
        abort();
    if (x && (agn_ndim(x) != 2 || agn_shape(x)[0] < 1))
        abort();
}

/* whole, from an offset, and by blocks: the same samples */
static void fuzz_decode(const uint8_t *data, size_t n)
{
    agn_sound_load_options as = {.size = sizeof as, .dtype = AGN_I16, .frames = FUZZ_FRAMES};
    agn_sound_facts facts = {.size = sizeof facts};
    agn_tensor *whole = NULL, *part = NULL;
    agn_sound *s = NULL;
    int32_t rate = 0;
    agn_status st = agn_sound_decode(&whole, &rate, data, n, &as), opened;
    fuzz_check(st, whole);
    opened = agn_sound_open_bytes(&s, &facts, data, n, &as);
    if (!opened != (s != NULL) ||
        (!opened && (facts.channels < 1 || facts.rate < 1 || facts.frames < 0)))
        abort();
    if (!st && (opened || facts.rate != rate || facts.channels != agn_shape(whole)[0]))
        abort();
    for (int64_t seen = 0, have = 1; s && have > 0; seen += have) {
        have = 0;
        if (agn_sound_read(&part, s, 1000))
            break;
        have = agn_shape(part)[1];
        if (seen + have > FUZZ_FRAMES)
            abort();
        agn_release(part);
        part = NULL;
    }
    if (s && agn_sound_seek(s, 0) == AGN_OK && agn_sound_read(&part, s, 7) == AGN_OK)
        agn_release(part);
    agn_sound_close(s);
    part = NULL;
    as = (agn_sound_load_options){.size = sizeof as, .dtype = AGN_F32, .frames = 100, .offset = 5};
    st = agn_sound_decode(&part, NULL, data, n, &as);
    if (st != AGN_EARG)
        fuzz_check(st, part);
    agn_release(part);
    agn_release(whole);
}

/* inputs that do not begin as the container does are left to the targets of the others */
static int fuzz_sound(const uint8_t *data, size_t n, const char *begin)
{
    int64_t before, after, peak;
    size_t m = strlen(begin);
    if (n < m || memcmp(data, begin, m) != 0)
        return 0;
    agn_memory_live(&before, NULL, NULL);
    agn_memory_reset_peak();
    fuzz_decode(data, n);
    agn_memory_live(&after, NULL, &peak);
    if (after != before || peak - before > FUZZ_FIXED + (int64_t)FUZZ_FRAMES * 1024 * 8)
        abort();
    return 0;
}

#endif
