/* tests/fuzz/sound-wav.c - any bytes as WAV, RIFX and RF64 */
#include "tests/fuzz/sound.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    return fuzz_sound(data, n, "R");
}
