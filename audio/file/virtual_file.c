/* audio/file/virtual_file.c - libsndfile's virtual I/O over memory and inputs, and its formats by
   our names. What it says of a failed open is one per process: a lock keeps it ours. */
#include "audio/file/virtual_file.h"
#include "core/fork_mutex.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static sf_count_t get_size(void *user)
{
    const agni_virtual_file *f = user;
    return f->in ? f->in->size : f->size;
}

static sf_count_t seek_byte(sf_count_t to, int whence, void *user)
{
    agni_virtual_file *f = user;
    sf_count_t from = whence == SEEK_CUR ? f->at : whence == SEEK_END ? get_size(f) : 0;
    if (to < 0 && -to > from)
        return -1;
    return f->at = from + to;
}

static sf_count_t tell_byte(void *user)
{
    return ((const agni_virtual_file *)user)->at;
}

static sf_count_t read_bytes(void *to, sf_count_t n, void *user)
{
    agni_virtual_file *f = user;
    int64_t left = get_size(f) - f->at, got;
    if (n > left)
        n = left;
    if (n <= 0 || f->failed || f->on_disk)
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

static sf_count_t write_disk(agni_virtual_file *f, const char *from, sf_count_t n)
{
    sf_count_t put = 0;
    while (put < n && !f->failed) {
        ssize_t got = pwrite(f->fd, from + put, (size_t)(n - put), (off_t)(f->at + put));
        f->failed = got < 0 && errno != EINTR;
        f->error = errno;
        put += got > 0 ? got : 0;
    }
    if (f->at < AGNI_SOUND_HEAD) {
        int64_t room = AGNI_SOUND_HEAD - f->at;
        memcpy(f->bytes + f->at, from, (size_t)(put < room ? put : room));
    }
    return put;
}

static bool grow_memory(agni_virtual_file *f, int64_t end)
{
    int64_t room = end + end / 2 + 4096;
    char *bytes = agni_alloc((size_t)room);
    if (!bytes)
        return false;
    if (f->size)
        memcpy(bytes, f->bytes, (size_t)f->size);
    agni_free(f->bytes);
    f->bytes = bytes;
    f->room = room;
    return true;
}

static sf_count_t write_bytes(const void *from, sf_count_t n, void *user)
{
    agni_virtual_file *f = user;
    int64_t end = f->at + n;
    if (f->in || f->failed || n < 0 || end < 0)
        return 0;
    if (f->on_disk) {
        n = write_disk(f, from, n);
        end = f->at + n;
    } else {
        f->failed = end > f->room && !grow_memory(f, end);
        if (f->failed)
            return 0;
        if (f->at > f->size)
            memset(f->bytes + f->size, 0, (size_t)(f->at - f->size));
        if (n)
            memcpy(f->bytes + f->at, from, (size_t)n);
    }
    f->at = end;
    f->size = end > f->size ? end : f->size;
    return n;
}

void agni_virtual_patch(agni_virtual_file *f, int64_t at, const void *p, size_t n)
{
    f->at = at;
    write_bytes(p, (sf_count_t)n, f);
}

agn_status agni_virtual_fail(const agni_virtual_file *f, const char *op)
{
    if (!f->on_disk)
        return agni_nomem(op, (size_t)f->size);
    return agni_fail(AGN_EIO, "%s: byte %lld cannot be written: %s", op, (long long)f->at,
                     strerror(f->error));
}

static agni_mutex lock = AGNI_MUTEX_INIT;

SNDFILE *agni_virtual_open(agni_virtual_file *f, const char *op, int mode, SF_INFO *info,
                           agn_status *st)
{
    static SF_VIRTUAL_IO io = {get_size, seek_byte, read_bytes, write_bytes, tell_byte};
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
        *st = agni_virtual_fail(f, op);
    else if (mode == SFM_READ)
        *st = agni_fail(AGN_EFORMAT, "%s: %s is no sound: %s", op, f->in->file, why);
    else
        *st = agni_fail(AGN_EARG, "%s: format 0x%x does not take %d channels at a rate of %d: %s",
                        op, (unsigned)info->format, info->channels, info->samplerate, why);
    return NULL;
}

/* ---- formats
   ------------------------------------------------------------------------------------- */

/* Numbers for what older versions of libsndfile do not name; there the format is refused. */
static const int containers[] = {
    [AGN_SOUND_WAV] = SF_FORMAT_WAV,     [AGN_SOUND_FLAC] = SF_FORMAT_FLAC,
    [AGN_SOUND_OGG] = SF_FORMAT_OGG,     [AGN_SOUND_AIFF] = SF_FORMAT_AIFF,
    [AGN_SOUND_CAF] = SF_FORMAT_CAF,     [AGN_SOUND_AU] = SF_FORMAT_AU,
    [AGN_SOUND_W64] = SF_FORMAT_W64,     [AGN_SOUND_RF64] = SF_FORMAT_RF64,
    [AGN_SOUND_NIST] = SF_FORMAT_NIST,   [AGN_SOUND_MP3] = 0x230000,
    [AGN_SOUND_WAVEX] = SF_FORMAT_WAVEX, [AGN_SOUND_RAW] = SF_FORMAT_RAW,
    [AGN_SOUND_PAF] = SF_FORMAT_PAF,     [AGN_SOUND_SVX] = SF_FORMAT_SVX,
    [AGN_SOUND_VOC] = SF_FORMAT_VOC,     [AGN_SOUND_IRCAM] = SF_FORMAT_IRCAM,
    [AGN_SOUND_MAT4] = SF_FORMAT_MAT4,   [AGN_SOUND_MAT5] = SF_FORMAT_MAT5,
    [AGN_SOUND_PVF] = SF_FORMAT_PVF,     [AGN_SOUND_XI] = SF_FORMAT_XI,
    [AGN_SOUND_HTK] = SF_FORMAT_HTK,     [AGN_SOUND_SDS] = SF_FORMAT_SDS,
    [AGN_SOUND_AVR] = SF_FORMAT_AVR,     [AGN_SOUND_WVE] = SF_FORMAT_WVE,
    [AGN_SOUND_MPC2K] = SF_FORMAT_MPC2K};

static const struct {
    int format, bits; /* 0: with loss */
} encodings[] = {[AGN_SOUND_PCM16] = {SF_FORMAT_PCM_16, 16},
                 [AGN_SOUND_PCM8] = {SF_FORMAT_PCM_S8, 8},
                 [AGN_SOUND_PCM24] = {SF_FORMAT_PCM_24, 24},
                 [AGN_SOUND_PCM32] = {SF_FORMAT_PCM_32, 32},
                 [AGN_SOUND_F32] = {SF_FORMAT_FLOAT, 32},
                 [AGN_SOUND_F64] = {SF_FORMAT_DOUBLE, 64},
                 [AGN_SOUND_MU_LAW] = {SF_FORMAT_ULAW, 8},
                 [AGN_SOUND_A_LAW] = {SF_FORMAT_ALAW, 8},
                 [AGN_SOUND_VORBIS] = {SF_FORMAT_VORBIS, 0},
                 [AGN_SOUND_OPUS] = {0x0064, 0},  /* since libsndfile 1.0.29 */
                 [AGN_SOUND_MPEG3] = {0x0082, 0}, /* since 1.1, as layers I and II */
                 [AGN_SOUND_MPEG2] = {0x0081, 0},
                 [AGN_SOUND_MPEG1] = {0x0080, 0},
                 [AGN_SOUND_ALAC16] = {0x0070, 16},
                 [AGN_SOUND_ALAC20] = {0x0071, 20},
                 [AGN_SOUND_ALAC24] = {0x0072, 24},
                 [AGN_SOUND_ALAC32] = {0x0073, 32},
                 [AGN_SOUND_DWVW12] = {SF_FORMAT_DWVW_12, 12},
                 [AGN_SOUND_DWVW16] = {SF_FORMAT_DWVW_16, 16},
                 [AGN_SOUND_DWVW24] = {SF_FORMAT_DWVW_24, 24},
                 [AGN_SOUND_DPCM8] = {SF_FORMAT_DPCM_8, 8},
                 [AGN_SOUND_DPCM16] = {SF_FORMAT_DPCM_16, 16},
                 [AGN_SOUND_IMA_ADPCM] = {SF_FORMAT_IMA_ADPCM, 0},
                 [AGN_SOUND_MS_ADPCM] = {SF_FORMAT_MS_ADPCM, 0},
                 [AGN_SOUND_VOX_ADPCM] = {SF_FORMAT_VOX_ADPCM, 0},
                 [AGN_SOUND_NMS_ADPCM16] = {0x0022, 0}, /* since 1.1 */
                 [AGN_SOUND_NMS_ADPCM24] = {0x0023, 0},
                 [AGN_SOUND_NMS_ADPCM32] = {0x0024, 0},
                 [AGN_SOUND_G721_32] = {SF_FORMAT_G721_32, 0},
                 [AGN_SOUND_G723_24] = {SF_FORMAT_G723_24, 0},
                 [AGN_SOUND_G723_40] = {SF_FORMAT_G723_40, 0},
                 [AGN_SOUND_GSM610] = {SF_FORMAT_GSM610, 0}};

int agni_sound_format(int32_t container, int32_t encoding, int32_t order)
{
    int format = encodings[encoding].format;
    bool unsigned_bytes = container == AGN_SOUND_WAV || container == AGN_SOUND_WAVEX ||
                          container == AGN_SOUND_W64 || container == AGN_SOUND_RF64 ||
                          container == AGN_SOUND_VOC || container == AGN_SOUND_MAT5;
    if (encoding == AGN_SOUND_PCM8 && unsigned_bytes)
        format = SF_FORMAT_PCM_U8;
    static const int orders[] = {SF_ENDIAN_FILE, SF_ENDIAN_LITTLE, SF_ENDIAN_BIG};
    return containers[container] | format | orders[order];
}

SF_INFO agni_sound_raw(const agn_sound_load_options *a)
{
    SF_INFO info = {0};
    if (a->raw_channels) {
        info.channels = a->raw_channels;
        info.samplerate = a->raw_rate;
        info.format = agni_sound_format(AGN_SOUND_RAW, a->raw_encoding, a->raw_order);
    }
    return info;
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
        if (containers[k] == type)
            facts->container = k;
    for (int k = 0; k < AGN_SOUND_UNKNOWN; k++)
        if (encodings[k].format == sub || (k == AGN_SOUND_PCM8 && sub == SF_FORMAT_PCM_U8)) {
            facts->encoding = k;
            facts->bits = encodings[k].bits;
        }
}
