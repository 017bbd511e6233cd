# tests/emulator/launches.awk - what C++ cannot say of CUDA C++:
#   k<T><<<g, b, s, q>>>(...)      becomes  EMULATED_LAUNCH((k<T>), g, b, s, q)(...)
#   extern __shared__ T room[];    becomes  T *room = (T *)emulator::dynamic_shared();
#   __shared__ T room[N];          becomes  a member of a local struct, one per block
# The lines keep their numbers.
{ text = text $0 "\n" }
END {
    print "#line 1 \"" FILENAME "\""
    printf "%s", launches(shared(text))
}

# place before which the name of the kernel at the end of s begins, its template arguments with it
function kernel_start(s,    i, depth, c) {
    i = length(s)
    while (i > 0 && substr(s, i, 1) ~ /[ \t\n]/) i--
    if (substr(s, i, 1) == ">") {
        depth = 0
        for (; i > 0; i--) {
            c = substr(s, i, 1)
            if (c == ">") depth++
            if (c == "<" && --depth == 0) { i--; break }
        }
    }
    while (i > 0 && substr(s, i, 1) ~ /[A-Za-z0-9_:]/) i--
    return i
}

function launches(s,    out, p, q, i, head) {
    out = ""
    while ((p = index(s, "<<<"))) {
        head = substr(s, 1, p - 1)
        i = kernel_start(head)
        q = index(s, ">>>")
        out = out substr(head, 1, i) "EMULATED_LAUNCH((" substr(head, i + 1) "), " \
            substr(s, p + 3, q - p - 3) ")"
        s = substr(s, q + 3)
    }
    return out s
}

function shared(s,    out, p, q, decl, name, dynamic, count) {
    out = ""
    while ((p = index(s, "__shared__"))) {
        q = index(substr(s, p), ";")
        decl = substr(s, p + 10, q - 11)
        dynamic = substr(s, 1, p - 1) ~ /extern[ \t]+$/
        out = out substr(s, 1, p - 1)
        if (dynamic) sub(/extern[ \t]+$/, "", out)
        s = substr(s, p + q)
        name = decl
        sub(/[ \t\n]*\[.*$/, "", name)
        match(name, /[A-Za-z_][A-Za-z0-9_]*$/)
        name = substr(name, RSTART)
        if (dynamic) {
            sub(/[ \t\n]*\[.*$/, "", decl)
            decl = substr(decl, 1, length(decl) - length(name))
            sub(/__align__\([0-9]*\)/, "", decl)
            out = out decl "*" name " = (" decl "*)emulator::dynamic_shared();"
        } else {
            count++
            out = out "struct emulated_shared_" count " {" decl "; }; auto &" name \
                " = emulator::shared_variable<emulated_shared_" count ">()." name ";"
        }
    }
    return out s
}
