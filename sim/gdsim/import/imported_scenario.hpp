#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/import/compiled_kernel.hpp>
#include <gdsim/report/sink.hpp>
#include <gdsim/yaml/yaml_value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gdsim {

/// The user's request for launches of kernels.
struct LaunchRequest {
  std::optional<std::uint64_t> block;  ///< work-items per work-group; nullopt: kDefaultBlock, or what a kernel allows
  Bytes shared;                        ///< shared local memory that is given at launch
  bool device_reserves_slm = false;    ///< see reserves_shared_memory()
};

inline constexpr std::uint64_t kDefaultBlock = 256;

/// The launch of one kernel, and the needs of one of its work-groups.
struct LaunchPlan {
  std::uint64_t block = 0;
  std::uint64_t static_slm = 0;   ///< bytes
  std::uint64_t dynamic_slm = 0;  ///< bytes, in addition
  bool large_grf = false;
  std::string largest;  ///< the largest block and its reason, for people: `96, its launch bound`
};

/// Returns the largest work-group that the file says may be launched, or nullopt if it does not say.
std::optional<std::uint64_t> largest_group(const CompiledKernel& kernel);

/// Applies the request to this kernel. Adds a problem if the kernel was not compiled for this block, or if no model can
/// express the kernel.
LaunchPlan plan_launch(const CompiledKernel& kernel, const LaunchRequest& request, Diagnostics& problems);

/// The steps of an imported kernel in a scenario, with comments on them.
struct ImportedProgram {
  std::vector<std::string> comments;  ///< above the kernel: bounds, accesses, what was assumed
  std::vector<std::pair<std::string, std::uint64_t>> parameters;
  std::optional<std::uint64_t> in_flight{};           ///< bytes of a thread
  std::optional<std::uint32_t> dependence{};          ///< instructions under way at once
  std::optional<std::uint64_t> shared_working_set{};  ///< bytes
  std::string working_set_reason{};
  std::string partial_stores{};      ///< lines whose stores write parts of sectors, as in `57, 61`
  YamlValue steps{};                 ///< empty: a placeholder
  std::vector<std::string> reasons;  ///< why it is a placeholder
};

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
  bool device_has_memory = false;             ///< to which registers are spilled; without it, no kernel spills
};

/// Writes the scenario as YAML: kernels with their steps or `program: placeholder`, one launch of each in one in-order
/// queue, and the expected occupancy.
void write_imported_scenario(const ImportedScenario& scenario, Sink& sink);

/// Describes for people what slows a kernel down besides its registers: spills with their traffic, and stack. Empty if
/// there are none.
std::string spill_words(const CompiledKernel& kernel, std::uint64_t block);

/// Returns a unique name for each kernel in a scenario: without its type if that is unique, else with its type, else
/// with a number. Names are printable and have at most 160 characters.
std::vector<std::string> keys_of(const std::vector<CompiledKernel>& kernels);

}  // namespace gdsim
