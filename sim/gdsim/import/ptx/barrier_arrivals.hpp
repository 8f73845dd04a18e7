#pragma once

#include <gdsim/import/ptx/kernel_profile.hpp>
#include <gdsim/import/ptx/warp_classes.hpp>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace gdsim {

/// The arrivals of warps at the barriers of a kernel. Barriers of PTX have numbers; instructions with one number are
/// one barrier, wherever they stand.
class BarrierArrivals {
 public:
  BarrierArrivals(const KernelProfile& profile, const std::vector<WarpClass>& classes);

  /// Returns true if all warps arrive equally often at each instruction.
  bool are_even() const { return are_even_; }
  /// The step for a barrier: nameless if all warps arrive equally often at its number.
  std::string step_of(std::uint32_t instruction) const;
  /// The step for an arrival without waiting.
  std::string signal_of(std::uint32_t instruction) const;
  /// Unless empty, why warps wait for each other for ever: they arrive at a number, but not equally often.
  std::string reason_of(std::uint32_t instruction) const;

 private:
  std::string number_of(std::uint32_t instruction) const;

  const KernelProfile& profile_;
  std::map<std::string, std::vector<std::uint64_t>> arrivals_;  ///< by number: of a warp of each class
  std::set<std::string> signalled_;                             ///< numbers at which some arrive without waiting
  bool are_even_ = true;
};

}  // namespace gdsim
