/* core/version.c - version and ABI number of the library */
#include <agnesi/core.h>

#define TEXT(a) #a
#define VERSION_TEXT(a, b, c) TEXT(a) "." TEXT(b) "." TEXT(c)

const char *agn_version(void)
{
    return VERSION_TEXT(AGN_VERSION_MAJOR, AGN_VERSION_MINOR, AGN_VERSION_PATCH);
}

int32_t agn_abi(void)
{
    return AGN_ABI;
}
