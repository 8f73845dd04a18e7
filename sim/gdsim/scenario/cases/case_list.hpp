#pragma once

#include <gdsim/yaml/yaml_values.hpp>

#include <string>
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

}  // namespace gdsim
