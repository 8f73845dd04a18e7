#pragma once

#include "compiled/compiled_input.hpp"
#include "options/options.hpp"

#include <gdsim/report/sink.hpp>

#include <string>

namespace gdsim::cli {

/// The occupancy of every kernel of a compiler's files: one row each, or, for --vary local, one for each size of
/// work-group that the kernel allows.
class CompiledOccupancy {
 public:
  /// `varies_local`: --vary local.
  CompiledOccupancy(const CompiledAnswer& answer, bool varies_local) : answer_(answer), varies_local_(varies_local) {}

  /// For a person.
  std::string text() const;
  /// The tables of Nsight Compute's calculator. Throws UsageError for a device that it does not know.
  std::string ncu_text() const;
  void write_csv(Sink& sink) const;
  std::string json() const;

 private:
  const CompiledAnswer& answer_;
  bool varies_local_;
};

/// Throws UsageError for an argument that is not a file, and for options of `gdsim occupancy` whose values come from
/// the file of compiled kernels.
void require_fit_for_compiled(const Options& options);

}  // namespace gdsim::cli
