#pragma once

#include <gdsim/scenario/read_scenario.hpp>
#include <gdsim/scenario/scenario_reader.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gdsim {

/// A value that replaces another in a scenario.
struct ScenarioValue {
  std::string path;  ///< full, see full_path()
  YamlNode value;
};

/// A scenario file from which scenarios are made that differ in a few values. The file and its models are read once.
/// Not thread-safe.
class ScenarioTemplate {
 public:
  /// Reads the text of a scenario file with its case and overrides; models given by path are looked up in the folder
  /// `near`. `source`, `options` and `sources` must outlive this. Throws InputError with all problems if the text is
  /// not YAML, if an override cannot be followed, or if the file has several cases and none is chosen.
  ScenarioTemplate(const SourceText& source, std::filesystem::path near, const ReadOptions& options,
                   SourceFiles& sources);
  ScenarioTemplate(const ScenarioTemplate&) = delete;
  ScenarioTemplate& operator=(const ScenarioTemplate&) = delete;

  /// Returns the file's text.
  const std::string& text() const { return source_.text(); }
  /// Returns the scenario as a mapping, case and overrides applied, its expressions not evaluated.
  const YamlNode& root() const { return root_; }

  /// Returns the full path of a value whose path may be abbreviated. Throws InputError, which begins with `option`, if
  /// no value can be set there.
  std::string settable_path(const std::string& path, const std::string& option) const;
  /// Parses the text a user wrote for a full path; `text` must outlive the value. Returns nullopt if it is not YAML.
  static std::optional<ScenarioValue> parse_value(std::string path, const SourceText& text, Diagnostics& problems);

  /// Returns the scenario with these values. Throws InputError with all its problems.
  Scenario read(std::span<const ScenarioValue* const> values);
  /// Returns the value at a full path as it would be written, expressions evaluated, or nullopt if there is none. If
  /// the scenario only names the device, the device's own value counts.
  std::optional<std::string> own_value(const std::string& path);
  /// Returns the terms of the device's vendor, or the neutral terms if the device cannot be read.
  Terms own_words();

 private:
  const SourceText& source_;
  std::filesystem::path near_;
  ModelLibrary models_;
  ScenarioReader reader_;
  YamlNode root_;
};

}  // namespace gdsim
