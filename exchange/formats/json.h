/* exchange/formats/json.h - as much of JSON (RFC 8259) as the header of a safetensors file has:
   objects, lists, texts and sizes. */
#ifndef AGNI_JSON_H
#define AGNI_JSON_H

#include "exchange/file/file.h"

typedef struct agni_json {
    const char *op, *file, *text, *p, *end;
} agni_json;

/* AGN_EFORMAT: what stands here, and what is expected */
agn_status agni_json_expected(const agni_json *j, const char *what);
/* the next character that is no space, if it is c */
bool agni_json_take(agni_json *j, char c);
agn_status agni_json_need(agni_json *j, char c, const char *what);
/* A text as UTF-8 with its end, to be freed: no NUL within, no half of a pair. */
agn_status agni_json_text(agni_json *j, char **out);
agn_status agni_json_size(agni_json *j, int64_t *out);

bool agni_utf8(const char *s); /* is s well-formed? */
agn_status agni_json_put_text(agni_output *o, const char *s);

#endif
