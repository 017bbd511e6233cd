#! /bin/sh
# Dependencies run one way (doc/design.rst): no file includes a header of a layer above its own.
. "$top_srcdir/tests/tap.sh"

cat >"$scratch/layers.awk" <<'END'
BEGIN {
    split("core tensor graph autograd linalg,sparse,fft " \
          "exchange,distribution,geometric,audio,nn,optim house", layer, " ")
    for (k = 1; k in layer; k++)
        for (i = split(layer[k], f, ","); i; i--) rank[f[i]] = k
    # public headers that do not bear the name of their folder
    split("backend:core elementwise:tensor shape:tensor indexing:tensor reduce:tensor " \
          "scan:tensor order:tensor " \
