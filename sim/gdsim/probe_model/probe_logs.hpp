#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/probe_model/probe_table.hpp>
#include <gdsim/scenario/source_files.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// The header of the probe's tables, about the device.
struct ProbeFacts {
  std::string device;
  std::string architecture;  ///< `cc-9.0`, `gfx90a`
  std::string runtime;
  std::string driver;
  std::string date;  ///< of the first table, YYYY-MM-DD
  std::uint32_t cores = 0;
  std::uint32_t threads_per_core = 0;
  std::int64_t shared_bytes_per_core = 0;
  std::int64_t l2_bytes = 0;       ///< 0: not known
  std::int64_t clock_hertz = 0;    ///< of cores, measured; 0: not known
  std::int64_t timer_step_ns = 0;  ///< step of the timer
  std::int64_t clock_bits = 0;     ///< 64: cycles can be counted
};

/// The readable tables of one device, and the tables left out.
struct ProbeLogs {
  ProbeFacts facts;
  std::vector<ProbeTable> tables;
  std::vector<Diagnostic> left_out;  ///< why tables are missing, each with its place

  /// Null if there is no such table.
  const ProbeTable* find(std::string_view experiment, std::string_view table) const;
};

/// Reads the probe's tables: all of a folder, or single files. A table that is damaged, or whose header names another
/// device than most of the others, is left out with its problems. Throws InputError with all problems if nothing is
/// left. `sources` must outlive the result.
ProbeLogs read_probe_logs(const std::vector<std::string>& paths, SourceFiles& sources);

}  // namespace gdsim
