#pragma once

#include <gdsim/workload/program.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gdsim {

/// A kernel's barrier_names() and the position of each; then the barriers at which work-groups wait for each other and
/// for preceding launches, those at which their threads arrive before they take tiles, and the flags of launches. Not
/// copied: it refers to itself.
class BarrierNames {
 public:
  explicit BarrierNames(const Program& program);
  BarrierNames(const BarrierNames&) = delete;
  BarrierNames& operator=(const BarrierNames&) = delete;

  std::uint32_t size() const { return static_cast<std::uint32_t>(names_.size()); }
  const std::vector<std::string>& all() const { return names_; }
  /// Returns the grid barrier, or nullopt if no thread waits there.
  std::optional<std::uint32_t> grid() const { return grid_; }
  std::optional<std::uint32_t> dependencies() const { return dependencies_; }
  /// Returns the barrier before each tile of the program's step `tiles` with this number, from 0; nullopt: it has none.
  std::optional<std::uint32_t> tile_barrier(std::size_t number) const { return tile_barriers_[number]; }
  std::uint32_t at(const std::string& name) const { return positions_.at(name); }
  /// Returns true if a wait passes before its first signal, see initially_passed().
  bool some_pass_initially() const { return some_pass_initially_; }
  /// Returns the flags, which are the last of all.
  const std::vector<FlagName>& flags() const { return flags_; }
  std::uint32_t at(const FlagName& flag) const { return size() - flag_count() + flag_positions_.at(flag); }

 private:
  std::uint32_t flag_count() const { return static_cast<std::uint32_t>(flags_.size()); }

  std::vector<std::string> names_;
  bool some_pass_initially_ = false;
  std::vector<FlagName> flags_;
  std::map<FlagName, std::uint32_t> flag_positions_;               ///< into flags_
  std::unordered_map<std::string_view, std::uint32_t> positions_;  ///< into names_, which stay where they are
  std::optional<std::uint32_t> grid_;
  std::optional<std::uint32_t> dependencies_;
  std::vector<std::optional<std::uint32_t>> tile_barriers_;  ///< by step `tiles`
};

}  // namespace gdsim
