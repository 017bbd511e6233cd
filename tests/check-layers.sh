#! /bin/sh
# Dependencies run one way (tests/ladder): no file includes a header of a room above its own, and no
# object uses a function that is defined in one.
. "$top_srcdir/tests/tap.sh"

# rank[room] from the ladder; room_of(path): the nearest folder that stands in it
cat >"$scratch/ladder.awk" <<'END'
function read_ladder(file,    line) {
    while ((getline line < file) > 0)
        if (line !~ /^#/ && line != "") { rank[line] = ++rooms; module[line] = line; sub(/\/.*/, "", module[line])
            if (!(module[line] in first)) first[module[line]] = rooms
            last[module[line]] = rooms }
    close(file)
}
function room_of(path) {
    while (sub(/\/[^\/]*$/, "", path))
        if (path in rank) return path
    return ""
}
END

cat >"$scratch/includes.awk" <<'END'
BEGIN {
    read_ladder(ladder)
    # the module of a public header is the one whose local.mk installs it
    list = "cd " top " && grep -H -o 'agninclude_HEADERS += include/agnesi/[a-z_]*' */local.mk"
    while ((list | getline line) > 0) {
        m = line; sub(/\/.*/, "", m); sub(/.*\//, "", line); header[line] = m
    }
    header["ag"] = "tensor" # generated from all of them, for whoever stands above tensors
}
FNR == 1 {
    public = FILENAME ~ /^include\/agnesi\//
    folder = FILENAME
    if (public) { sub(/^include\/agnesi\//, "", folder); sub(/\.h$/, "", folder); folder = header[folder] }
    else sub(/\/.*/, "", folder)
    room = room_of(FILENAME)
    known = public || room != ""
}
!known { next } # programs stand above all rooms
/^[ \t]*#[ \t]*include[ \t]*["<]/ && FILENAME !~ /^include\/agnesi\/(agnesi|ag)\.h$/ {
    path = $0; sub(/^[^"<]*["<]/, "", path); sub(/[">].*/, "", path)
    n = split(path, part, "/")
    if (n < 2) next # beside the file, of the system, or config.h
    if (part[1] == "agnesi") {
        sub(/\.h$/, "", part[2])
        to = header[part[2]]
        if (to == "") print where() "no module is known for <" path ">; no local.mk installs it"
        else if (folder == "") print where() "no module is known for this header; no local.mk installs it"
        else if (first[to] > last[folder]) print where() folder " includes " path ", which is above it"
        next
    }
    if (path == "registry/op_declarations.h") next # declares the rows, which all may name
    to = room_of(path)
    if (to != "" && rank[to] > rank[room]) print where() room " includes " path ", which is above it"
}
function where() { return FILENAME ":" FNR ": " }
END
upwards() (
    cd "$top_srcdir" && find [a-z]* \( -name 'build*' -o -name 'sub-*' -o -name 'agnesi-[0-9]*' \) -prune -o -type f \
        \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' -o -name '*.def' \) -print |
        xargs $AWK -v top="$top_srcdir" -v ladder="$top_srcdir/tests/ladder" -f "$scratch/ladder.awk" \
            -f "$scratch/includes.awk"
)
silent "no include points upwards" upwards

# Rows of the op table and tables that registry/ fills are read from anywhere.
cat >"$scratch/symbols.awk" <<'END'
BEGIN { read_ladder(ladder) }
/^.*\.o:$/ { file = $0; sub(/:$/, "", file); sub(/^\.\//, "", file); sub(/\.libs\//, "", file); room = room_of(file); next }
room == "" || $1 ~ /^(agni_op_|agni_ops$|agni_n_ops$|agni_sparse$|agni_solvers$|agni_loop_forms$|agni_host_rows$|agni_n_host_rows$|agni_simd_kernels_(base|avx2|avx512)$)/ { next }
$2 ~ /^[TDBRVW]$/ { where[$1] = room }
$2 == "U" && $1 ~ /^agn/ { used[room " " $1] = file }
END {
    for (u in used) {
        split(u, part, " ")
        to = where[part[2]]
        if (to != "" && rank[to] > rank[part[1]])
            print used[u] " uses " part[2] " of " to ", which is above " part[1]
    }
}
END
calls() (
    cd "$top_builddir" && find $(sed '/^#/d; s|/.*||' "$top_srcdir/tests/ladder" | sort -u) -path '*/.libs/*.o' \
        ! -name '*avx*' | while read -r object; do # without those of files that are gone
        source=$(echo "$object" | sed 's|\.libs/||; s|liblevel_base_la-||; s|\.o$|.c|')
        test -e "$top_srcdir/$source" && echo "$object"
    done | xargs $NM -A -P 2>/dev/null |
        sed 's/^\([^:]*\.o\): \(.*\)/\1:\n\2/' |
        $AWK -v ladder="$top_srcdir/tests/ladder" -f "$scratch/ladder.awk" -f "$scratch/symbols.awk" | sort
)
if test -n "$(find "$top_builddir/core" -path '*/.libs/*.o' 2>/dev/null | head -1)"; then
    silent "no function of a room above is called" calls
else
    skip "no objects of a shared library to look at"
fi
finish
