/* tests/emulator/nvrtc.cpp - libnvrtc.so of the emulator: a program as text is rewritten as
   launches.awk has it and compiled by the host's compiler to a shared library, which stands for
   the code of a device (code.cpp). */
#include <nvrtc.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

struct _nvrtcProgram {
    std::string text, log, code;
};

static std::string read_file(const std::string &name)
{
    std::ifstream f(name, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(f), {});
}

/* a call for each kernel, whose only argument the emulator has the address of */
static std::string calls_of(const std::string &text)
{
    static const char mark[] = "extern \"C\" __global__ void ";
    std::string calls;
    for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
        size_t open = text.find("const __grid_constant__ ", at), name = text.rfind(' ', open) + 1;
        std::string kernel = text.substr(name, text.find('(', name) - name);
        size_t type = open + strlen("const __grid_constant__ ");
        std::string of = text.substr(type, text.find(' ', type) - type);
        calls += "extern \"C\" __attribute__((visibility(\"default\"))) void emulated_call_" +
                 kernel + "(void *p) { " + kernel + "(*(const " + of + " *)p); }\n";
    }
    return calls;
}

/* EMULATOR_NVRTC says what goes wrong, at each call anew: tests set it */
static bool fails(const char *what)
{
    const char *wish = getenv("EMULATOR_NVRTC");
    return wish && !strcmp(wish, what);
}

/* EMULATOR_COMPILER: a library of NVIDIA's, which must take each text, too (compile_text.c). A text
   that it refuses is no case that the module could meet, but a mistake. It looks for libcuda.so.1
   and must not find the emulator's. */
static void ask_real_compiler(const _nvrtcProgram &p, const std::string &at, int n,
                              const char *const *option)
{
    const char *library = getenv("EMULATOR_COMPILER");
    if (!library || !*library)
        return;
    std::string text = at + "/text.cu", log = at + "/said",
                run = std::string("unset LD_LIBRARY_PATH; ") + COMPILE_TEXT + " " + library + " " + text;
    std::ofstream(text) << p.text;
    for (int i = 0; i < n; i++)
        run += std::string(" ") + option[i];
    bool taken = !system(("(" + run + ") >" + log + " 2>&1").c_str());
    std::string said = read_file(log);
    unlink(text.c_str());
    unlink(log.c_str());
    if (!taken) {
        fprintf(stderr, "EMULATOR: NVRTC refuses the text of a region: %s\n", said.c_str());
        abort();
    }
}

/* EMULATOR_EDIT: a sed script, a mistake made on purpose in each text (mutate.sh); where it changes
   one, the file EMULATOR_EDITED comes to be */
static std::string edit(const std::string &text, const std::string &at)
{
    const char *script = getenv("EMULATOR_EDIT"), *told = getenv("EMULATOR_EDITED");
    if (!script || !*script)
        return text;
    std::string from = at + "/from", rules = at + "/rules", to = at + "/to";
    std::ofstream(from) << text;
    std::ofstream(rules) << script << "\n";
    if (system(("sed -f " + rules + " " + from + " >" + to).c_str()))
        abort();
    std::string edited = read_file(to);
    for (const std::string &f : {from, rules, to})
        unlink(f.c_str());
    if (edited != text && told && *told)
        std::ofstream(told) << "yes\n";
    return edited;
}

extern "C" {

nvrtcResult nvrtcVersion(int *major, int *minor)
{
    if (fails("version"))
        return NVRTC_ERROR_INTERNAL_ERROR;
    *major = 0; /* of no real NVRTC: what it made is never taken for code of a device */
    *minor = 1;
    return NVRTC_SUCCESS;
}
nvrtcResult nvrtcCreateProgram(nvrtcProgram *p, const char *src, const char *, int,
                               const char *const *, const char *const *)
{
    if (fails("memory"))
        return NVRTC_ERROR_OUT_OF_MEMORY;
    *p = new _nvrtcProgram{src, "", ""};
    return NVRTC_SUCCESS;
}
nvrtcResult nvrtcDestroyProgram(nvrtcProgram *p)
{
    delete *p;
    *p = nullptr;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram p, int n_option, const char *const *option)
{
    if (fails("refuse") || fails("silent")) {
        p->log = "region.cu(1): refused, as EMULATOR_NVRTC says";
        return NVRTC_ERROR_COMPILATION;
    }
    if (fails("empty") || fails("garbage") || fails("lost")) {
        p->code = fails("empty") ? "" : "no code of any device";
        return NVRTC_SUCCESS;
    }
    char room[] = "/tmp/agnesi-nvrtc-XXXXXX";
    if (!mkdtemp(room))
        return NVRTC_ERROR_OUT_OF_MEMORY;
    ask_real_compiler(*p, room, n_option, option);
    std::string at = room, cu = at + "/region.cu", cpp = at + "/region.cpp",
                object = at + "/region.o", so = at + "/region.so", log = at + "/log";
    std::ofstream(cu) << edit(p->text, at) << "\n" << calls_of(p->text);
    std::string run = std::string("(unset LD_PRELOAD; ") + REWRITE + " " + cu + " >" + cpp + " && " + COMMAND +
                      " -o " + object + " " + cpp + " && " + LINK + " -o " + so + " " + object +
                      ") >" + log + " 2>&1";
    const char *keep = getenv("EMULATOR_TEXTS"); /* a folder: each text is kept there */
    int rc = system(run.c_str());
    p->code = rc ? "" : read_file(so);
    p->log = read_file(log);
    if (keep && *keep) {
        static int count;
        std::ofstream(std::string(keep) + "/" + std::to_string(getpid()) + "-" +
                      std::to_string(count++) + ".cu")
            << p->text;
    }
    for (const std::string &f : {cu, cpp, object, so, log})
        unlink(f.c_str());
    rmdir(room);
    if (rc || p->code.empty())
        return NVRTC_ERROR_COMPILATION;
    uint64_t n = p->code.size();
    p->code = "EMULATED" + std::string((const char *)&n, sizeof n) + p->code;
    return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram p, size_t *n)
{
    *n = p->code.size();
    return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetCUBIN(nvrtcProgram p, char *code)
{
    if (fails("lost"))
        return NVRTC_ERROR_INVALID_PROGRAM;
    memcpy(code, p->code.data(), p->code.size());
    return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram p, size_t *n)
{
    if (fails("silent"))
        return NVRTC_ERROR_INVALID_PROGRAM;
    *n = p->log.size() + 1;
    return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetProgramLog(nvrtcProgram p, char *log)
{
    memcpy(log, p->log.c_str(), p->log.size() + 1);
    return NVRTC_SUCCESS;
}
}
