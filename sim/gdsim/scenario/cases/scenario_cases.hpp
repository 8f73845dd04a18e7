#pragma once

#include <gdsim/scenario/cases/case_list.hpp>
#include <gdsim/scenario/read_scenario.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// The cases of a scenario file, and what each makes of the file. For one thread at a time.
class ScenarioCases {
 public:
  /// `file`: the whole file. Reads its `cases:`, which are no part of a case, and the overrides. All problems are
  /// added, also that there is no case of the name that is wanted. `sources` keeps the texts of overrides.
  ScenarioCases(YamlNode file, const ReadOptions& options, SourceFiles& sources, Diagnostics& problems);
  ScenarioCases(const ScenarioCases&) = delete;
  ScenarioCases& operator=(const ScenarioCases&) = delete;

  /// The cases that are wanted, in the order of the file. A file without cases has one, without a name.
  const std::vector<CaseDeclaration>& wanted() const { return wanted_; }
  /// The one that is wanted. Throws InputError, which names the cases, if there are several.
  const CaseDeclaration& only_one() const;

  /// The scenario of one that is wanted: the file, then what the case sets, then what it expects, then the overrides;
  /// what comes later wins. To be called once for each.
  YamlNode scenario_of(const CaseDeclaration& one, Diagnostics& problems);

 private:
  struct ReadOverride {
    std::string path;
    YamlNode value;
  };

  void choose(std::vector<CaseDeclaration> declared, const std::string& name, Diagnostics& problems);
  std::string known_text() const;

  YamlNode file_;  ///< without `cases:`
  YamlNode list_;  ///< the `cases:`, to which declarations refer; missing if there are none
  SourceMark mark_;
  std::vector<CaseDeclaration> wanted_;
  std::vector<ReadOverride> overrides_;
};

}  // namespace gdsim
