/* tests/fuzz/sound-mp3.c - any bytes as MPEG layers I to III */
#include "tests/fuzz/sound.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    return fuzz_sound(data, n, "");
}
