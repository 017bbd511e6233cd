/* linalg/orthogonal/qr_change.h - which change of a matrix its QR factors follow. */
#ifndef AGNI_LINALG_QR_CHANGE_H
#define AGNI_LINALG_QR_CHANGE_H

enum {
    AGNI_QR_UPDATE,
    AGNI_QR_INSERT_ROWS,
    AGNI_QR_INSERT_COLUMNS,
    AGNI_QR_DELETE_ROWS,
    AGNI_QR_DELETE_COLUMNS
};

#endif
