#pragma once

#include <gdsim/scenario/devices/own_device.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace gdsim {

/// What `device:` of a launch says that is made on each device.
inline constexpr std::string_view kEachDevice = "each";

/// Reads which devices launches are of.
class LaunchDevice {
 public:
  /// `own` may be null: the scenario has one device. Both must outlive this.
  LaunchDevice(const OwnDevice* own, const ValueReader& values) : own_(own), values_(values) {}

  /// The number of the device of a launch, if that is another one than `own`: of `device`, or `from` of its copy. What
  /// is wrong with the key is reported; then the launch is taken for one of `own`.
  std::optional<std::uint32_t> elsewhere(const MapReader& launch) const;
  /// The launch is made on each device: `device: each`, unless a device is called so.
  bool is_on_each(const MapReader& launch) const;
  /// The number of the device that the value of `key` names; nothing, and a problem, if there is none.
  std::optional<std::uint32_t> number(const YamlNode& node, std::string_view key) const;

  /// Null: the scenario has one device.
  const OwnDevice* own() const { return own_; }

 private:
  const OwnDevice* own_;
  const ValueReader& values_;
};

}  // namespace gdsim
