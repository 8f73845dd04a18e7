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

/// Adds that there is no such name, and which there are if they are few.
void fail_unknown(const YamlNode& node, std::string_view key, const char* what, std::vector<std::string_view> names,
                  const ValueReader& values);

/// The names of launches, and what `after:` and `wait:` mean by them.
class LaunchNames {
 public:
  /// The launches that a name stands for.
  struct Named {
    std::size_t first = 0;
    std::uint64_t count = 1;
    std::uint32_t devices = 0;  ///< not 0: so many times as many, device by device
  };

  explicit LaunchNames(const ValueReader& values) : values_(values) {}

  /// The file gives this name to a launch.
  void is_given(const std::string& name) { given_.insert(name); }
  /// The kernel's name, or with `#2`, `#3`, the first that no launch has, whether it was given or not.
  std::string next(const std::string& kernel);
  /// Names of more than one launch go on behind this one.
  void has_first(const std::string& name) { unnamed_.try_emplace(name, 1); }
  /// Null, or what the name stands for already.
  const Named* add(const std::string& name, const Named& launches);

  /// Reads `after:` of so many launches that are alike; `device`: which they are of, nothing if there is one.
  void read_after(const YamlNode& list, std::uint64_t waiting, std::optional<std::uint32_t> device, Launch& launch);
  /// Reads `wait:`: the host waits for launches on any device.
  void read_waits(const YamlNode& list, std::uint64_t waiting, Launch& launch);

 private:
  /// False if there are too many in all, which is said once.
  bool read_name(const YamlNode& item, std::string_view key, LazyVector<LaunchId>& named);
  bool may_link(const YamlNode& item, std::string_view key, std::uint64_t waited_for);

  static constexpr std::uint64_t kMaxLinks = 10'000'000;

  const ValueReader& values_;
  std::unordered_map<std::string, Named> launches_;
  std::unordered_set<std::string> given_;
  std::unordered_map<std::string, std::size_t> unnamed_;
  std::uint64_t links_ = 0;                ///< of items where one stands for several
  std::uint64_t waiting_ = 1;              ///< launches whose list is being read
  std::optional<std::uint32_t> device_{};  ///< of which they name launches
};

}  // namespace gdsim
