/* tests/fuzz/reader.h - what every reader owes to any bytes: a result or a clean error, nothing
   leaks, and no allocation that the size of the input cannot account for. */
#ifndef AGN_FUZZ_READER_H
#define AGN_FUZZ_READER_H

#include "exchange/file/file.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* reads, and gives what it read back as one tensor or none; aborts where that is wrong */
typedef agn_status fuzz_read(const agni_input *in);

/* a result may cost fixed bytes and so many per byte of the input */
static void fuzz_one(const uint8_t *data, size_t n, fuzz_read *read, int64_t fixed,
                     int64_t times)
{
    int64_t before, after, peak;
    agni_input in;
    agni_input_memory(&in, "load", data, n);
    agn_memory_live(&before, NULL, NULL);
    agn_memory_reset_peak();
    agn_status st = read(&in);
    agn_memory_live(&after, NULL, &peak);
    if ((st && st != AGN_EFORMAT) || after != before ||
        peak - before > fixed + times * (int64_t)n)
        abort();
}

/* every element is readable and has a text */
static inline void fuzz_touch(const agn_tensor *x)
{
    size_t need = 0;
    volatile unsigned char sum = 0;
    if (!agni_is_contiguous(x) || !x->st)
        abort();
    for (int64_t i = 0; i < x->size * agni_dtypes[x->dtype].bytes; i++)
        sum = (unsigned char)(sum + ((const unsigned char *)x->data)[i]);
    if (x->size <= 256 && agn_format(NULL, 0, &need, x))
        abort();
}

static inline void fuzz_touch_all(const agn_dict *d)
{
    for (int32_t i = 0; i < agn_dict_count(d); i++) {
        agn_tensor *x = NULL;
        if (!agn_dict_name(d, i) || agn_dict_get(&x, d, agn_dict_name(d, i)))
            abort();
        fuzz_touch(x);
        agn_release(x);
    }
    for (int32_t i = 0; i < agn_dict_note_count(d); i++)
        if (!agn_dict_note(d, agn_dict_note_key(d, i)))
            abort();
}

#endif
