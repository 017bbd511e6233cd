/* tests/emulator/driver.c - libcuda.so.1 of the emulator: the library asks it before it opens the module. */
int cuInit(unsigned flags);
int cuDeviceGetCount(int *n);
int cuGetErrorString(int e, const char **text);

int cuInit(unsigned flags)
{
    (void)flags;
    return 0;
}
int cuDeviceGetCount(int *n)
{
    *n = 2;
    return 0;
}
int cuGetErrorString(int e, const char **text)
{
    (void)e;
    *text = "emulated";
    return 0;
}
