#pragma once

#include <gdsim/counterfactual/counterfactual.hpp>
#include <gdsim/points/kept_run.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim::playground {

/// The folder of the device models among the built-in files.
inline constexpr const char* kModels = "/models";

/// A request of the page: a scenario and the values that its controls replace.
struct Request {
  std::string name;  ///< of the scenario's file, for messages; paths of devices are relative to its folder
  std::string text;
  std::string only_case;  ///< empty: the first if there are several
  std::vector<Override> overrides;
};

/// A completed run of a scenario and its page. For one thread at a time.
class PlaygroundRun {
 public:
  /// Runs it. Throws InputError with all problems.
  explicit PlaygroundRun(Request request);

  const ScenarioCase& scenario() const { return cases_.front(); }
  /// Returns the output of `gdsim report`.
  std::string page() const;
  /// Returns the names that file() accepts, in the order of `gdsim run -o DIR`.
  std::vector<std::string> files() const;
  /// Returns the output of `gdsim run --print` for a file's name, or the scenario as it was run. Repeats the run for
  /// data that the page does not keep. Throws InputError if there is no such file.
  std::string file(std::string_view name) const;

 private:
  RunReport report(const KeptRun& run) const;

  Request request_;
  SourceFiles sources_;
  std::vector<ScenarioCase> cases_;  ///< one
  std::optional<Compiled> compiled_;
  std::vector<std::string> notes_;  ///< further_notes()
  std::optional<Answer> answer_;
  std::unique_ptr<const KeptRun> kept_;
};

/// Returns the names of a scenario's cases that can be read, or nullopt if the text is not YAML.
std::optional<std::vector<std::string>> case_names(const std::string& text);

}  // namespace gdsim::playground
