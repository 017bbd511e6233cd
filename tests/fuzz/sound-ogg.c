/* tests/fuzz/sound-ogg.c - any bytes as Ogg: Vorbis and Opus */
#include "tests/fuzz/sound.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    return fuzz_sound(data, n, "OggS");
}
