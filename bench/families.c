/* bench/families.c - the functions that special-families.h has families of, and how long these are. */
#include "bench/special-families.h"

#include <string.h>

#define ROW(name, length) {#name, family_##name, length},
static const family families[] = {
    FAMILIES(ROW)
    {"kelvin_ker", NULL, 0}, {"kelvin_kei", NULL, 0}, {"debye", NULL, 0}, {"transport", NULL, 0},
};

const family *agni_find_family(const char *name)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (!strcmp(families[i].name, name))
            return &families[i];
    return NULL;
}
