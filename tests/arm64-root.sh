#! /bin/sh
# arm64-root.sh ROOT - the libraries that Agnesi needs, for 64-bit ARM, unpacked below ROOT
#
# Takes them from the mirrors that this Debian uses, with lists and states of its own: nothing of
# the system changes, and no rights are needed. For make check-arm64.
set -u
root=$1
test ! -e "$root/complete" || exit 0
for tool in apt-get dpkg-deb aarch64-linux-gnu-gcc qemu-aarch64-static; do
    command -v $tool >/dev/null || {
        echo "$0: no $tool here: check-arm64 needs a Debian with gcc-aarch64-linux-gnu" \
            "and qemu-user-static" >&2
        exit 1
    }
done
mkdir -p "$root/apt/lists/partial" "$root/apt/archives/partial" && root=$(cd "$root" && pwd) || exit 1
lib=$root/usr/lib/aarch64-linux-gnu
: >"$root/apt/status"
get() {
    apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures::=arm64 \
        -o Dir::State="$root/apt" -o Dir::State::status="$root/apt/status" \
        -o Dir::Cache="$root/apt" -o APT::Sandbox::User=root "$@"
}
get update && get install --download-only --no-install-recommends libc6-dev \
    libopenblas-dev liblapacke-dev libfftw3-dev libgsl-dev libcerf-dev libqhull-dev libsuitesparse-dev \
    libsndfile1-dev libarpack2-dev zlib1g-dev >"$root/apt/log" 2>&1 || {
    cat "$root/apt/log" >&2
    exit 1
}
for deb in "$root"/apt/archives/*.deb; do dpkg-deb -x "$deb" "$root" || exit 1; done
test -e "$root/lib" || ln -s usr/lib "$root/lib"
# links from / lead into ROOT instead; BLAS and LAPACK are chosen by a step of the installation
find "$root/usr/lib" "$root/lib" -type l | while read -r link; do
    to=$(readlink "$link")
    case $to in /*) ln -sfn "$root$to" "$link" ;; esac
done
for name in libblas.so libblas.so.3 liblapack.so liblapack.so.3 libopenblas.so libopenblas.so.0; do
    ln -sf openblas-pthread/$name "$lib/$name"
done
: >"$root/complete"
