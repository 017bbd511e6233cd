/* The version at run time is the version of the header and of the build. */
#include "tests/tap.h"
#include <agnesi/agnesi.h>

#include "config.h"

int main(void)
{
    is_str(agn_version(), PACKAGE_VERSION, "agn_version is the version of the build");
    is_int(agn_abi(), AGN_ABI, "agn_abi is that of the header");
    return done();
}
