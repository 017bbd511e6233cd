/* cub/device/device_radix_sort.cuh of the emulator: the stable sort of pairs that the module asks of CUB */
#ifndef AGNESI_EMULATED_RADIX_SORT
#define AGNESI_EMULATED_RADIX_SORT

#include <algorithm>
#include <vector>

namespace emulator {
void enqueue_work(cudaStream_t s, const char *what, std::function<void()> run);
}

namespace cub {
struct DeviceRadixSort {
    template <class K, class V, class N>
    static cudaError_t SortPairs(void *room, size_t &bytes, const K *keys, K *keys_out, const V *values,
                                 V *values_out, N n, int first_bit = 0, int end_bit = 8 * sizeof(K),
                                 cudaStream_t stream = nullptr)
    {
        const size_t need = 1024 + (size_t)n;
        if (!room) {
            bytes = need;
            return cudaSuccess;
        }
        if (bytes < need)
            return cudaErrorInvalidValue;
        emulator::enqueue_work(stream, "cub::DeviceRadixSort::SortPairs", [=] {
            K all = end_bit - first_bit >= (int)(8 * sizeof(K)) ? ~K(0) : (K(1) << (end_bit - first_bit)) - 1;
            std::vector<N> from((size_t)n);
            for (N i = 0; i < n; i++)
                from[(size_t)i] = i;
            std::stable_sort(from.begin(), from.end(), [=](N a, N b) {
                return (keys[a] >> first_bit & all) < (keys[b] >> first_bit & all);
            });
            for (N i = 0; i < n; i++) {
                keys_out[i] = keys[from[(size_t)i]];
                values_out[i] = values[from[(size_t)i]];
            }
            memset(room, 0x5a, need); /* the workspace is the sort's alone */
        });
        return cudaSuccess;
    }
};
} // namespace cub

#endif
