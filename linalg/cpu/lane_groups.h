/* linalg/cpu/lane_groups.h - batches of small matrices, a group of them in the lanes of vectors at
   a time. */
#ifndef AGNI_LANE_GROUPS_H
#define AGNI_LANE_GROUPS_H

#include "linalg/cpu/lanes/lanes.h"
#include "linalg/cpu/lapack_calls.h"

/* the kernels for matrices of order n in a batch of so many, or NULL: LAPACK does them one by one.
   It does not depend on the number of threads. lstsq of complex dtypes is NULL. */
const agni_vlanes *agni_lanes_for(int dtype, int64_t n, int64_t batch);

/* matrices [rows, cols] of x, one for each of the last axes of y (vectors [rows] if axes is 1) */
typedef struct agni_lane_source {
    const agn_array *x, *y;
    int64_t rows, cols, rs, cs;
    int64_t step; /* bytes from one to the next, 0 of one that all share, or -1 */
} agni_lane_source;
agni_lane_source agni_lanes_of(const agn_array *x, const agn_array *y, int64_t rows, int64_t cols);
/* to[i][j][lane]; lanes from count on repeat the last */
void agni_lanes_read(const agni_vlanes *v, const agni_lane_source *s, int64_t first, int64_t count,
                     void *to);
/* `numbers` of each lane to contiguous arrays, one behind the other */
void agni_lanes_write(const agni_vlanes *v, int dtype, const void *from, int64_t numbers,
                      int64_t count, void *to);

typedef struct agni_lane_vectors {
    const void *w, *u, *v; /* values; vectors in rows of m and of n numbers, or NULL */
    int64_t m, n, k;
    bool descending;
    bool conjugate_u; /* the columns are conjugates of u, else the rows those of v */
} agni_lane_vectors;
/* of lane l: values to `values`, in order; vectors to columns of cols [m, k] and rows of
   rows [k, n], their phases fixed */
void agni_lanes_sort(int dtype, const agni_lane_vectors *x, int lanes, int64_t l, void *values,
                     void *cols, void *rows);

/* Calls group(user, first, count, room) for all groups, each with `room` bytes (64-aligned), then
   one(user, i) in order for those of its matrices in the mask that it answers. The result as of
   agni_each_matrix, or AGNI_NO_ROOM. */
typedef uint32_t agni_lane_group(void *user, int64_t first, int64_t count, char *room);
int64_t agni_each_in_lanes(const agni_vlanes *v, int64_t batch, int64_t n, int64_t room,
                           agni_lane_group *group, agni_one_matrix *one, void *user, int64_t *at);
/* the same where one(user, i, its room) wants one_room bytes */
int64_t agni_each_in_lanes_or(const agni_vlanes *v, int64_t batch, int64_t n, int64_t room,
                              agni_lane_group *group, int64_t one_room, agni_one_with_room *one,
                              void *user, int64_t *at);

#endif
