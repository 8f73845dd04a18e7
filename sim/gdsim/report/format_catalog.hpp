#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/csv/csv_tables.hpp>
#include <gdsim/report/sink.hpp>

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace gdsim {

/// The data that a run must keep for a format.
enum class Keeps : std::uint8_t {
  nothing,
  timeline,
  cores,
  core_groups,  ///< the cores, on a device with core groups
  work_groups,
  group_states,
  launches,
  processes,    ///< which used the device when, under preemption; the record has it
  repetitions,  ///< all runs of a repeated run
  waits,
  tiles  ///< that work-groups take
};

/// An output format of a run.
struct Format {
  std::string_view name;  ///< as in `--print NAME`
  std::string_view file;  ///< its file in an output folder
  Keeps keeps;
  std::function<void(const RunReport& report, Sink& sink)> write;
  std::string_view vendor = {};     ///< only for devices of this vendor, whose tool's words it uses; empty: for all
  const CsvTable* table = nullptr;  ///< with its columns; null: it is none, or of another tool
};

/// The files of `-o DIR`, in this order. Only a device with core groups, a run under preemption, or a repeated run has
/// those that keep core_groups, processes, or repetitions.
std::vector<Format> built_in_formats();

/// Formats of other tools, written only on request.
std::vector<Format> export_formats();

}  // namespace gdsim
