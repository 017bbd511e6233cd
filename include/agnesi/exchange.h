/**
 * agnesi/exchange.h - files and other libraries
 *
 * Part of Agnesi. SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A reader trusts no length: it allocates no more than the size of the file can account for.
 * A writer makes a temporary file in the same folder, makes it durable (see agn_file_sync_set) and
 * renames it: a failed write leaves the old file as it was. Messages name the file. Nothing read
 * from a file is ever executed.
 */
#ifndef AGNESI_EXCHANGE_H
#define AGNESI_EXCHANGE_H

#include <agnesi/sparse.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * agn_file_sync_set - are files on the disk before they take their name?
 *
 * For all writers of this process. Off, a write returns when the system has the bytes: a process
 * that ends, or is killed, loses nothing; a loss of power may leave an empty or partial file in
 * place of the old one. That is what other libraries do, and what scratch files need.
 *
 * @param on  true, as it is in the beginning: fsync
 */
AGN_API void agn_file_sync_set(bool on);

/**
 * agn_file_sync - what agn_file_sync_set said last
 *
 * @return  true: files are synced
 */
AGN_API bool agn_file_sync(void);

/* ---- .npy: one array of NumPy ------------------------------------------------------ */

/**
 * agn_npy_save - write a .npy file
 *
 * bf16, which NumPy lacks, is written as ml_dtypes writes it: 2-byte voids.
 *
 * @param path  file
 * @param x     any dtype, strides and device
 * @errors      AGN_ENULL, AGN_EUNSUPPORTED (sparse), AGN_ESYMBOLIC, AGN_ESTALE, AGN_EIO,
 *              AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_npy_save(const char *path, const agn_tensor *x);

/**
 * agn_npy_load - read a .npy file
 *
 * @param out   out; row-major, also from Fortran-order or big-endian files
 * @param path  file, versions 1.0 to 3.0
 * @errors      AGN_ENULL, AGN_EIO (cannot be read), AGN_EFORMAT (damaged, shorter than it says,
 *              or a dtype we lack), AGN_ENOMEM
 * @grad        none: a constant
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_npy_load(agn_tensor **out, const char *path);

/* ---- named tensors ----------------------------------------------------------------- */

/** Tensors by name, and notes (text by key), in the order in which they were put. What holds
    several arrays in one file: nested names are paths such as "layers/0/weight". One thread at
    a time may change it. */
typedef struct agn_dict agn_dict;

/**
 * agn_dict_new - an empty dictionary
 *
 * @param out  out
 * @errors     AGN_ENULL, AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_dict_new(agn_dict **out);

/**
 * agn_dict_release - drop a dictionary and its references
 *
 * @param d  NULL is allowed
 */
AGN_API void agn_dict_release(agn_dict *d);

/**
 * agn_dict_put - a tensor under a name
 *
 * @param d     dictionary
 * @param name  any text, copied; a tensor of this name is replaced in its place
 * @param x     shared, not copied
 * @errors      AGN_ENULL, AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_dict_put(agn_dict *d, const char *name,
                                               const agn_tensor *x);

/**
 * agn_dict_get - the tensor of a name
 *
 * @param out   out, shared
 * @param d     dictionary
 * @param name  one of its names
 * @errors      AGN_ENULL, AGN_EARG (no such name)
 * @grad        everywhere: the tensor itself
 * @cost        O(1)
 */
AGN_API AGN_MUST_CHECK agn_status agn_dict_get(agn_tensor **out, const agn_dict *d,
                                               const char *name);

/**
 * agn_dict_count - number of tensors
 *
 * @param d  dictionary
 * @return   -1 for NULL
 */
AGN_API int32_t agn_dict_count(const agn_dict *d);

/**
 * agn_dict_name - name of a tensor
 *
 * @param d  dictionary
 * @param i  0 to agn_dict_count(d) - 1
 * @return   valid until d changes; NULL for a bad i
 */
AGN_API const char *agn_dict_name(const agn_dict *d, int32_t i);

/**
 * agn_dict_note_put - a text under a key
 *
 * @param d     dictionary
 * @param key   any text, copied; a note of this key is replaced
 * @param text  copied
 * @errors      AGN_ENULL, AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_dict_note_put(agn_dict *d, const char *key,
                                                    const char *text);

/**
 * agn_dict_note - the text of a key
 *
 * @param d    dictionary
 * @param key  any
 * @return     valid until d changes; NULL where there is none
 */
AGN_API const char *agn_dict_note(const agn_dict *d, const char *key);

/**
 * agn_dict_note_count - number of notes
 *
 * @param d  dictionary
 * @return   -1 for NULL
 */
AGN_API int32_t agn_dict_note_count(const agn_dict *d);

/**
 * agn_dict_note_key - key of a note
 *
 * @param d  dictionary
 * @param i  0 to agn_dict_note_count(d) - 1
 * @return   valid until d changes; NULL for a bad i
 */
AGN_API const char *agn_dict_note_key(const agn_dict *d, int32_t i);

/* ---- .npz: several arrays of NumPy ------------------------------------------------- */

/**
 * agn_npz_save - write named tensors as a .npz file
 *
 * A ZIP archive of .npy files, as numpy.savez and savez_compressed make it.
 *
 * @param path      file
 * @param d         tensors of any dtype, strides and device; notes have no place in the format
 * @param compress  deflate the arrays
 * @errors          AGN_ENULL, AGN_EUNSUPPORTED (a sparse tensor, notes; compress in a build
 *                  without zlib), AGN_EARG (a name longer than 65531 bytes), AGN_ESYMBOLIC,
 *                  AGN_ESTALE, AGN_EIO, AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_npz_save(const char *path, const agn_dict *d,
                                               bool compress);

/**
 * agn_npz_save_sparse - write a sparse tensor as SciPy's save_npz does
 *
 * @param path      file
 * @param a         AGN_CSR, AGN_CSC or AGN_COO without dense axes or a batch; any dtype;
 *                  entries that meet are summed
 * @param compress  deflate the arrays
 * @errors          AGN_ENULL, AGN_EUNSUPPORTED (dense, dense axes, a batch; compress in a
 *                  build without zlib), AGN_ESYMBOLIC, AGN_ESTALE, AGN_EIO, AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_npz_save_sparse(const char *path, const agn_tensor *a,
                                                      bool compress);

/**
 * agn_npz_load_sparse - read a sparse tensor that SciPy's save_npz wrote
 *
 * @param out   out, AGN_CSR, AGN_CSC or AGN_COO as the file says
 * @param path  file
 * @errors      AGN_ENULL, AGN_EIO, AGN_EFORMAT (anything else than csr, csc or coo, or parts that
 *              make no tensor: names the entry), AGN_ENOMEM
 * @grad        none: a constant
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_npz_load_sparse(agn_tensor **out, const char *path);

/**
 * agn_npz_load - read a .npz file
 *
 * Members that are no arrays are ignored, and arrays of what no tensor holds, such as text or
 * records: for these there is a note under the name that says what NumPy calls their elements
 * ("<U5"). Checksums are verified, theirs too.
 *
 * @param out   out, names without ".npy"
 * @param path  file
 * @errors      AGN_ENULL, AGN_EIO, AGN_EFORMAT (damaged, encrypted, a name twice, a method other
 *              than stored or deflated, any other array that agn_npy_load would refuse),
 *              AGN_EUNSUPPORTED (deflated, in a build without zlib), AGN_ENOMEM
 * @cost        O(n); memory at most 1032 times the size of the file, the most deflate can give
 */
AGN_API AGN_MUST_CHECK agn_status agn_npz_load(agn_dict **out, const char *path);

/**
 * agn_npz_load_member - read one array of a .npz file
 *
 * What else the file holds is not read.
 *
 * @param out   out
 * @param path  file
 * @param name  without ".npy"
 * @errors      AGN_ENULL, AGN_EIO, AGN_EARG (there is none of this name), AGN_EFORMAT (damaged,
 *              encrypted, a name twice, a method other than stored or deflated, an array that
 *              agn_npy_load would refuse), AGN_EUNSUPPORTED (deflated, in a build without zlib),
 *              AGN_ENOMEM
 * @grad        none: a constant
 * @cost        O(n) of that array
 */
AGN_API AGN_MUST_CHECK agn_status agn_npz_load_member(agn_tensor **out, const char *path,
                                                      const char *name);

/* ---- safetensors ------------------------------------------------------------------- */

/**
 * agn_safetensors_save - write named tensors and notes as a safetensors file
 *
 * Notes are its metadata. Byte for byte what the Python package writes.
 *
 * @param path  file
 * @param d     tensors of any dtype but c128, strides and device; names and notes in UTF-8
 * @errors      AGN_ENULL, AGN_EUNSUPPORTED (c128, a sparse tensor), AGN_EARG (a name that is no
 *              UTF-8 or "__metadata__"), AGN_ESYMBOLIC, AGN_ESTALE, AGN_EIO, AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_safetensors_save(const char *path, const agn_dict *d);

/**
 * agn_safetensors_load - read a safetensors file
 *
 * Strict: every byte of the data belongs to one tensor, in order and without gaps; no key is
 * twice; sizes, dtypes and shapes agree.
 *
 * @param out   out, in the order of their data; metadata as notes
 * @param path  file
 * @errors      AGN_ENULL, AGN_EIO, AGN_EFORMAT (anything else than the above, or a dtype we
 *              lack), AGN_ENOMEM
 * @cost        O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_safetensors_load(agn_dict **out, const char *path);

/* ---- Matrix Market ----------------------------------------------------------------- */

/** Symmetries of Matrix Market files, which then hold one triangle. */
enum {
    AGN_MTX_GENERAL,
    AGN_MTX_SYMMETRIC,
    AGN_MTX_SKEW,     /* a[j, i] = -a[i, j], zeros on the diagonal */
    AGN_MTX_HERMITIAN /* complex */
};

/**
 * agn_mtx_load - read a Matrix Market file
 *
 * Both triangles are filled where the file has one.
 *
 * @param out   out, [rows, cols]: dense f64, i64 or c128 from a file in array format; AGN_CSR f64
 *              or c128 from one in coordinate format, where integers become f64 and the entries
 *              of a pattern 1
 * @param path  file
 * @errors      AGN_ENULL, AGN_EIO, AGN_EFORMAT (damaged: names the line; an entry twice; an
 *              integer beyond 2^53, or rows and columns far beyond what the file can fill, in
 *              coordinate format: agn_mtx_load_entries takes both), AGN_ENOMEM
 * @grad        none: a constant
 * @cost        O(n); for coordinates O(entries + rows + cols)
 * @ref         Boisvert, Pozo & Remington 1996
 */
AGN_API AGN_MUST_CHECK agn_status agn_mtx_load(agn_tensor **out, const char *path);

/**
 * agn_harwell_boeing_load - read a Harwell-Boeing or Rutherford-Boeing file
 *
 * Both triangles are filled where the file has one. Types RUA, RSA, PUA, CUA, RRA and all others of
 * assembled matrices: real, complex, integer or pattern; symmetric, unsymmetric, Hermitian, skew or
 * rectangular.
 *
 * @param out   out, [rows, cols]: AGN_CSR f64 or c128; integers become f64, the entries of a
 *              pattern 1
 * @param rhs   out, dense [rows, k]: the file's right-hand sides, of none k = 0; NULL to skip them
 * @param path  file
 * @errors      AGN_ENULL, AGN_EIO, AGN_EFORMAT (damaged: names the line and column; a matrix that
 *              is not assembled; an entry twice; right-hand sides as sparse columns; rows and
 *              columns far beyond what the file can fill), AGN_ENOMEM
 * @grad        none: a constant
 * @cost        O(entries + rows + cols)
 * @ref         Duff, Grimes & Lewis 1992, 1997
 */
AGN_API AGN_MUST_CHECK agn_status agn_harwell_boeing_load(agn_tensor **out, agn_tensor **rhs,
                                                          const char *path);

/**
 * agn_mtx_load_entries - read the entries of a Matrix Market file in coordinate format
 *
 * In the order of the file, each followed by its mirror image where the file has one triangle.
 *
 * @param rows    out, i64 [n], counted from 0
 * @param cols    out, i64 [n]
 * @param values  out, f64, i64, c128, or bool (all true) for a pattern, [n]
 * @param shape   out, 2 numbers: rows and columns; may be NULL
 * @param path    file
 * @errors        AGN_ENULL, AGN_EIO, AGN_EFORMAT (damaged, names the line; array format),
 *                AGN_ENOMEM
 * @grad          none: constants
 * @cost          O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_mtx_load_entries(agn_tensor **rows, agn_tensor **cols,
                                                       agn_tensor **values, int64_t *shape,
                                                       const char *path);

/**
 * agn_mtx_save - write a matrix as a Matrix Market file
 *
 * Numbers get as many digits as they need to be read back the same.
 *
 * @param path      file
 * @param x         [rows, cols] of any dtype: array format; AGN_CSR: coordinate format
 * @param symmetry  AGN_MTX_GENERAL, or one that x has exactly: then one triangle is written
 * @errors          AGN_ENULL, AGN_ESHAPE (not a matrix, not square), AGN_EARG (no such
 *                  symmetry), AGN_EDOMAIN (x does not have it: names an entry), AGN_ESYMBOLIC,
 *                  AGN_ESTALE, AGN_EIO, AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_mtx_save(const char *path, const agn_tensor *x,
                                               int32_t symmetry);

/**
 * agn_mtx_save_entries - write entries as a Matrix Market file in coordinate format
 *
 * @param path    file
 * @param rows    integer [n], counted from 0
 * @param cols    integer [n]
 * @param values  any dtype [n]; NULL: a pattern
 * @param shape   2 numbers: rows and columns
 * @param symmetry  AGN_MTX_GENERAL, or one whose lower triangle the entries are
 * @errors        AGN_ENULL, AGN_ESHAPE (lengths differ, a negative size, not square), AGN_EDTYPE
 *                (rows or cols), AGN_EINDEX (an entry outside: names it), AGN_EARG (no such
 *                symmetry), AGN_EDOMAIN (an entry outside the triangle: names it),
 *                AGN_EUNSUPPORTED (sparse), AGN_ESYMBOLIC, AGN_ESTALE, AGN_EIO, AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_mtx_save_entries(const char *path, const agn_tensor *rows,
                                                       const agn_tensor *cols,
                                                       const agn_tensor *values,
                                                       const int64_t *shape, int32_t symmetry);

/* ---- raw memory maps --------------------------------------------------------------- */

/** How a file is mapped. */
enum {
    AGN_MAP_READ,   /* writes through agn_data_mut are refused */
    AGN_MAP_WRITE,  /* writes go to the file */
    AGN_MAP_CREATE, /* as WRITE; the file is made, or made longer, where it must be */
    AGN_MAP_PRIVATE /* writes are kept from the file */
};

/**
 * agn_map_file - numbers in a file as a tensor, without reading them
 *
 * Pages come from the file when they are touched, so it may be larger than memory. The file is
 * unmapped with the last view of the tensor. Who makes the file shorter meanwhile makes reading
 * what was behind its new end fatal (SIGBUS): only map files that nobody does that to. Bools alone
 * are read: their bytes must be 0 and 1, and stay so; map others as u8 and compare them.
 *
 * @param out     out, row-major, the byte order of this machine
 * @param path    file
 * @param dtype   element type
 * @param ndim    0 to AGN_MAX_RANK
 * @param shape   ndim sizes
 * @param offset  byte of the first element, a multiple of its alignment
 * @param mode    AGN_MAP_READ, ...
 * @errors        AGN_ENULL, AGN_EDTYPE, AGN_ESHAPE, AGN_EARG (mode, offset), AGN_EIO (cannot be
 *                opened, mapped or made longer), AGN_EFORMAT (the file is too short, a bool is
 *                neither 0 nor 1), AGN_ENOMEM
 * @grad          none: a constant
 * @cost          O(1), of bools O(n)
 */
AGN_API AGN_MUST_CHECK agn_status agn_map_file(agn_tensor **out, const char *path,
                                               agn_dtype dtype, int32_t ndim,
                                               const int64_t *shape, int64_t offset,
                                               int32_t mode);

/**
 * agn_map_flush - wait until what was written to a mapped file is stored
 *
 * @param x  of agn_map_file, or a view of it
 * @errors   AGN_ENULL, AGN_EARG (not a map), AGN_EIO
 */
AGN_API AGN_MUST_CHECK agn_status agn_map_flush(const agn_tensor *x);

/* ---- DLPack: memory shared with NumPy, torch, jax and others ------------------------ */

/* The structures of the DLPack specification, version 1. Include any dlpack.h beside this
   header to look into them. */
struct DLManagedTensorVersioned;
struct DLManagedTensor;

/** What others may do with memory they are given. */
enum {
    AGN_SHARE_READ,  /* read */
    AGN_SHARE_WRITE, /* read and write; giving it counts as a write, as agn_data_mut does. Do not
                        let others write while a derivative still needs the values */
    AGN_SHARE_COPY   /* both, on a copy of their own, which is row-major */
};

/**
 * agn_dlpack_export - the memory of a tensor for another library
 *
 * Waits until the last op that writes it is done, so the memory may be used on any stream. It
 * stays alive until the deleter is called, which may happen on any thread, after x is gone,
 * and, like every deleter, once; on a device, after the other library's work on it is done.
 *
 * @param out   out; its deleter frees it
 * @param x     any dtype, strides and device with memory
 * @param share AGN_SHARE_READ, ...
 * @errors      AGN_ENULL, AGN_EARG (no such share; AGN_SHARE_WRITE of what is recorded or
 *              read-only), AGN_EUNSUPPORTED (sparse, a back end DLPack has no name for),
 *              AGN_ESYMBOLIC, AGN_ESTALE, AGN_EDEVICE, AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_dlpack_export(struct DLManagedTensorVersioned **out,
                                                    const agn_tensor *x, int32_t share);

/**
 * agn_dlpack_export_legacy - the same in the structure before version 1
 *
 * It cannot say that memory is not to be written.
 *
 * @param out   out; its deleter frees it
 * @param x     as for agn_dlpack_export
 * @param share AGN_SHARE_WRITE or AGN_SHARE_COPY
 * @errors      as for agn_dlpack_export; AGN_EUNSUPPORTED (AGN_SHARE_READ)
 */
AGN_API AGN_MUST_CHECK agn_status agn_dlpack_export_legacy(struct DLManagedTensor **out,
                                                           const agn_tensor *x, int32_t share);

/**
 * agn_dlpack_import - memory of another library as a tensor, without a copy
 *
 * On success the tensor owns m: the deleter is called when its last view is gone. On failure
 * m stays the caller's. The structure has no stream: the other library's work on the memory must
 * be done, or done for all streams, before the call. While the tensor lives, nobody may write
 * the memory.
 *
 * @param out  out; read-only where m says so; an element of several lanes becomes a last axis
 * @param m    version 1.x, on the CPU, in pinned host memory, or on a device of a loaded back end
 * @errors     AGN_ENULL (m, or data or shape within), AGN_EUNSUPPORTED (version, dtype, device),
 *             AGN_ESHAPE, AGN_EARG (misaligned, strides or offset beyond any memory, a read-only
 *             bool whose byte is neither 0 nor 1; one that may be written becomes 1), AGN_EDEVICE
 *             (also a structure of ours whose device was altered), AGN_ENOMEM
 * @grad       none: a constant
 * @cost       O(1); O(n) for bools, which are looked at
 */
AGN_API AGN_MUST_CHECK agn_status agn_dlpack_import(agn_tensor **out,
                                                    struct DLManagedTensorVersioned *m);

/**
 * agn_dlpack_import_legacy - the same from the structure before version 1
 *
 * @param out  out; writable
 * @param m    as for agn_dlpack_import
 * @errors     as for agn_dlpack_import
 * @grad       none: a constant
 * @cost       as for agn_dlpack_import
 */
AGN_API AGN_MUST_CHECK agn_status agn_dlpack_import_legacy(agn_tensor **out,
                                                           struct DLManagedTensor *m);

/* ---- functions ------------------------------------------------------------------------------ */

/**
 * agn_fn_save - write what a function computes as a file
 *
 * Traces f for the shapes and dtypes of its arguments and writes the program, with captured
 * tensors as constants. What is loaded is a function like any other: it can be
 * differentiated, mapped, and compiled, which plans it again for the machine it is on.
 * A function with derivatives in C (agn_fn_custom), solvers, hooks or packed values holds
 * functions of this process and cannot be saved.
 *
 * @param path  file
 * @param f     function, compiled or not
 * @param in    n_in arguments; of their values nothing is used
 * @param n_in  their number, that of f
 * @errors      AGN_ENULL, AGN_EARG (f has another number of arguments, or uses recorded tensors
 *              that are no arguments), AGN_ESYMBOLIC (the body reads a value), AGN_EUNSUPPORTED
 *              (functions of the host; a sparse constant), AGN_ESTALE, AGN_EIO, AGN_ENOMEM, and
 *              those of f
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_save(const char *path, const agn_fn *f,
                                              const agn_tensor *const *in, int32_t n_in);

/**
 * agn_fn_load - a function from a file
 *
 * Every node is checked by its op before the function exists. Calls take the dtypes and shapes
 * with which it was saved. Nothing bounds the work of a call: a file may hold a loop that never
 * ends, which the interrupt hook alone stops. Set one before a function from elsewhere is called.
 *
 * @param out   out
 * @param path  file of agn_fn_save
 * @errors      AGN_ENULL, AGN_EIO, AGN_EFORMAT (no such file, damaged, of a later version, an op
 *              that is not known, attributes or shapes an op refuses), AGN_ENOMEM; a call also
 *              AGN_ESHAPE, AGN_EDTYPE (not as saved)
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_load(agn_fn **out, const char *path);

/**
 * agn_fn_file_text - the program in a file, as text
 *
 * A line for each input, constant, node and result.
 *
 * @param buf   n bytes, always terminated; may be NULL where n is 0
 * @param n     size of buf
 * @param need  out, bytes the whole text needs with its end; may be NULL
 * @param path  file of agn_fn_save
 * @errors      AGN_ENULL, AGN_EIO, AGN_EFORMAT, AGN_ENOMEM
 */
AGN_API AGN_MUST_CHECK agn_status agn_fn_file_text(char *buf, size_t n, size_t *need,
                                                   const char *path);

/* ---- plans ------------------------------------------------------------------------------- */

/**
 * agn_plan_trace_save - when the steps of a compiled function ran, as a file for trace viewers
 *
 * The Trace Event Format (JSON) of the catapult project: a row for the steps, one for each thread
 * with the chunks of regions it took. One call before them, to warm up, is not shown.
 *
 * @param path   file
 * @param f      compiled function
 * @param in     its arguments: dense values on the CPU, not recorded
 * @param n_in   their number, that of f
 * @param calls  that are shown, at least 1
 * @errors       AGN_ENULL, AGN_EARG (not compiled, arguments that no plan takes, their number,
 *               calls), AGN_EIO, AGN_ENOMEM, and those of a call
 */
AGN_API AGN_MUST_CHECK agn_status agn_plan_trace_save(const char *path, const agn_fn *f,
                                                      const agn_tensor *const *in,
                                                      int32_t n_in, int32_t calls);

#ifdef __cplusplus
}
#endif
#endif
