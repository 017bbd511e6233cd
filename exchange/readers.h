/* exchange/readers.h - what each reader is to any input, a file or not. */
#ifndef AGNI_READERS_H
#define AGNI_READERS_H

#include "exchange/file.h"

agn_status agni_npz_read(agn_dict **out, const agni_input *in);
agn_status agni_safetensors_read(agn_dict **out, const agni_input *in);

#endif
