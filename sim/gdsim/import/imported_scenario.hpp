#pragma once

#include <gdsim/import/compiled_kernel.hpp>
#include <gdsim/import/imported_program.hpp>
#include <gdsim/import/launch_plan.hpp>
#include <gdsim/report/sink.hpp>

#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// A kernel as it will stand in a scenario.
struct ImportedKernel {
  CompiledKernel compiled;
  LaunchPlan plan;
  std::string key;   ///< its name in the scenario
  std::string file;  ///< where it comes from
  std::string mode;  ///< of the device; empty: the device has none, or the file does not say
  std::uint64_t groups = 0;
  std::string groups_origin;                 ///< for people: `--grid`, `as many as the device holds at once`
  std::optional<ImportedProgram> program{};  ///< nothing: none was wanted
};

/// What a scenario of imported kernels says.
struct ImportedScenario {
  std::string title;
  std::string device;  ///< as the scenario names it
  std::vector<ImportedKernel> kernels;
  std::vector<std::string> notes;             ///< what the files did not hold, each a sentence
  std::optional<std::string> peak_percent{};  ///< of the device's contexts; nothing: it depends on the launch
};

/// Writes the scenario as YAML: kernels with their steps or `program: placeholder`, one launch of each in one in-order
/// queue, and the occupancy that is expected.
void write_imported_scenario(const ImportedScenario& scenario, Sink& sink);

/// What of a kernel slows it down beyond its registers, for people: spills with their traffic, and stack. Empty if
/// nothing does.
std::string spill_words(const CompiledKernel& kernel, std::uint64_t block);

}  // namespace gdsim
