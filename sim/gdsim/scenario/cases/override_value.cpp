#include <gdsim/scenario/cases/override_value.hpp>

#include <gdsim/yaml/yaml_path.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {
namespace {

constexpr const char* kProgramSubGroup = "program_sub_group";

bool is_number(const YamlNode* node) {
  return node != nullptr && node->is_scalar() && !node->text.empty() &&
         std::all_of(node->text.begin(), node->text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Returns the kernel whose `sub_group` the path names, or null if it names something else.
YamlNode* kernel_of_sub_group(YamlNode& scenario, std::string_view path) {
  const auto parts = path_parts(path);
  if (!parts || parts->size() != 3 || parts->front() != "kernels" || parts->back() != "sub_group") return nullptr;
  YamlNode* kernels = scenario.is_mapping() ? scenario.find("kernels") : nullptr;
  YamlNode* kernel = kernels != nullptr && kernels->is_mapping() ? kernels->find((*parts)[1]) : nullptr;
  return kernel != nullptr && kernel->is_mapping() ? kernel : nullptr;
}

}  // namespace

void override_value(YamlNode& scenario, std::string_view path, const YamlNode& value, const SourceMark& where,
                    Diagnostics& problems) {
  if (YamlNode* kernel = kernel_of_sub_group(scenario, path)) {
    const YamlNode* own = kernel->find("sub_group");
    if (is_number(own) && is_number(&value) && own->text != value.text && kernel->find(kProgramSubGroup) == nullptr)
      kernel->set(kProgramSubGroup, own->mark, YamlNode(*own));
  }
  set_path(scenario, path, value, where, problems);
}

}  // namespace gdsim
