#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/compile/compile.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/run/simulate.hpp>
#include <gdsim/scenario/scenario.hpp>
#include <gdsim/scenario/source_files.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gdsim {

/// A value that replaces one of a scenario before it is read, as on the command line.
struct Override {
  std::string path;   ///< `kernels.k.global`, `launches.0.at`, `device.cores`, or a short name: `tile`, `local`
  std::string value;  ///< as it would be written in the file
};

/// Options for reading a scenario file.
struct ReadOptions {
  std::vector<Override> overrides{};                  ///< in order; they win over a case's values and expectations
  std::vector<std::filesystem::path> models{};        ///< folders in which device models are looked up, in order
  std::vector<OwnPlacement> own_placements{};         ///< placements that a dispatch may name beside the built-in ones
  std::vector<OwnKernelChoice> own_kernel_choices{};  ///< the same for kernel choices
  std::string only_case{};                            ///< the one case to read; empty: all
};

/// A scenario file that was read. It can be moved.
struct ScenarioFile {
  SourceFiles sources;              ///< the places of expectations refer to these texts, which must outlive them
  std::vector<ScenarioCase> cases;  ///< at least one
};

/// Reads a scenario file (`-`: standard input) with all its cases. Throws InputError with all its problems at once,
/// each with its place. Any number of threads may read at the same time.
///
///     gdsim::ReadOptions options;
///     options.models = {"/usr/share/gdsim/models"};
///     options.overrides = {{.path = "dispatch.ports", .value = "3"}};
///     for (const gdsim::ScenarioCase& one : gdsim::read_scenario("mine.yaml", options).cases)
///       std::cout << one.scenario.title << '\n';
ScenarioFile read_scenario(const std::filesystem::path& file, const ReadOptions& options = {});
/// The same, where the caller keeps the texts of several files together, or listens to what is read: `sources` keeps
/// the texts, and is used by one thread at a time.
std::vector<ScenarioCase> read_scenario(const std::filesystem::path& file, const ReadOptions& options,
                                        SourceFiles& sources);
/// Reads a scenario from a text. Paths of device files are relative to `near`. The text must outlive `sources`' marks.
std::vector<ScenarioCase> read_scenario(const SourceText& source, const std::filesystem::path& near,
                                        const ReadOptions& options, SourceFiles& sources);

/// A scenario file from which scenarios are made that differ in a few values. The file and its models are read once.
/// Not thread-safe; several threads need one each.
///
///     gdsim::ScenarioMaker maker("gemm.yaml");
///     for (const char* tile : {"32", "64"}) {
///       const gdsim::Override value{.path = "tile", .value = tile};
///       const gdsim::Scenario one = maker.make({&value, 1});
///       std::cout << tile << ": " << one.workload.launches.size() << " launches\n";
///     }
class ScenarioMaker {
 public:
  /// Reads the file (`-`: standard input). Throws InputError with all problems if it is not YAML, if an override cannot
  /// be followed, or if it has several cases and `options` selects none.
  explicit ScenarioMaker(const std::filesystem::path& file, ReadOptions options = {});
  /// Reads a text, called `name` in messages. Paths of device files are relative to `near`.
  ScenarioMaker(std::string name, std::string text, std::filesystem::path near, ReadOptions options = {});
  ~ScenarioMaker();
  ScenarioMaker(const ScenarioMaker&) = delete;
  ScenarioMaker& operator=(const ScenarioMaker&) = delete;

  /// Returns the scenario with these values in place of its own, applied after the overrides of `options`. Throws
  /// InputError with all problems, each with its place, also if the device refuses to run it. The places of its
  /// expectations are valid until the next call.
  Scenario make(std::span<const Override> values = {});

  /// The maximum number of overrides whose values stay read for further calls, which bounds the memory.
  static constexpr std::size_t kValuesKept = 4'096;

  /// Returns every text that was read so far: the scenario, then the models.
  const SourceFiles& sources() const;

 private:
  struct Parts;

  std::unique_ptr<Parts> parts_;
};

/// Compiles a scenario without refusals, without a copy of its workload: the scenario must outlive the result and stay
/// unchanged. Throws InputError if it cannot run for another reason, or if it has several devices. Thread-safe.
///
///     const gdsim::ScenarioFile file = gdsim::read_scenario("mine.yaml");
///     const gdsim::Scenario& scenario = file.cases.front().scenario;
///     const gdsim::Compiled compiled = gdsim::compile_scenario(scenario);
///     const gdsim::RunResult run = gdsim::simulate(compiled, gdsim::run_options_of(scenario));
Compiled compile_scenario(const Scenario& scenario);
Compiled compile_scenario(const Scenario&& scenario) = delete;

/// Returns the run options that the file sets: its `min_phase`. Run `number` of `repeat`, from 0, has its own seeds.
/// The caller adds observers, bounds and stops. Thread-safe.
RunOptions run_options_of(const Scenario& scenario, std::uint64_t number = 0);

/// Reads the device that a model describes: a name, `h100-sxm`, which is looked up in the folders in their order, or
/// the path of a file, which has a '/' or ends in .yaml. `gdsim devices` lists the names; an installed gdsim has its
/// models in share/gdsim/models. Throws InputError with every problem of the model and its place. Thread-safe.
///
///     const gdsim::DeviceSpec h100 = gdsim::read_device_model("h100-sxm", {"/usr/share/gdsim/models"});
///     std::cout << h100.name << ": " << h100.contexts_total() << " contexts\n";
DeviceSpec read_device_model(const std::string& name_or_path, const std::vector<std::filesystem::path>& folders);

}  // namespace gdsim
