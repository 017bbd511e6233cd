# tools/kernel-figures.awk - what CUDA kernels cost before any of them runs: registers, stack, spills,
# occupancy, instructions of the loop that stores and per element. Reads what `nvcc -Xptxas -v` says and
# what `cuobjdump -sass` prints of the same code, in any order, either may be missing:
#
#     nvcc ... -Xptxas -v -cubin -o x.cubin x.cu 2>x.log; cuobjdump -sass x.cubin >x.sass
#     awk -f tools/kernel-figures.awk x.log x.sass | c++filt
#
# Occupancy is for blocks of -v threads=256 and multiprocessors of 65536 registers and 64 warps (sm_80,
# sm_90). A loop is what a branch back encloses; of loops with stores to global memory the shortest counts.
# Elements are bytes stored over the size of the result, which the name of a row's kernel says.

BEGIN { if (!threads) threads = 256 }

function begin(name) {
    if (!(name in seen)) { seen[name]; order[++kernels] = name }
    return name
}
function figure(what, text) {
    text = $0
    if (!match(text, "[0-9]+ " what)) return 0
    return substr(text, RSTART) + 0
}

# ---- ptxas -v ----
/Compiling entry function '/ { split($0, part, "'"); kernel = begin(part[2]) }
/Function properties for / { kernel = $NF }
/bytes stack frame/ && (kernel in seen) {
    stack[kernel] = figure("bytes stack frame")
    spill[kernel] = figure("bytes spill stores") + figure("bytes spill loads")
}
/Used [0-9]+ registers/ && (kernel in seen) { registers[kernel] = figure("registers") }

# ---- cuobjdump -sass ----
/Function : / { finish(); inside = begin($NF); n = 0 }
inside != "" && /^[ \t]*\/\*[0-9a-f]+\*\/[ \t]/ && /;/ {
    match($0, /\/\*[0-9a-f]+\*\//)
    at = number(substr($0, RSTART + 2, RLENGTH - 4))
    text = substr($0, RSTART + RLENGTH)
    sub(/^[ \t{]+/, "", text)
    sub(/^@!?U?P[0-9T]+ /, "", text)
    sub(/^[ \t]+/, "", text)
    if (text ~ /^NOP/) next
    n++
    address[n] = at
    op[n] = text
}
END {
    finish()
    printf "%9s %6s %6s %6s %6s %6s %9s  %s\n", "registers", "stack", "spills", "warps", "code", "loop", \
        "/element", "kernel"
    for (i = 1; i <= kernels; i++) {
        k = order[i]
        printf "%9s %6s %6s %6s %6s %6s %9s  %s\n", known(registers, k), known(stack, k), known(spill, k), \
            k in registers ? warps(registers[k]) "%" : "-", known(code, k), known(loop, k), \
            known(each, k), k
    }
}

function known(table, k) { return k in table ? table[k] : "-" }

# share of a multiprocessor's warps that its registers allow
function warps(r,    of_warp, block, blocks) {
    of_warp = int((r * 32 + 255) / 256) * 256
    block = int((threads + 31) / 32)
    blocks = int(65536 / of_warp / block)
    return int(100 * (blocks * block < 64 ? blocks * block : 64) / 64)
}

function number(hex,    i, v) {
    for (i = 1; i <= length(hex); i++)
        v = 16 * v + index("123456789abcdef", substr(hex, i, 1))
    return v + 0
}
function stored_bytes(text) {
    if (text !~ /^STG/) return 0
    if (text ~ /^[^ ]*\.128/) return 16
    if (text ~ /^[^ ]*\.64/) return 8
    if (text ~ /^[^ ]*\.[US]16/) return 2
    if (text ~ /^[^ ]*\.[US]8/) return 1
    return 4
}
# row<F, O (long, I...)>: the letter of O; complex numbers by name
function element_bytes(name) {
    if (!match(name, /3rowI[^F]*F/)) return 0
    name = substr(name, RSTART + RLENGTH)
    if (name ~ /^b/) return 1
    if (name ~ /^[fi]/) return 4
    if (name ~ /^[dlx]/) return 8
    return match(name, /complexI[fd]/) ? (substr(name, RSTART + RLENGTH - 1, 1) == "f" ? 8 : 16) : 0
}
# the loop of the kernel whose code was read
function finish(    i, j, k, to, from, bytes, size, best) {
    if (inside == "") return
    code[inside] = n
    for (i = 1; i <= n; i++)
        if (op[i] ~ /^BRA / && match(op[i], /0x[0-9a-f]+/)) {
            to = number(substr(op[i], RSTART + 2, RLENGTH - 2))
            if (to >= address[i]) continue
            for (from = 1; from < i && address[from] < to; from++) ;
            bytes = 0
            for (j = from; j <= i; j++) bytes += stored_bytes(op[j])
            if (bytes && (!best || i - from + 1 < best)) {
                best = i - from + 1
                size = element_bytes(inside)
                if (size) each[inside] = sprintf("%.2f", best * size / bytes)
            }
        }
    if (best) loop[inside] = best
    inside = ""
}
