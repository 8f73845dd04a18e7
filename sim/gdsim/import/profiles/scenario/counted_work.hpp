#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/import/profiles/profile.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gdsim {

/// What each thread of a kernel does by a profiler's counts: it moves its bytes and issues its instructions by turns.
struct CountedWork {
  std::uint64_t iterations = 1;
  std::uint64_t bytes = 0;         ///< of a thread, in all
  std::uint64_t instructions = 0;  ///< likewise, thousandths; of all kinds
  /// Likewise, of the kinds that the device knows.
  std::vector<std::pair<std::string, std::uint64_t>> by_kind{};
  /// So many bytes that all work-groups share, that the caches serve the measured part of the bytes; nothing: the
  /// memory serves all.
  std::optional<Bytes> shared_working_set{};
  std::uint64_t cached_hundredths = 0;  ///< that part, hundredths of a percent
};

/// More threads would take minutes to simulate.
inline constexpr std::uint64_t kMaxCountedThreads = std::uint64_t{1} << 22U;

/// The work of each of the kernel's threads on this device. Nothing if the device does not say what instructions and
/// bytes cost, or there are too many threads.
std::optional<CountedWork> counted_work(const ProfiledCounters& counters, const Kernel& kernel,
                                        const DeviceSpec& device);

/// A program that does `millionths` of a millionth of this work, each amount rounded; and what the kernel shares.
void set_counted_work(const CountedWork& work, std::uint64_t millionths, Kernel& kernel);

}  // namespace gdsim
