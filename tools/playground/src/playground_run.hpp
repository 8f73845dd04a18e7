#pragma once

#include <gdsim/points/kept_run.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim::playground {

/// The folder of the device models, among the files that are built in.
inline constexpr const char* kModels = "/models";

/// A request of the page: a scenario, and what its controls replace in it.
struct Request {
  std::string name;  ///< of the scenario's file, for messages; devices that it names by a path are looked up beside it
  std::string text;
  std::string only_case;  ///< empty: the first, where there are several
  std::vector<Override> overrides;
};

/// A scenario that was run, and what its page shows. For one thread at a time.
class PlaygroundRun {
 public:
  /// Runs it. Throws InputError with all problems.
  explicit PlaygroundRun(Request request);

  const ScenarioCase& scenario() const { return cases_.front(); }
  /// What `gdsim report` writes.
  std::string page() const;
  /// The names that file() accepts, in the order of `gdsim run -o DIR`.
  std::vector<std::string> files() const;
  /// What `gdsim run --print` writes, by the file's name, or the scenario as it was run. Runs again, for what the page
  /// need not keep. Throws InputError if there is no such file.
  std::string file(std::string_view name) const;

 private:
  RunReport report(const KeptRun& run) const;

  Request request_;
  SourceFiles sources_;
  std::vector<ScenarioCase> cases_;  ///< one
  std::optional<Compiled> compiled_;
  std::vector<std::string> notes_;  ///< placement_notes()
  std::unique_ptr<const KeptRun> kept_;
};

/// The names of a scenario's cases, as far as they can be read; nothing if the text is no YAML.
std::optional<std::vector<std::string>> case_names(const std::string& text);

}  // namespace gdsim::playground
