#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/workload/kernel.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace gdsim {

/// A resource that a core allocates from one pool, for use anywhere on the core. (Registers belong to single engines.)
enum class Pool : std::uint8_t { contexts, slots, barrier_or_slm_slots, slm, barriers };

inline constexpr std::size_t kPoolCount = 5;

inline constexpr std::array<Pool, kPoolCount> kPools{Pool::contexts, Pool::slots, Pool::barrier_or_slm_slots, Pool::slm,
                                                     Pool::barriers};

/// An amount of each pool: contexts, slots, bytes, barrier registers.
class Amounts {
 public:
  constexpr std::int64_t& operator[](Pool p) { return values_[static_cast<std::size_t>(p)]; }
  constexpr std::int64_t operator[](Pool p) const { return values_[static_cast<std::size_t>(p)]; }
  friend constexpr bool operator==(const Amounts&, const Amounts&) = default;

 private:
  std::array<std::int64_t, kPoolCount> values_{};
};

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

/// The footprints of all work-groups of all kernels of a workload: of full ones, and of smaller ones at uneven edges.
/// Immutable: threads may share it.
class FootprintTable {
 public:
  /// The device must refuse none of the kernels.
  FootprintTable(const DeviceSpec& device, const std::vector<Kernel>& kernels);

  /// Returns the needs of a full work-group of the kernel.
  const Footprint& full(KernelId kernel) const { return all_[kernels_[index_of(kernel)].full]; }
  /// Returns the needs of a work-group of `threads` threads of the kernel, always as the same object. Some work-group
  /// must have this number of threads.
  const Footprint& footprint_of(KernelId kernel, std::uint32_t threads) const;
  /// Returns a number that is equal for kernels whose full work-groups have equal needs: these share one full() object.
  std::size_t shape(KernelId kernel) const { return kernels_[index_of(kernel)].full; }
  /// Returns true if some of the kernel's work-groups are smaller than others.
  bool has_edges(KernelId kernel) const { return kernels_[index_of(kernel)].has_edges; }

 private:
  struct OfKernel {
    std::size_t full = 0;
    bool has_edges = false;
    std::vector<std::size_t> edges;
  };

  std::vector<Footprint> all_;  ///< each different full one once
  std::vector<OfKernel> kernels_;
};

}  // namespace gdsim
