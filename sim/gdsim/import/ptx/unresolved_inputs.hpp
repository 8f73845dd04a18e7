#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/ptx/lane_values.hpp>
#include <gdsim/import/ptx/prepared_kernel.hpp>

#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace gdsim {

/// What a kernel's PTX and arguments leave open: each once, with its line and the option that resolves it; and which
/// of these options were needed.
class UnresolvedInputs {
 public:
  UnresolvedInputs(const PreparedKernel& kernel, const PtxLaunch& launch, const SourceText& source)
      : kernel_(kernel), launch_(launch), source_(source) {}

  /// Sectors of a request whose address is not known; nothing: that is unresolved now.
  std::optional<std::uint32_t> sectors_of(std::uint32_t instruction, const LaneValues& address);
  /// Whether all lanes take a branch of whose predicate some are not known. `iteration`: of the loop that it may leave,
  /// from 1. Where no option says so, that is unresolved now.
  bool is_taken(std::uint32_t instruction, const LaneValues& predicate, const std::vector<std::uint64_t>& iterations);
  /// A predicate of anything else is not known.
  void add_predicate(std::uint32_t instruction, const LaneValues& predicate);

  /// What the instruction does cannot be; no option answers it.
  void refuse(std::uint32_t instruction, const std::string& why) { add(instruction, why); }

  bool empty() const { return problems_.empty(); }
  /// Throws InputError with all that is unresolved, and all options that nothing needs.
  void throw_if_any();

 private:
  void add(std::uint32_t instruction, const std::string& what);
  std::string reason(const LaneValues& unknown) const;
  std::string loop_name(std::uint32_t loop) const;
  std::optional<std::uint64_t> trips_of(std::uint32_t loop, std::uint32_t branch);
  std::optional<std::uint32_t> loop_left_by(std::uint32_t block, std::uint32_t target) const;

  const PreparedKernel& kernel_;
  const PtxLaunch& launch_;
  const SourceText& source_;
  Diagnostics problems_;
  std::set<std::uint32_t> added_;  ///< instructions
  std::set<std::string> used_trips_;
  std::set<std::uint32_t> used_branches_;
  bool is_gather_used_ = false;
};

}  // namespace gdsim
