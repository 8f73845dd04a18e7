#pragma once

#include <gdsim/import/profiles/profile.hpp>

#include <cstdint>
#include <string_view>

namespace gdsim {

/// A device in a trace's `deviceProperties`, taken key by key.
class TracedDevice {
 public:
  /// Keys that say nothing of a model are ignored.
  void take(std::string_view key, std::string_view value);
  /// Returns the device with its family.
  ProfiledDevice finished() const;

 private:
  ProfiledDevice device_;
  std::uint32_t major_ = 0;
  std::uint32_t minor_ = 0;
};

}  // namespace gdsim
