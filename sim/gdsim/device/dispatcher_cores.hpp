#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/device/device_spec.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// The cores of one dispatcher: `first` to `last` - 1, and the levels of groups inside of them.
struct DispatcherCores {
  std::size_t first = 0;
  std::size_t last = 0;
  CoreGroups groups;

  std::size_t count() const { return last - first; }
  bool contains(CoreId core) const { return first <= index_of(core) && index_of(core) < last; }
};

/// Who has a dispatcher of its own, by the word of DispatchInterval::dispatchers: in rising order of cores. Nothing if
/// the device has no level of this name, or not exactly one for `core_group`.
std::optional<std::vector<DispatcherCores>> dispatcher_cores(const DeviceSpec& device, const std::string& dispatchers);

}  // namespace gdsim
