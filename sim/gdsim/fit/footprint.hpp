#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/fit/pool.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstdint>
#include <limits>

namespace gdsim {

/// The needs of one thread on the engine on which it is placed.
struct EngineNeed {
  std::uint32_t contexts = 1;
  std::uint64_t registers = 0;
  std::uint64_t scalar_registers = 0;

  friend bool operator==(const EngineNeed&, const EngineNeed&) = default;
};

/// The capacity of a resource that a device does not limit.
constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

/// The needs of one work-group on one core, and the capacity of an empty core for such work-groups. The dispatcher and
/// the calculator both use it.
struct Footprint {
  std::uint32_t threads = 0;
  EngineNeed thread;       ///< taken when a thread is placed
  Amounts work_group;      ///< taken whole with the first thread; no contexts
  Amounts whole;           ///< all that it holds once every thread is placed
  Amounts capacity;        ///< of an empty core; SLM as the kernel's carve-out sets it, else all of it
  std::uint64_t most = 0;  ///< number of such whole work-groups that the pools of an empty core hold
  /// The pool to which a core's SLM is set for it, see CoreClaims: a pool of this size, or any from this size on.
  std::int64_t slm_pool = 0;
  bool joins_larger_pool = false;

  friend bool operator==(const Footprint&, const Footprint&) = default;
};

/// Returns the footprint of a work-group of `threads` threads of `kernel`. SLM that the device cannot allocate counts
/// as requested: such a work-group fits nowhere.
Footprint make_footprint(const Kernel& kernel, const DeviceSpec& device, std::uint32_t threads);

/// Returns the number of such whole work-groups that pools of which `held` is taken hold: the minimum of
/// floor(free / need) over all needs.
std::uint64_t how_many_fit(const Footprint& footprint, const Amounts& held);

/// Returns the registers of a thread, rounded by the device's rules; 0 if the device has no such file.
std::uint64_t registers_per_thread(const Kernel& kernel, const DeviceSpec& device);

/// Returns the registers of a whole work-group as its own limit counts them.
std::uint64_t registers_per_work_group(const Kernel& kernel, const DeviceSpec& device);

/// Returns the maximum SLM that a work-group of this kernel may request: more if it opted in.
Bytes slm_limit(const Kernel& kernel, const DeviceSpec& device);

}  // namespace gdsim
