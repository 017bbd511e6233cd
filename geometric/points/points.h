/* geometric/points/points.h - points in space and the tree that finds the nearest of them. */
#ifndef AGNI_GRAPH_POINTS_H
#define AGNI_GRAPH_POINTS_H

#include "geometric/graph/graph.h"

/* n points of d finite coordinates, row-major; id: the cloud each belongs to, or NULL */
typedef struct agni_cloud {
    int64_t n, d;
    const double *x;
    const int64_t *id;
} agni_cloud;
/* read within s; false after a failure that names op and the point */
bool agni_read_cloud(agn_scope *s, const char *op, const char *what, const agn_tensor *x,
                     const agn_tensor *ids, agni_cloud *to);

/* Points so large or so small that squares of them have no number are multiplied by a power of 2:
   copies, kept by s. b: other points of the same space, or NULL. Returns which power: 0 for others,
   and after a failure. */
int agni_scale_clouds(agn_scope *s, const char *op, agni_cloud *a, agni_cloud *b);

/* A k-d tree (Bentley 1975): order[lo..hi) is a node whose middle element splits the rest along
   axis[middle]. */
typedef struct agni_kd_tree {
    const agni_cloud *of;
    int64_t *order;
    int32_t *axis;
} agni_kd_tree;
/* false without memory; order is room for the points of the tree, in any order at first */
void agni_kd_build(agni_kd_tree *t, int64_t lo, int64_t hi);

/* what was found, nearest first when it is full or sorted */
typedef struct agni_found {
    int64_t point;
    double square; /* of the distance */
} agni_found;
/* The nearest points to q: at most `most`, not farther than a square of `within`, not the point
   `skip`. */
typedef struct agni_search {
    const double *q;
    int64_t most, skip, n, room;
    double within;
    agni_found *found;
} agni_search;
/* false without memory; found[0..n) is in order at the end */
bool agni_kd_search(const agni_kd_tree *t, int64_t lo, int64_t hi, agni_search *s);

#endif
