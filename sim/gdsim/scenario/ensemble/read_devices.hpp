#pragma once

#include <gdsim/scenario/keys/map_reader.hpp>
#include <gdsim/scenario/scenario.hpp>
#include <gdsim/workload/kernel.hpp>
#include <gdsim/workload/workload.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <cstdint>
#include <functional>
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
  LaunchDevice(const OwnDevice* own_device, const ValueReader& values) : own_(own_device), values_(values) {}

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

/// Reads `copy:` of a launch: between host and device by `direction`, or over a link by `from` and `to`.
Copy read_copy(const YamlNode& node, const LaunchDevice& devices, const ValueReader& values);

/// A collective as written, and the kernel that occupies the cores of each member.
struct ReadCollective {
  Collective collective;  ///< without launches
  Kernel kernel;
  std::string kind;  ///< as written
};

/// Reads `collective:` of `launch`. If it cannot be read, adds problems and returns nullopt.
std::optional<ReadCollective> read_collective(const MapReader& launch, const LaunchDevice& devices,
                                              const ValueReader& values);

/// Reports differences and features that are not allowed for devices that run together. `node` is `devices:`.
void check_devices(const std::vector<Scenario>& devices, const YamlNode& node, const ValueReader& values);

/// Reports expectations that concern one device.
void check_expectations_of_devices(const std::vector<Expectation>& expectations, Diagnostics& problems);

/// Removes from `kernels:` of a scenario the kernels that only other devices run, since this device may be unable to
/// run them. A kernel that no launch names stays with the first device. If a launch names an unknown kernel, which is
/// reported later, all stay.
void keep_kernels_of_device(YamlNode& root, const OwnDevice& own_device);

/// Reads `links:` between these devices. Reports links that cannot be read.
std::vector<DeviceLink> read_links(const YamlNode& node, const OwnDevice& devices, const ValueReader& values);

/// Reports the scenario's copies and collectives between devices without a link; `place` is the place of the report.
void check_links(const Scenario& scenario, const YamlNode& links, const ValueReader& values);

/// Reads one device's scenario: `root` has its `device`, and the launches of all devices.
using ReadOneDevice = std::function<Scenario(YamlNode& root, const OwnDevice& own_device, Diagnostics& problems)>;

/// Reads a scenario with `devices:`, device by device. A problem of several devices is reported once.
Scenario read_devices(const YamlNode& root, const ReadOneDevice& read_one, Diagnostics& problems);

}  // namespace gdsim
