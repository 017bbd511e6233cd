# gen-ag.awk - write include/agnesi/ag.h from the public headers (after prototypes.awk)
#
#   AGN_API agn_status agn_x(agn_tensor **out, ARGS);
# gives
#   static inline const agn_tensor *ag_x(agn_scope *s, ARGS)
# One leading `agn_tensor **` marks the single result. Functions with several results, and
# those that write an array of them (`agn_tensor *out[]`, or `agn_tensor **out, int32_t n_out`),
# are left to their agn_ form. What is made of numbers alone is a constant of the body: it follows
# the other operands to their device. One leading `agn_distribution **` or `agn_transform **` gives
#   static inline const agn_distribution *ag_x(agn_scope *s, ARGS)

BEGIN {
    print "/* ag.h - operators that return their value, for use inside a scope"
    print " *"
    print " * Generated from the public headers; no part of the ABI. The scope owns each result"
    print " * and keeps the first failure, after which every call here does nothing. */"
    print "#ifndef AGNESI_AG_H"
    print "#define AGNESI_AG_H\n"
    print "#include <stddef.h>\n"
    for (i = 1; i < ARGC; i++) {
        base = ARGV[i]; sub(/.*\//, "", base)
        if (base != "agnesi.h" && base != "ag.h") print "#include <agnesi/" base ">"
    }
    print "\n#ifdef __cplusplus\nextern \"C\" {\n#endif"
}

END { print "\n#ifdef __cplusplus\n}\n#endif\n\n#endif" }

function prototype(returns, name, params, doc,    n, i, rest, args, kind, adopt, numbers)
{
    n = split_params(params)
    if (returns != "agn_status") return
    if (one_result(n)) { kind = "agn_tensor"; adopt = "agn_scope_adopt" }
    else if (type[1] ~ /^agn_(distribution|transform) ?\* ?\* ?[a-z_0-9]*$/) {
        kind = type[1]; sub(/ ?\*.*/, "", kind)
        adopt = kind "_adopt"
    } else return
    numbers = kind == "agn_tensor"
    for (i = 2; i <= n; i++) {
        if (type[i] !~ /^(const )?(agn_dtype|bool|double|u?int(32|64)_t) [*]?[a-z_0-9]+(\[[0-9]*\])?$/ || pname[i] == "device")
            numbers = 0
        rest = rest ", " type[i]
        args = args ", " pname[i]
    }
    sub(/^agn_/, "", name)
    print "\nstatic inline const " kind " *ag_" name "(agn_scope *s_" rest ")"
    print "{\n    " kind " *y_ = NULL;"
    print "    if (agn_scope_status(s_))\n        return NULL;"
    print "    agn_status st_ = agn_" name "(&y_" args ");"
    print "    return " adopt (numbers ? "_constant" : "") "(s_, st_, &y_);\n}"
}
