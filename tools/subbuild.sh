#! /bin/sh
# subbuild.sh SRCDIR FOLDER OPTION... - configure a second build below this one, unless it is there
src=$(cd "$1" && pwd) dir=$2
shift 2
test -e "$dir/Makefile" && exit 0
mkdir -p "$dir" && cd "$dir" || exit 1
"$src/configure" "$@" >configure.out 2>&1 || {
    cat configure.out
    exit 1
}
