#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/scenario/read_scenario.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// A case as declared: its name, the values it sets, and its expectations. Refers to the nodes from which it was read.
struct CaseDeclaration {
  std::string name;
  const YamlNode* set = nullptr;
  const YamlNode* expect = nullptr;
};

/// Reads a scenario's `cases:`.
std::vector<CaseDeclaration> read_case_list(const YamlNode& node, const ValueReader& values);

/// The problems of a scenario file: its own, and those found when its cases are read one by one.
class CaseProblems {
 public:
  /// Returns the problems of the file as a whole, to which callers add.
  Diagnostics& of_file() { return of_file_; }
  /// Adds the problems found in one case. A problem that all cases share is found in each of them.
  void add_case(const std::string& name, const Diagnostics& found) { cases_.push_back({name, found.problems()}); }

  bool empty() const;
  /// Returns every problem once, in the order of the files' lines. A problem of only some cases names those cases.
  std::vector<Diagnostic> merged() const;

 private:
  struct OfCase {
    std::string name;
    std::vector<Diagnostic> problems;
  };

  Diagnostics of_file_;
  std::vector<OfCase> cases_;
};

/// The cases of a scenario file, and the scenario of each. Not thread-safe.
class ScenarioCases {
 public:
  /// `file`: the whole file. Reads its `cases:`, which are no part of a case, and the overrides. Adds all problems,
  /// among them wanted cases that do not exist. `sources` keeps the texts of overrides.
  ScenarioCases(YamlNode file, const ReadOptions& options, SourceFiles& sources, Diagnostics& problems);
  ScenarioCases(const ScenarioCases&) = delete;
  ScenarioCases& operator=(const ScenarioCases&) = delete;

  /// Returns the wanted cases, in the order of the file. A file without cases has a single case without a name.
  const std::vector<CaseDeclaration>& wanted() const { return wanted_; }
  /// Returns the single wanted case. Throws InputError, which names the cases, if there are several.
  const CaseDeclaration& only_one() const;

  /// Returns the scenario of one wanted case: the file, then the values that the case sets, then its expectations, then
  /// the overrides; later values win. Must be called once for each case.
  YamlNode scenario_of(const CaseDeclaration& one, Diagnostics& problems);

 private:
  struct ReadOverride {
    std::string path;
    YamlNode value;
  };

  void choose(std::vector<CaseDeclaration> declared, const std::string& name, Diagnostics& problems);
  std::string known_text() const;

  YamlNode file_;  ///< without `cases:`
  YamlNode list_;  ///< the `cases:`, to which declarations refer; missing if the file has none
  SourceMark mark_;
  std::vector<CaseDeclaration> wanted_;
  std::vector<ReadOverride> overrides_;
};

/// A parameter that a case, `--set` or `--vary` adds to a scenario.
struct AddedParameter {
  std::string name;
  SourceMark mark;  ///< where it is set
};

/// Returns the parameter that setting this full path would add, or nullopt if it adds none.
std::optional<std::string> added_parameter(const YamlNode& scenario, std::string_view path);

/// Reports parameters that no expression of the scenario uses: they are usually misspelt.
void require_used(const YamlNode& scenario, const std::vector<AddedParameter>& added, Diagnostics& problems);

/// Sets a value at a full path as set_path() does, for `--set` and `--vary`. A number in place of the number at
/// `kernels.NAME.sub_group` keeps the kernel's work: the number of the file becomes its `program_sub_group`, unless it
/// has one.
void override_value(YamlNode& scenario, std::string_view path, const YamlNode& value, const SourceMark& where,
                    Diagnostics& problems);

/// Returns the full path of a scenario's value that may be given by a short name: a parameter's (`tile` for
/// `parameters.tile`) or, if there is only one kernel, a key of that kernel (`local` for `kernels.k.local`). Returns
/// any other path unchanged.
std::string full_path(const YamlNode& scenario, std::string_view path);

/// What to say of a full path that begins with no key of a scenario, but with the name of a kernel, queue or device,
/// or, among several kernels, with a key of a kernel: the path that is meant. Nothing: the path begins otherwise.
std::optional<std::string> path_hint(const YamlNode& scenario, std::string_view path);

}  // namespace gdsim
