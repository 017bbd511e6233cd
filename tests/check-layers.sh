#! /bin/sh
# Dependencies run one way (doc/design.rst): no file includes a header of a layer above its own.
. "$top_srcdir/tests/tap.sh"

cat >"$scratch/layers.awk" <<'END'
BEGIN {
    split("core tensor graph autograd,krylov linalg,sparse,fft " \
          "exchange,distribution,geometric,audio,nn,optim house", layer, " ")
    for (k = 1; k in layer; k++)
        for (i = split(layer[k], f, ","); i; i--) rank[f[i]] = k
    # public headers that do not bear the name of their folder
    split("backend:core control:autograd elementwise:tensor create:tensor shape:tensor rearrange:tensor " \
          "indexing:tensor reduce:tensor " \
          "scan:tensor order:tensor statistics:tensor calculus:tensor distance:tensor " \
          "product:tensor random:tensor print:tensor ag:tensor dtype:tensor " \
          "tape:autograd check:autograd implicit:autograd operator:autograd sparse_derivative:sparse " \
          "sparse_direct:sparse sparse_iterative:sparse eigen:krylov sparse_graph:sparse sparse_layout:sparse", pair, " ")
    for (i in pair) { split(pair[i], p, ":"); header[p[1]] = p[2] }
    for (folder in rank) header[folder] = folder
}
FNR == 1 {
    folder = FILENAME
    sub(/^include\/agnesi\//, "", folder)
    if (folder != FILENAME) { sub(/\.h$/, "", folder); folder = header[folder] }
    else sub(/\/.*/, "", folder)
    known = folder in rank || FILENAME ~ /^include\//
}
!known { next } # programs stand above all layers
/^[ \t]*#[ \t]*include[ \t]*["<]/ && FILENAME !~ /^include\/agnesi\/(agnesi|ag)\.h$/ {
    path = $0; sub(/^[^"<]*["<]/, "", path); sub(/[">].*/, "", path)
    n = split(path, part, "/")
    if (n < 2) next # beside the file, of the system, or config.h
    if (part[1] == "agnesi") {
        sub(/\.h$/, "", part[2])
        to = header[part[2]]
        if (to == "") { unknown("<" path ">"); next }
    } else to = part[1]
    if (!(to in rank)) next
    if (folder == "") unknown("this header")
    else if (rank[to] > rank[folder])
        print where() folder " includes " path ", which is above it"
}
function unknown(what)
{
    print where() "no layer is known for " what "; name it in tests/check-layers.sh"
}
function where() { return FILENAME ":" FNR ": " }
END

upwards() (
    cd "$top_srcdir" && find [a-z]* -name build -prune -o -type f \
        \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' -o -name '*.def' \) -print |
        xargs $AWK -f "$scratch/layers.awk"
)
silent "no include points upwards" upwards
finish
