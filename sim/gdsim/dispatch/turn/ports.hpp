#pragma once

#include <cstdint>
#include <optional>

namespace gdsim {

/// The ports of the device: slots of partially placed work-groups, shared by all its dispatchers.
class Ports {
 public:
  explicit Ports(std::optional<std::uint64_t> limit) : limit_(limit) {}

  bool has_free() const { return !limit_ || held_ < *limit_; }
  void hold() { ++held_; }
  void release() { --held_; }

 private:
  std::optional<std::uint64_t> limit_;
  std::uint64_t held_ = 0;
};

}  // namespace gdsim
