/* geometric/pool/metis_absent.c - a build without METIS divides graphs by levels of its own. */
#include "geometric/pool/partition.h"

agn_status agni_metis_parts(int64_t *part, bool *found, const char *op, const agni_ties *t,
                            int64_t parts, int64_t most)
{
    (void)part, (void)op, (void)t, (void)parts, (void)most;
    *found = false;
    return AGN_OK;
}
