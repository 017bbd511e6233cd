/* tests/fuzz/sound-au.c - any bytes as AU */
#include "tests/fuzz/sound.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    return fuzz_sound(data, n, ".snd");
}
