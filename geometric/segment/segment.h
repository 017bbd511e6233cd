/* geometric/segment/segment.h - rows and the segment that each belongs to. */
#ifndef AGNI_GRAPH_SEGMENT_H
#define AGNI_GRAPH_SEGMENT_H

#include "geometric/message/message.h"

#include <agnesi/geometric_segment.h>

/* A graph whose edge k, the row k of x, ends at node ids[k]; as many nodes as segments, or as ids
   name where that is 0 or less. The scope keeps it; NULL after a failure. */
const agn_graph *agni_segment_graph(agn_scope *s, const char *op, const agn_tensor *x,
                                    const agn_tensor *ids, int64_t segments);

#endif
