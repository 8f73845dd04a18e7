#pragma once

#include "compiled/compiled_input.hpp"
#include "options/options.hpp"
#include "terminal/program.hpp"

#include <gdsim/report/sink.hpp>
#include <gdsim/scenario/device/model_library.hpp>

#include <filesystem>
#include <string>

namespace gdsim::cli {

/// `gdsim occupancy --table FILE.csv`: writes the file's rows, each followed by its answer. A row that cannot be read
/// gets the status `error: ...`, and the exit status is bad_input. Throws InputError if the file is not a table.
ExitStatus write_occupancy_table(const std::filesystem::path& file, ModelLibrary& models, SourceFiles& sources,
                                 Sink& sink);
/// The same for a table that was read already. Paths of device files are relative to `near`.
ExitStatus write_occupancy_table(const SourceText& source, const std::filesystem::path& near, ModelLibrary& models,
                                 Sink& sink);

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
