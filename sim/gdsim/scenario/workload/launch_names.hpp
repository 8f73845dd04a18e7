#pragma once

#include <gdsim/scenario/keys/map_reader.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace gdsim {

/// Adds a problem about an unknown name, and lists the names if they are few.
void fail_unknown(const YamlNode& node, std::string_view key, const char* what, std::vector<std::string_view> names,
                  const ValueReader& values);

/// The names of launches, to which `after:` and `wait:` refer.
class LaunchNames {
 public:
  /// The launches that a name stands for.
  struct Named {
    std::size_t first = 0;
    std::uint64_t count = 1;
    std::uint32_t devices = 0;  ///< not 0: `count` for each of these devices, device by device
  };

  explicit LaunchNames(const ValueReader& values) : values_(values) {}

  /// Records that the file gives this name to a launch.
  void mark_given(const std::string& name) { given_.insert(name); }
  /// Returns the kernel's name, or the first of `#2`, `#3` that no launch has, given or not.
  std::string next(const std::string& kernel);
  /// Records that this name is used: further launches get the names after it.
  void has_first(const std::string& name) { unnamed_.try_emplace(name, 1); }
  /// Adds a name. Returns the launches that already have it, or null.
  const Named* add(const std::string& name, const Named& launches);

  /// Reads `after:` of `waiting` equal launches. `device` is their device, or nullopt if the scenario has one device.
  void read_after(const YamlNode& list, std::uint64_t waiting, std::optional<std::uint32_t> device, Launch& launch);
  /// Reads `wait:`, by which the host waits for launches on any device.
  void read_waits(const YamlNode& list, std::uint64_t waiting, Launch& launch);

 private:
  /// Reads one name. Returns false if there are too many in all, which is reported once.
  bool read_name(const YamlNode& item, std::string_view key, LazyVector<LaunchId>& named);
  bool add_links(const YamlNode& item, std::string_view key, std::uint64_t waited_for);

  static constexpr std::uint64_t kMaxLinks = 10'000'000;

  const ValueReader& values_;
  std::unordered_map<std::string, Named> launches_;
  std::unordered_set<std::string> given_;
  std::unordered_map<std::string, std::size_t> unnamed_;
  std::uint64_t links_ = 0;                ///< waits of items that name more than one launch
  std::uint64_t waiting_ = 1;              ///< launches whose list is being read
  std::optional<std::uint32_t> device_{};  ///< the device whose launches are named
};

}  // namespace gdsim
