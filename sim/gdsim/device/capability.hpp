#pragma once

#include <gdsim/device/device_spec.hpp>

#include <string>
#include <string_view>

namespace gdsim {

/// Something that a device may have or not. Its model says how fast or how large it is, or `none`, which is noted in
/// DeviceSpec::lacks, or it does not know: the key is left out, or its value is `unknown`. What a model does not know
/// is no fact about the device, and a refusal must not say so.
struct Capability {
  std::string_view key;     ///< in a device file: `large_grf`
  std::string_view name;    ///< behind `has no`: `large-GRF mode`
  std::string_view unsaid;  ///< behind `does not say`: `whether it has a large-GRF mode`
  std::string_view line;    ///< a value of the key to paste: `large_grf: {contexts_per_thread: 2}`
};

namespace capabilities {

inline constexpr Capability kClusters{"clusters", "clusters", "whether it has clusters",
                                      "clusters: {within: gpc, max: 8}"};
inline constexpr Capability kPreferredClusters{"clusters.preferred", "preferred sizes of clusters",
                                               "whether its clusters may have a preferred size",
                                               "clusters: {preferred: true}"};
inline constexpr Capability kLargeGrf{"large_grf", "large-GRF mode", "whether it has a large-GRF mode",
                                      "large_grf: {contexts_per_thread: 2}"};
inline constexpr Capability kCopy{"copy", "copy engines", "what its copy engines and your link do",
                                  "copy: {engines: 2, bandwidth: 25 GB/s}"};
inline constexpr Capability kL1{"l1", "L1", "how fast its L1 is", "l1: {lines_per_cycle: 1}"};
inline constexpr Capability kSlmAccess{"slm_access", "SLM", "how many banks its SLM has and how wide they are",
                                       "slm_access: {banks: 32, bank_width: 4 B}"};
inline constexpr Capability kMemory{"memory", "global memory", "how fast its global memory is",
                                    "memory: {levels: [{name: DRAM, bandwidth: 1 TB/s, latency: 400 ns}]}"};
inline constexpr Capability kSlmAtomics{"atomics.slm", "atomic accesses in SLM",
                                        "how many atomic accesses of one address its SLM serves per cycle",
                                        "atomics: {slm: 1}"};
inline constexpr Capability kGlobalAtomics{"atomics.global", "atomic accesses in global memory",
                                           "how many atomic accesses of one address its caches serve per cycle",
                                           "atomics: {global: 1}"};

}  // namespace capabilities

/// Returns true if the model says that the device does not have it. Thread-safe, as are all functions below.
bool lacks(const DeviceSpec& device, std::string_view key);

/// Returns what a refusal says of a capability that the device does not have, or of which its model says nothing, with
/// the line that decides it.
std::string why_missing(const DeviceSpec& device, const Capability& capability);

/// Returns the source that speaks for the value at this path, which has the longest path at or above it; null if none.
const FigureSource* figure_source_of(const DeviceSpec& device, std::string_view path);

}  // namespace gdsim
