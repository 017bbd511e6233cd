/* exchange/file/readers.h - what each reader is to any input, a file or not. */
#ifndef AGNI_READERS_H
#define AGNI_READERS_H

#include "exchange/file/file.h"

agn_status agni_npz_read(agn_dict **out, const agni_input *in);
/* the same; a member "format" of three letters goes to word[4] */
agn_status agni_npz_read_word(agn_dict **out, const agni_input *in, char *word);
/* with a member "format" of the three letters of word, unless it is NULL */
agn_status agni_npz_write(const char *op, const char *path, const agn_dict *d, bool compress,
                          const char *word);
agn_status agni_safetensors_read(agn_dict **out, const agni_input *in);

#endif
