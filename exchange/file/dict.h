/* exchange/file/dict.h - what readers and writers need of a dictionary beyond the public part. */
#ifndef AGNI_DICT_H
#define AGNI_DICT_H

#include "exchange/file/file.h"

bool agni_dict_has(const agn_dict *d, const char *name);
const agn_tensor *agni_dict_at(const agn_dict *d, int32_t i);
const char *agni_dict_note_at(const agn_dict *d, int32_t i);

#endif
