/* tensor/rows/row_numbers.h - the element-wise rows by number: their order in ops.def. */
#ifndef AGNI_ROW_NUMBERS_H
#define AGNI_ROW_NUMBERS_H

enum {
#define EW1(c, name, ...) AGNI_EW_##name,
#include "tensor/rows/ops_alike.h"
#include "tensor/rows/ops.def"
#include "tensor/rows/ops_end.h"
    AGNI_EW_where,
    AGNI_EW_COUNT
};

#endif
