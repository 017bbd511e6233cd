/* tests/fuzz/sound-flac.c - any bytes as FLAC */
#include "tests/fuzz/sound.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    return fuzz_sound(data, n, "fLaC");
}
