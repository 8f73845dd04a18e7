#pragma once

#include <gdsim/import/compiled_kernel.hpp>
#include <gdsim/import/imported_program.hpp>
#include <gdsim/import/launch_plan.hpp>
#include <gdsim/report/sink.hpp>

#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// A kernel as it will be in a scenario.
struct ImportedKernel {
  CompiledKernel compiled;
  LaunchPlan plan;
  std::string key;   ///< its name in the scenario
  std::string file;  ///< its source
  std::string mode;  ///< of the device; empty: the device has none, or the file does not say
  std::uint64_t groups = 0;
  std::string groups_origin;                 ///< for people: `--grid`, `as many as the device holds at once`
  std::optional<ImportedProgram> program{};  ///< nullopt: none was requested
};

/// The content of a scenario of imported kernels.
struct ImportedScenario {
  std::string title;
  std::string device;  ///< as the scenario names it
  std::vector<ImportedKernel> kernels;
  std::vector<std::string> notes;             ///< what the files lack, each a sentence
  std::optional<std::string> peak_percent{};  ///< of the device's contexts; nullopt: it depends on the launch
};

/// Writes the scenario as YAML: kernels with their steps or `program: placeholder`, one launch of each in one in-order
/// queue, and the expected occupancy.
void write_imported_scenario(const ImportedScenario& scenario, Sink& sink);

/// Describes for people what slows a kernel down besides its registers: spills with their traffic, and stack. Empty if
/// there are none.
std::string spill_words(const CompiledKernel& kernel, std::uint64_t block);

}  // namespace gdsim
