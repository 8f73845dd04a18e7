#pragma once

#include <gdsim/import/ptx/kernel_profile.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace gdsim {

/// Writes the counts of loops as numbers or expressions, and collects the parameters that these use.
class TripTexts {
 public:
  explicit TripTexts(const KernelProfile& profile) : profile_(profile) {}

  /// Of a loop of warps that have these counts and trips together, each `per` times.
  std::string count_text(std::uint32_t loop, const LoopCounts& counts, std::uint64_t trips, std::uint64_t per);

  const std::vector<std::pair<std::string, std::uint64_t>>& parameters() const { return parameters_; }

 private:
  void add_parameter(const std::string& name, const TripExpression& of);

  const KernelProfile& profile_;
  std::vector<std::pair<std::string, std::uint64_t>> parameters_;
};

}  // namespace gdsim
