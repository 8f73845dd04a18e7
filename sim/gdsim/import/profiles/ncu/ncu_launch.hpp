#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/profiles/profile.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace gdsim {

/// A metric as Nsight Compute printed it.
struct NcuMetric {
  std::string value;
  std::string unit;
};

/// Nsight Compute's data on one launch, from any of its formats.
struct NcuLaunch {
  std::string name;
  std::string stream;
  std::string device;
  std::string capability;  ///< `8.6`
  std::string grid;        ///< `(64, 64, 1)`; empty: only as metrics
  std::string block;
  /// By names of the raw page (`launch__registers_per_thread`) or of the details page (`Registers Per Thread`).
  std::map<std::string, NcuMetric, std::less<>> metrics;
  std::uint64_t place = 0;
};

/// Returns true if add_ncu_launch() reads the metric of this name on the details page.
bool is_ncu_metric(std::string_view name);

/// Adds the launch to a profile. It has a measured duration but no start. Throws InputError if a required number cannot
/// be read. A number that Nsight Compute could not measure (`n/a`, `nan`) counts as missing.
void add_ncu_launch(Profile& profile, const NcuLaunch& launch);

/// Returns true if the metric, by its name on the raw page, is an input of ncu_counters().
bool is_ncu_counter(std::string_view name);

/// Returns what Nsight Compute counted for the launch, or nullopt unless it counted instructions, bytes behind the L1
/// caches, and bytes of the DRAM. The profile's notes say once what else was not counted and what is assumed instead.
/// Throws InputError if a number cannot be read.
std::optional<ProfiledCounters> ncu_counters(Profile& profile, const NcuLaunch& launch);

/// Returns true if the text has a table of Nsight Compute: its details page (a row for each metric) or its raw page (a
/// row for each launch).
bool has_ncu_table(std::string_view text);

/// Reads all such tables of the text. Throws InputError with the line if a row or a number cannot be read.
void read_ncu_csv(const SourceText& source, Profile& profile);

/// Returns true if the text is Nsight Compute's output for people, possibly mixed with the program's output.
bool is_ncu_text(std::string_view text);

/// Reads its launches. Throws InputError with the line if a number cannot be read.
void read_ncu_text(const SourceText& source, Profile& profile);

/// Returns true if the bytes are those of a report file of Nsight Compute (`.ncu-rep`).
bool is_ncu_report(std::string_view bytes);

/// Reads its launches. Throws InputError with the offset if the file is cut off or damaged.
void read_ncu_report(std::string_view bytes, Profile& profile);

}  // namespace gdsim
