#include <gdsim/scenario/cases/case_list.hpp>

#include <gdsim/scenario/keys/keys.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>
#include <gdsim/scenario/keys/plain_name.hpp>

#include <algorithm>
#include <set>

namespace gdsim {
namespace {

/// Returns true if the text can be the name of a folder: a case's folder is next to `cases.csv` and `summary.json`.
bool is_folder_name(const std::string& name) {
  constexpr std::size_t longest = 200;  // bytes; file systems allow 255
  return name.size() <= longest && name.front() != '.' && name != "cases.csv" && name != "summary.json" &&
         name.find('/') == std::string::npos && name.find('\\') == std::string::npos &&
         std::none_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}

class CaseListReader {
 public:
  explicit CaseListReader(const ValueReader& values) : values_(values) {}

  std::vector<CaseDeclaration> read(const YamlNode& node) {
    if (values_.list(node, "cases") == nullptr) return {};
    if (node.items.empty()) values_.fail(node, "cases", "is empty; at least one case is needed");
    std::vector<CaseDeclaration> cases;
    for (const YamlNode& item : node.items) cases.push_back(read_case(item));
    return cases;
  }

 private:
  CaseDeclaration read_case(const YamlNode& node) {
    const MapReader map(node, "case", keys::kCase, values_);
    CaseDeclaration declaration;
    if (const YamlNode* name = map.require("name")) read_name(*name, declaration.name);
    declaration.expect = map.find("expect");
    if (const YamlNode* set = map.find("set"); set != nullptr && values_.mapping(*set, "set") != nullptr)
      declaration.set = set;
    return declaration;
  }

  void read_name(const YamlNode& node, std::string& name) {
    const auto text = values_.text(node, "name");
    if (!text) return;
    name = *text;
    require_plain_name(name, "name", node.mark, values_.problems());
    if (!is_folder_name(name))
      values_.fail(
          node, "name",
          describe(node) +
              " cannot be the name of a folder of its own; at most 200 bytes, without '/', '\\' and a '.' in front");
    if (!names_.insert(name).second) values_.fail(node, "name", "two cases are called " + describe(node));
  }

  const ValueReader& values_;
  std::set<std::string> names_;
};

}  // namespace

std::vector<CaseDeclaration> read_case_list(const YamlNode& node, const ValueReader& values) {
  return CaseListReader(values).read(node);
}

}  // namespace gdsim
