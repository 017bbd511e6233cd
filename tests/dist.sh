#! /bin/sh
# dist.sh SRCDIR DISTDIR OPTION... - every tracked file is in the distribution; the library and one test
# build from it alone, with OPTIONs for configure; and the library installs to another prefix than
# configure's, where pkg-config finds it and a program runs
src=$1 dist=$2
shift 2
if (cd "$src" && git ls-files --error-unmatch configure.ac) >/dev/null 2>&1; then
    missing=$(cd "$src" && git ls-files | grep -v '^\.gitignore$' | while read -r file; do
        test -e "$file" && test ! -e "$dist/$file" && echo "$file"
    done)
    if test -n "$missing"; then
        printf 'These files are tracked, and in no list of the distribution:\n%s\n' "$missing" >&2
        exit 1
    fi
else
    echo "check-dist: these sources are no checkout: the list of files is not compared" >&2
fi
mkdir "$dist/build" && cd "$dist/build" || exit 1
# what builds from which file does not depend on optimisation
{ ../configure --with-cuda=no --disable-levels CFLAGS=-O0 "$@" &&
    make -j"$(getconf _NPROCESSORS_ONLN || echo 2)" AGN_LEVEL_OPT=-O1 libagnesi.la &&
    make tests/t-core && tests/t-core; } >log 2>&1 || {
    tail -30 log >&2
    echo "the library does not build from its distribution, or its test fails" >&2
    exit 1
}

# the program links what agnesi.pc names, and computes
install_elsewhere() {
    to=$PWD/elsewhere
    make prefix="$to" install-libLTLIBRARIES install-agnincludeHEADERS \
        install-nodist_agnincludeHEADERS install-pkgconfigDATA install-data-hook &&
        flags=$(PKG_CONFIG_PATH=$to/lib/pkgconfig pkg-config --cflags --libs agnesi) &&
        case $flags in *"-I$to/include"*"-L$to/lib"*) ;; *) echo "agnesi.pc says $flags"; false ;; esac &&
        ${CC:-cc} -o derivatives ../examples/derivatives.c $flags -lm -Wl,-rpath,"$to/lib" &&
        ./derivatives >derivatives.out && grep -q '^1.25  0.3902' derivatives.out
}
install_elsewhere >log 2>&1 || {
    tail -30 log >&2
    echo "the library does not install to another prefix, or a program does not find it there" >&2
    exit 1
}
echo "The distribution holds every tracked file; the library, tests/t-core and an installation elsewhere build from it."
