#pragma once

#include <gdsim/scenario/keys/map_reader.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// The device for which a scenario of several devices is being read; launches of the others are remote.
struct OwnDevice {
  std::vector<std::string> names;  ///< of all devices, in the order of the file
  std::uint32_t number = 0;        ///< of this one
  std::uint32_t sub_group = 32;    ///< work-items of a thread if the scenario gives no number: the device's smallest

  const std::string& name() const { return names[number]; }
};

/// The value of `device:` for a launch on each device.
inline constexpr std::string_view kEachDevice = "each";

/// Reads the devices of launches.
class LaunchDevice {
 public:
  /// `own` is null if the scenario has one device. Both must outlive this.
  LaunchDevice(const OwnDevice* own, const ValueReader& values) : own_(own), values_(values) {}

  /// Returns the number of a launch's device if it is not `own`: given by `device`, or by `from` of its copy. Reports a
  /// problem with the key; the launch then counts as one of `own`.
  std::optional<std::uint32_t> elsewhere(const MapReader& launch) const;
  /// Returns true for a launch on each device: `device: each`, unless a device has that name.
  bool is_on_each(const MapReader& launch) const;
  /// Returns the number of the device that the value of `key` names; if there is none, adds a problem and returns
  /// nullopt.
  std::optional<std::uint32_t> number(const YamlNode& node, std::string_view key) const;

  /// Returns null if the scenario has one device.
  const OwnDevice* own() const { return own_; }

 private:
  const OwnDevice* own_;
  const ValueReader& values_;
};

}  // namespace gdsim
