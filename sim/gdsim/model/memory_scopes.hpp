#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/model/memory_mix.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gdsim {

/// Which cores share which levels of the memory (MemoryLevel::scope). Cores that share all of them are one place.
class MemoryScopes {
 public:
  /// The device has a memory.
  explicit MemoryScopes(const DeviceSpec& device);

  /// No level has a scope other than the device.
  bool are_device_wide() const { return are_device_wide_; }
  std::uint32_t places() const { return static_cast<std::uint32_t>(groups_.size()); }
  std::uint32_t place_of(CoreId core) const { return places_of_core_.empty() ? 0 : places_of_core_[index_of(core)]; }
  /// The group of the level to which the place belongs, below groups(level).
  std::uint32_t group_of(std::size_t level, std::uint32_t place) const { return groups_[place][level]; }
  std::uint32_t groups(std::size_t level) const { return counts_[level]; }
  /// A number for the group of this level, the same for all levels that are shared by the whole device; below slots().
  std::size_t slot(std::size_t level, std::uint32_t place) const {
    return counts_[level] == 1 ? 0 : first_slots_[level] + groups_[place][level];
  }
  std::size_t slots() const { return slots_; }
  /// Those of the place's levels, each once, and always the one of the whole device.
  const std::vector<std::size_t>& slots_of(std::uint32_t place) const { return slots_of_place_[place]; }

 private:
  bool are_device_wide_ = true;
  std::vector<std::uint32_t> places_of_core_;       ///< empty if there is one place
  std::vector<std::vector<std::uint32_t>> groups_;  ///< by place, then level
  std::vector<std::vector<std::size_t>> slots_of_place_;
  std::vector<std::uint32_t> counts_;               ///< by level
  std::vector<std::size_t> first_slots_;            ///< by level
  std::size_t slots_ = 1;
};

/// mix_of_levels() of a place where levels have scopes: by the working sets of their slots.
MemoryMix mix_of_scopes(const MemoryRates& rates, const MemoryScopes& scopes, const MemoryKind& kind,
                        std::uint32_t place, const std::vector<Int128>& working_sets);

}  // namespace gdsim
