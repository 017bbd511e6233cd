/* tests/fuzz/sound-aiff.c - any bytes as AIFF and its kin in chunks */
#include "tests/fuzz/sound.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    return fuzz_sound(data, n, "FORM");
}
