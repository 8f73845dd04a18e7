#pragma once

#include <gdsim/compile/compile.hpp>
#include <gdsim/run/simulate.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// What a run can be written as: `timeline`, `cores`, `phases`, `work-groups`, `launches`, `kernels`, `group-states`,
/// `time-use` (CSV), `summary`, `block-times` (JSON), `graph` (Graphviz), and where a device has groups of cores
/// `groups`, under preemption `slices` (CSV). `gdsim help outputs` says what stands in them; times are in nanoseconds.
/// Thread-safe.
std::vector<std::string_view> run_table_names();

/// The tables of one run, byte for byte as `gdsim run --print` writes them; no scenario file is named in them.
///
///     const gdsim::Compiled compiled = gdsim::compile(device, workload).value();
///     gdsim::RunTables tables(compiled, {"timeline", "summary"});
///     gdsim::RunOptions options;
///     tables.watch(options);
///     const gdsim::RunResult run = gdsim::simulate(compiled, options);
///     tables.write("timeline", run, std::cout);
///     const std::string json = tables.text("summary", run);
///
/// For one thread at a time, and for one run; any number of threads may write from one whose run has ended.
class RunTables {
 public:
  /// Makes the tables with these names; those that have a heading begin with `title`. Throws InputError if a name is
  /// not one of run_table_names(), or if the device has no core groups, or the rules no preemption, for a table of
  /// them.
  RunTables(const Compiled& compiled, const std::vector<std::string>& names, std::string title = {});
  ~RunTables();
  RunTables(const RunTables&) = delete;
  RunTables& operator=(const RunTables&) = delete;

  /// Adds the observers that collect the rows to the options. This object must outlive the run. Throws InputError if it
  /// was called before.
  void watch(RunOptions& options);

  /// Writes a table of the run that was watched to a std::ostream, or whatever has such a write(characters, count).
  /// What that throws is thrown. Throws InputError if the table was not asked for, the run was not watched, or the
  /// result is not one of the same workload.
  template <class Stream>
  void write(std::string_view name, const RunResult& run, Stream& out) const {
    const auto write_piece = [](void* to, std::string_view piece) {
      static_cast<Stream*>(to)->write(piece.data(), static_cast<std::ptrdiff_t>(piece.size()));
    };
    write_pieces(name, run, write_piece, &out);
  }
  /// The same, as a text.
  std::string text(std::string_view name, const RunResult& run) const;

 private:
  struct Parts;

  void write_pieces(std::string_view name, const RunResult& run, void (*write_piece)(void* to, std::string_view piece),
                    void* to) const;

  // Not a unique_ptr: <memory> takes longer to compile than this header.
  Parts* parts_;  ///< owned
};

}  // namespace gdsim
