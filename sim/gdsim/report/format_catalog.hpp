#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/report/sink.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace gdsim {

/// What a format needs a run to keep.
enum class Keeps : std::uint8_t {
  nothing,
  timeline,
  cores,
  core_groups,  ///< the cores, of a device that has groups of them
  work_groups,
  group_states,
  launches,
  processes,    ///< which had the device when, under preemption: nothing more is kept
  repetitions,  ///< all, of a run that is repeated
  waits
};

/// One way to write a run down.
struct Format {
  std::string_view name;  ///< as in `--print NAME`
  std::string_view file;  ///< its file in an output folder
  Keeps keeps;
  void (*write)(const RunReport& report, Sink& sink);
};

/// timeline, cores, phases, work-groups, summary, launches, kernels, group-states, graph, time-use: the files of `-o
/// DIR`, in this order; on a device with groups of cores, also groups; under preemption, slices; of a run that is
/// repeated, repetitions and bands.
std::vector<Format> built_in_formats();

/// Formats of other tools, written only on request: block-times.
std::vector<Format> export_formats();

}  // namespace gdsim
