/* tests/fuzz/sound-caf.c - any bytes as CAF */
#include "tests/fuzz/sound.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    return fuzz_sound(data, n, "caff");
}
