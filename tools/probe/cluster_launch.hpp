// Launches in clusters, if runtime (CUDA 11.8) and device (compute capability 9.0) support them.
#pragma once

#include "kernels.hpp"
#include "launch.hpp"

namespace probe {

#ifdef PROBE_CLUSTERS

/// A launch of spin_kernel<1> in clusters. The configuration points into this object, which must not move.
struct ClusterLaunch {
  cudaLaunchConfig_t configuration = {};
  cudaLaunchAttribute attribute[1];

  ClusterLaunch(unsigned blocks, unsigned threads, unsigned cluster, cudaStream_t stream) {
    configuration.gridDim = dim3(blocks);
    configuration.blockDim = dim3(threads);
    configuration.stream = stream;
    attribute[0].id = cudaLaunchAttributeClusterDimension;
    attribute[0].val.clusterDim.x = cluster;
    attribute[0].val.clusterDim.y = 1;
    attribute[0].val.clusterDim.z = 1;
    configuration.attrs = attribute;
    configuration.numAttrs = 1;
  }
  ClusterLaunch(const ClusterLaunch&) = delete;
  ClusterLaunch& operator=(const ClusterLaunch&) = delete;
};

/// Allows sizes above 8, if the device has them.
inline void allow_large_clusters() {
  (void)succeeds(cudaFuncSetAttribute(reinterpret_cast<const void*>(&spin_kernel<1>),
                                      cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
}

/// Returns how many clusters can be resident at once; 0 if the device has none of this size.
inline unsigned active_clusters(unsigned threads, unsigned cluster) {
  const ClusterLaunch one(cluster, threads, cluster, nullptr);
  int count = 0;
  const cudaError_t status =
      cudaOccupancyMaxActiveClusters(&count, reinterpret_cast<const void*>(&spin_kernel<1>), &one.configuration);
  return succeeds(status) ? static_cast<unsigned>(count) : 0;
}

inline void launch_clusters(unsigned blocks, unsigned threads, unsigned cluster, cudaStream_t stream,
                            SpinRequest request) {
  const ClusterLaunch one(blocks, threads, cluster, stream);
  void* arguments[] = {&request};
  GPU_CHECK(cudaLaunchKernelExC(&one.configuration, reinterpret_cast<const void*>(&spin_kernel<1>), arguments));
}

#else

inline void allow_large_clusters() {}
inline unsigned active_clusters(unsigned, unsigned) { return 0; }
inline void launch_clusters(unsigned, unsigned, unsigned, GPU(Stream_t), const SpinRequest&) {
  throw GpuError("this program was compiled without clusters");
}

#endif

}  // namespace probe
