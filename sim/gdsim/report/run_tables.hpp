#pragma once

#include <gdsim/compile/compile.hpp>
#include <gdsim/run/simulate.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// The names of the tables of a run: `timeline`, `cores`, `phases`, `work-groups`, `launches`, `kernels`,
/// `group-states`, `time-use` (CSV), `summary`, `block-times` (JSON), `graph` (Graphviz), on a device with core groups
/// also `groups`, under preemption `slices`, and on a device of NVIDIA `ncu` (CSV). `gdsim help outputs` describes
/// them. Times are in nanoseconds. Thread-safe.
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
/// For one run, and for one thread at a time. After the run has ended, any number of threads may write from one object.
class RunTables {
 public:
  /// Makes the tables with these names; those with a heading begin with `title`. Throws InputError if a name is not one
  /// of run_table_names(), if `groups` is named and the device has no core groups, or if `slices` is named and the
  /// rules have no preemption.
  RunTables(const Compiled& compiled, const std::vector<std::string>& names, std::string title = {});
  ~RunTables();

  /// Adds the observers that collect the rows to the options. This object must outlive the run. Throws InputError if
  /// watch() was called before.
  void watch(RunOptions& options);

  /// Writes a table of the watched run to a std::ostream, or another type with such a write(characters, count).
  /// Exceptions of `out` are passed on. Throws InputError if the table was not named, the run was not watched, or `run`
  /// is not a result of the same workload.
  template <class Stream>
  void write(std::string_view name, const RunResult& run, Stream& out) const {
    const auto write_piece = [](void* to, std::string_view piece) {
      static_cast<Stream*>(to)->write(piece.data(), static_cast<std::ptrdiff_t>(piece.size()));
    };
    write_pieces(name, run, write_piece, &out);
  }
  /// Returns what write() would write.
  std::string text(std::string_view name, const RunResult& run) const;

 private:
  struct Parts;

  void write_pieces(std::string_view name, const RunResult& run, void (*write_piece)(void* to, std::string_view piece),
                    void* to) const;

  std::unique_ptr<Parts> parts_;
};

}  // namespace gdsim
