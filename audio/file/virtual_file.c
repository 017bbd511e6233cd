/* audio/file/virtual_file.c - libsndfile's virtual I/O over memory and inputs, and its formats by our
   names. What it says of a failed open is one per process: a lock keeps it ours. */
#include "audio/file/virtual_file.h"
#include "core/fork_mutex.h"

#include <stdlib.h>
#include <string.h>

static sf_count_t get_size(void *user)
{
    const agni_virtual_file *f = user;
    return f->in ? f->in->size : f->size;
}

static sf_count_t seek(sf_count_t to, int whence, void *user)
{
    agni_virtual_file *f = user;
    sf_count_t from = whence == SEEK_CUR ? f->at : whence == SEEK_END ? get_size(f) : 0;
    if (to < 0 && -to > from)
        return -1;
    return f->at = from + to;
}

static sf_count_t tell(void *user)
{
    return ((const agni_virtual_file *)user)->at;
}

static sf_count_t read_bytes(void *to, sf_count_t n, void *user)
{
    agni_virtual_file *f = user;
    int64_t left = get_size(f) - f->at, got;
    if (n > left)
        n = left;
    if (n <= 0 || f->failed)
        return 0;
    if (!f->in) {
        memcpy(to, f->bytes + f->at, (size_t)n);
        got = n;
    } else {
        got = f->in->read_at(f->in, f->at, to, (size_t)n);
    }
    f->failed = got < 0;
    f->at += got > 0 ? got : 0;
    return got > 0 ? got : 0;
}

static sf_count_t write_bytes(const void *from, sf_count_t n, void *user)
{
    agni_virtual_file *f = user;
    int64_t end = f->at + n;
    if (f->in || f->failed || n < 0 || end < 0)
        return 0;
    if (end > f->room) {
        int64_t room = end + end / 2 + 4096;
        char *bytes = agni_alloc((size_t)room);
        if (!bytes) {
            f->failed = true;
            return 0;
        }
        if (f->size)
            memcpy(bytes, f->bytes, (size_t)f->size);
        agni_free(f->bytes);
        f->bytes = bytes;
        f->room = room;
    }
    if (f->at > f->size)
        memset(f->bytes + f->size, 0, (size_t)(f->at - f->size));
    memcpy(f->bytes + f->at, from, (size_t)n);
    f->at = end;
    f->size = end > f->size ? end : f->size;
    return n;
}

static agni_mutex lock = AGNI_MUTEX_INIT;

SNDFILE *agni_virtual_open(agni_virtual_file *f, const char *op, int mode, SF_INFO *info, agn_status *st)
{
    static SF_VIRTUAL_IO io = {get_size, seek, read_bytes, write_bytes, tell};
    char why[160];
    agni_mutex_lock(&lock);
    SNDFILE *s = sf_open_virtual(&io, mode, info, f);
    if (!s)
        snprintf(why, sizeof why, "%s", sf_strerror(NULL));
    agni_mutex_unlock(&lock);
    if (s && (info->channels < 1 || info->samplerate < 1 || info->frames < 0)) {
        snprintf(why, sizeof why, "%d channels at a rate of %d", info->channels, info->samplerate);
        sf_close(s);
        s = NULL;
    }
    if (s) {
        *st = AGN_OK;
        return s;
    }
    size_t n = strlen(why);
    while (n && (why[n - 1] == '.' || why[n - 1] == '\n'))
        why[--n] = 0;
    if (f->failed && f->in)
        *st = agni_fail(AGN_EIO, "%s: %s cannot be read", op, f->in->file);
    else if (f->failed)
        *st = agni_nomem(op, (size_t)f->size);
    else if (mode == SFM_READ)
        *st = agni_fail(AGN_EFORMAT, "%s: %s is no sound: %s", op, f->in->file, why);
    else
        *st = agni_fail(AGN_EARG, "%s: format 0x%x does not take %d channels at a rate of %d: %s", op,
                        (unsigned)info->format, info->channels, info->samplerate, why);
    return NULL;
}

/* ---- formats ------------------------------------------------------------------------------------- */

static const int containers[] = {
    [AGN_SOUND_WAV] = SF_FORMAT_WAV,   [AGN_SOUND_FLAC] = SF_FORMAT_FLAC, [AGN_SOUND_OGG] = SF_FORMAT_OGG,
    [AGN_SOUND_AIFF] = SF_FORMAT_AIFF, [AGN_SOUND_CAF] = SF_FORMAT_CAF,   [AGN_SOUND_AU] = SF_FORMAT_AU,
    [AGN_SOUND_W64] = SF_FORMAT_W64,   [AGN_SOUND_RF64] = SF_FORMAT_RF64, [AGN_SOUND_NIST] = SF_FORMAT_NIST,
    [AGN_SOUND_MP3] = 0x230000};       /* SF_FORMAT_MPEG, since libsndfile 1.1 */

static const struct {
    int format, bits;
} encodings[] = {[AGN_SOUND_PCM16] = {SF_FORMAT_PCM_16, 16},
                 [AGN_SOUND_PCM8] = {SF_FORMAT_PCM_S8, 8},
                 [AGN_SOUND_PCM24] = {SF_FORMAT_PCM_24, 24},
                 [AGN_SOUND_PCM32] = {SF_FORMAT_PCM_32, 32},
                 [AGN_SOUND_F32] = {SF_FORMAT_FLOAT, 32},
                 [AGN_SOUND_F64] = {SF_FORMAT_DOUBLE, 64},
                 [AGN_SOUND_MU_LAW] = {SF_FORMAT_ULAW, 8},
                 [AGN_SOUND_A_LAW] = {SF_FORMAT_ALAW, 8},
                 [AGN_SOUND_VORBIS] = {SF_FORMAT_VORBIS, 0},
                 [AGN_SOUND_OPUS] = {0x0064, 0},   /* SF_FORMAT_OPUS, since libsndfile 1.0.29 */
                 [AGN_SOUND_MPEG3] = {0x0082, 0}}; /* SF_FORMAT_MPEG_LAYER_III, since 1.1 */

int agni_sound_format(int32_t container, int32_t encoding)
{
    int format = encodings[encoding].format;
    bool unsigned_bytes = container == AGN_SOUND_WAV || container == AGN_SOUND_W64 ||
                          container == AGN_SOUND_RF64;
    if (encoding == AGN_SOUND_PCM8 && unsigned_bytes)
        format = SF_FORMAT_PCM_U8;
    return containers[container] | format;
}

void agni_sound_describe(const SF_INFO *info, agn_sound_facts *facts)
{
    int type = info->format & SF_FORMAT_TYPEMASK, sub = info->format & SF_FORMAT_SUBMASK;
    facts->frames = info->frames;
    facts->rate = info->samplerate;
    facts->channels = info->channels;
    facts->container = AGN_SOUND_OTHER;
    facts->encoding = AGN_SOUND_UNKNOWN;
    facts->bits = 0;
    for (int k = 0; k < AGN_SOUND_OTHER; k++)
        if (containers[k] == type || (k == AGN_SOUND_WAV && type == SF_FORMAT_WAVEX))
            facts->container = k;
    for (int k = 0; k < AGN_SOUND_UNKNOWN; k++)
        if (encodings[k].format == sub || (k == AGN_SOUND_PCM8 && sub == SF_FORMAT_PCM_U8)) {
            facts->encoding = k;
            facts->bits = encodings[k].bits;
        }
}
