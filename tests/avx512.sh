#! /bin/sh
# avx512.sh FOLDER LIBS TEST... - run tests on an emulated CPU that has AVX-512
#
# Bochs emulates the whole computer: Debian's kernel, a shell and the tests are its ramdisk, the
# serial line is the log. Some 50 million instructions a second: for make check-avx512, by hand.
set -u
work=$1 libs=$2
shift 2
for tool in bochs busybox xorriso apt-get dpkg-deb cpio ldd; do
    command -v $tool >/dev/null || {
        echo "$0: no $tool here: check-avx512 needs a Debian with bochs," \
            "busybox-static, isolinux, syslinux-common and xorriso" >&2
        exit 1
    }
done
mkdir -p "$work/disk/isolinux" && work=$(cd "$work" && pwd) && libs=$(cd "$libs" && pwd) || exit 1

# ---- the kernel, as Debian ships it ----
if test ! -e "$work/disk/vmlinuz"; then
    name=$(apt-cache depends linux-image-amd64 | sed -n 's/ *Depends: *//p' | head -n 1)
    (cd "$work" && apt-get -qq -o APT::Sandbox::User=root download "$name" && dpkg-deb -x linux-image-*.deb kernel) || exit 1
    cp "$work"/kernel/boot/vmlinuz-* "$work/disk/vmlinuz" || exit 1
fi

# ---- a ramdisk: each test with what it is linked to ----
root=$work/root
rm -rf "$root" && mkdir -p "$root/bin" "$root/lib64" "$root/lib" "$root/test" "$root/proc" \
    "$root/dev" "$root/tmp" || exit 1
cp "$(command -v busybox)" "$root/bin/busybox" && ln -s busybox "$root/bin/sh" || exit 1
names=
for test; do
    file=$(dirname "$test")/.libs/$(basename "$test")
    test -e "$file" || file=$test
    cp "$file" "$root/test/" && strip "$root/test/$(basename "$test")" || exit 1
    names="$names $(basename "$test")"
done
LD_LIBRARY_PATH=$libs ldd "$root"/test/* | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' |
    sort -u | while read -r lib; do cp -L "$lib" "$root/lib/"; done
strip --strip-unneeded "$root"/lib/libagnesi*
cp -L /lib64/ld-linux-x86-64.so.2 "$root/lib64/" || exit 1
cat >"$root/init" <<EOF
#!/bin/busybox sh
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t devtmpfs dev /dev
exec >/dev/ttyS0 2>&1
export LD_LIBRARY_PATH=/lib AGNESI_CPU=avx512 AGNESI_TEST_LEVEL=avx512 AGNESI_TEST_QUICK=1
export AGNESI_THREADS=1 srcdir=/ TMPDIR=/tmp
cd /tmp
for t in $names; do echo "# \$t"; /test/\$t; echo "# \$t ends with \$?"; done
echo "# done"
/bin/busybox poweroff -f
EOF
chmod +x "$root/init"
(cd "$root" && find . | cpio -o -H newc --quiet) >"$work/disk/initrd" || exit 1

# ---- the disk and the computer. The emulated CPU tells the size of a compacted state wrongly: XSAVE
# and no more. ----
cp /usr/lib/ISOLINUX/isolinux.bin /usr/lib/syslinux/modules/bios/ldlinux.c32 \
    "$work/disk/isolinux/" || exit 1
cat >"$work/disk/isolinux/isolinux.cfg" <<EOF
DEFAULT tests
PROMPT 0
LABEL tests
 KERNEL /vmlinuz
 APPEND initrd=/initrd console=ttyS0,115200 quiet mitigations=off acpi=off noapic nolapic clearcpuid=xsaves,xsavec panic=1
EOF
cd "$work" || exit 1
xorriso -as mkisofs -quiet -o disk.iso -b isolinux/isolinux.bin -c isolinux/boot.cat \
    -no-emul-boot -boot-load-size 4 -boot-info-table disk 2>/dev/null || exit 1
cat >machine <<EOF
plugin_ctrl: unmapped=true, biosdev=true, speaker=false, extfpuirq=true, serial=true
config_interface: textconfig
display_library: rfb, options="timeout=0"
memory: guest=1536, host=1536
romimage: file="/usr/share/bochs/BIOS-bochs-latest"
vgaromimage: file="/usr/share/bochs/VGABIOS-lgpl-latest"
cpu: model=corei7_skylake_x, count=1, ips=100000000, reset_on_triple_fault=0
ata0-master: type=cdrom, path="disk.iso", status=inserted
boot: cdrom
log: machine.log
com1: enabled=1, mode=file, dev=tests.log
clock: sync=none
EOF
echo c >go
rm -f tests.log
bochs -q -f machine -rc go </dev/null >screen.log 2>&1 &
computer=$!
trap 'kill -9 $computer' 2 15
# the computer halts, its emulator does not
while kill -0 $computer 2>/dev/null && ! grep -q '^# done' tests.log 2>/dev/null; do sleep 2; done
kill -9 $computer 2>/dev/null
wait $computer 2>/dev/null

# ---- what they said ----
ended=$(grep -c 'ends with 0' tests.log)
passed=$(grep -c '^ok' tests.log)
failed=$(grep -c '^not ok' tests.log)
grep -E '^not ok|ends with [^0]' tests.log
echo "$passed passed, $failed failed"
test "$ended" -eq $# && test "$failed" -eq 0 && test "$passed" -gt 0
