#! /bin/sh
# Every file that sources, scripts and pages name by its folder exists, as do the files that a README
# lists of its own room; no directive of a page shows raw.
. "$top_srcdir/tests/tap.sh"

cd "$top_srcdir" || bail_out "no sources"
texts() {
    find .ci audio autograd bench bindings core distribution doc examples exchange fft geometric graph infer \
        include krylov linalg m4 nn optim registry sparse tensor tests tools ./*.md ./*.am ./*.ac quickstart \
        -type f \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' -o -name '*.def' -o -name '*.inc' \
        -o -name '*.rst' -o -name '*.md' -o -name '*.mk' -o -name '*.sh' -o -name '*.py' -o -name '*.awk' \
        -o -name '*.am' -o -name '*.ac' -o -name 'mutate.*' -o -name ladder -o -name run \
        -o -name quickstart \) ! -path './NEWS.md' ! -path 'bench/results/*' ! -path 'doc/api/*' ! -name '*.expected'
}
rooms='audio\|autograd\|bench\|bindings\|core\|distribution\|doc\|examples\|exchange\|fft\|geometric\|graph'
rooms="$rooms\|infer\|include\/agnesi\|krylov\|linalg\|m4\|nn\|optim\|registry\|sparse\|tensor\|tests\|tools"
ends='c\|h\|cu\|cuh\|def\|inc\|rst\|md\|mk\|sh\|py\|awk\|rows\|expected\|rules\|png'

# what the build makes, and words of other trees (tests' own fixtures, other projects)
made='tensor/ops_mutant.def include/agnesi/ag.h include/agnesi/into.h registry/into.c tests/into-calls.inc tests/cuda-calls.inc tests/linalg-calls.inc tests/linalg-errors.inc'
named() {
    texts | xargs grep -noH "\(^\|[^A-Za-z0-9_./\$-]\)\($rooms\)/[A-Za-z0-9_./-]*\.\($ends\)\>" |
        sed 's/^\([^:]*:[0-9]*\):[^A-Za-z]\{0,1\}/\1 /' | sort -u |
        while read -r where file; do
            case $where in tests/check-files.sh:* | tests/check-checks.sh:* | tests/data/add-op/*) continue ;; esac
            case " $made " in *" $file "*) continue ;; esac
            case $file in *[A-Z][A-Z]*.*) test -e "$file" || case $file in *README* | *NEWS* | *CONTRIBUTING*) ;; *) continue ;; esac ;; esac
            test -e "$file" || echo "$where names $file, which is not there"
        done
}
silent "every file that is named by its folder is there" named

listed() {
    find . -name README.md ! -path './build*' ! -path './sub-*' ! -path './.git/*' | while read -r page; do
        room=$(dirname "$page")
        test "$room" = . && continue
        # the first column of a table names files of the room
        sed -n 's/^| *\(`[^|]*\)|.*/\1/p' "$page" | grep -o '`[A-Za-z0-9_./-]*\.\('"$ends"'\)`' | tr -d '\`' |
            while read -r file; do
                test -e "$room/$file" || test -e "$room/cpu/$file" || test -e "$room/cuda/$file" ||
                    test -e "$file" || test -e "include/agnesi/$file" || test "$room/$file" = ./registry/into.c ||
                    echo "$page lists $file, which is not there"
            done
    done
}
silent "every file that a README lists is there" listed

raw() { grep -n '[^ ] *\.\. [a-z-]*::' doc/*.rst | grep -v '^[^:]*:[0-9]*: *\.\. \|``' || :; }
silent "no directive stands within a line" raw
finish
