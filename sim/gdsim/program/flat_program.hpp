#pragma once

#include <gdsim/program/drift.hpp>
#include <gdsim/program/program_plan.hpp>
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

// Rule, to the picosecond: amounts.
//
// A step's time is exact, is multiplied by its work-group's written factor, and is rounded once to a picosecond, halves
// up; so are bytes, to whole ones. `first_wave` multiplies the written factor, or 1, exactly, before anything is
// rounded; it applies to a work-group on whose first core no thread of its launch had ended when its first thread was
// placed. A drawn factor is in billionths; it multiplies whole picoseconds or bytes, and the product is rounded halves
// up, to at least 1. Latencies of `slm` steps vary with the factor; costs of barriers and latencies of memory do not. A
// loop in which a thread executes nothing but `compute` steps, or nothing but one `issue`, `memory`, `store` or
// (without latency) `slm` step, is one piece of work, inner loops included: a drawn factor multiplies the piece as a
// whole, and a written one its bytes as a whole. An `issue` with accesses to L1 is two works at once, see
// instruction_cycles.hpp.

// Rule, to the picosecond: empty lanes.
//
// Thread t of a work-group of n work-items has min(sub_group, n - t x sub_group) of them, where n is that of a full
// work-group. `slm` and `atomic` steps use this number of lanes; all else is the same for every thread.

/// The rounding of a part of an op's cost to whole picoseconds or bytes.
enum class CostRounding : std::uint8_t {
  each,        ///< a time: rounded once, halves up, then multiplied by `times`; bytes: multiplied, then rounded, halves
               ///< up
  together_up  ///< a time: multiplied by `times`, then rounded up; so no rounding makes an engine faster than its rates
};

/// A part of an op's cost, counted `times` times: a time or a number of bytes, multiplied by a work-group's factor and
/// rounded.
struct CostPart {
  std::optional<StepTime> time;
  Bytes bytes;
  std::uint64_t times = 1;
  CostRounding rounding = CostRounding::each;
};

using Cost = std::vector<CostPart>;

/// Returns picoseconds, or bytes, times both factors, or nullopt if that exceeds 63 bits.
std::optional<std::int64_t> amount_of(const Cost& cost, Hertz clock, const Decimal& factor,
                                      const Decimal& more = Decimal::whole(1));

/// An op and its cost.
struct PlannedOp {
  Op op;
  Cost cost;
  std::vector<PhaseCount> phases{};  ///< tile_end: the thread's arrivals and waits in the body
};

/// Returns the path of one thread through a kernel's program. `first_op` is the number of its first op; in loops,
/// threads of odd parts (`part`, see drift_parts()) are served first where those of even parts are last. Loops whose
/// body is a fixed time, or one piece of work on one resource, become one op: their iterations cost nothing.
std::vector<PlannedOp> flatten(const Kernel& kernel, const DeviceSpec& device, const BarrierNames& barriers,
                               std::uint32_t thread, std::size_t first_op, std::size_t part = 0);

}  // namespace gdsim
