/* exchange/dlpack.h - the structures of DLPack 1, written from its specification
   (DLPack C API: dmlc.github.io/dlpack/latest/c_api.html): layout and names are the standard's,
   so any other header of it may stand in its place. */
#ifndef AGNI_DLPACK_H
#define AGNI_DLPACK_H

#include <stdint.h>

enum { DLPACK_MAJOR = 1, DLPACK_MINOR = 0 };

/* kinds of devices that matter here; more exist */
enum {
    DLPACK_CPU = 1,
    DLPACK_CUDA = 2,
    DLPACK_CUDA_HOST = 3, /* pinned memory of the host */
    DLPACK_EXTENSION = 12
};

/* kinds of elements */
enum {
    DLPACK_INT = 0,
    DLPACK_UINT = 1,
    DLPACK_FLOAT = 2,
    DLPACK_BFLOAT = 4,
    DLPACK_COMPLEX = 5,
    DLPACK_BOOL = 6
};

enum { DLPACK_READ_ONLY = 1, DLPACK_IS_COPIED = 2 };

typedef struct DLPackVersion {
    uint32_t major, minor;
} DLPackVersion;

typedef struct DLDevice {
    int32_t device_type, device_id;
} DLDevice;

typedef struct DLDataType {
    uint8_t code, bits;
    uint16_t lanes;
} DLDataType;

typedef struct DLTensor {
    void *data;
    DLDevice device;
    int32_t ndim;
    DLDataType dtype;
    int64_t *shape;
    int64_t *strides; /* in elements; NULL: row-major */
    uint64_t byte_offset;
} DLTensor;

typedef struct DLManagedTensor {
    DLTensor dl_tensor;
    void *manager_ctx;
    void (*deleter)(struct DLManagedTensor *self);
} DLManagedTensor;

typedef struct DLManagedTensorVersioned {
    DLPackVersion version;
    void *manager_ctx;
    void (*deleter)(struct DLManagedTensorVersioned *self);
    uint64_t flags;
    DLTensor dl_tensor;
} DLManagedTensorVersioned;

#endif
