#include <gdsim/scenario/cases/short_paths.hpp>

#include <gdsim/scenario/keys/keys.hpp>

#include <algorithm>

namespace gdsim {
namespace {

template <class Keys>
bool is_one_of(std::string_view name, const Keys& keys) {
  return std::find(keys.begin(), keys.end(), name) != keys.end();
}

}  // namespace

std::string full_path(const YamlNode& scenario, std::string_view path) {
  const std::string_view first = path.substr(0, path.find('.'));
  if (!scenario.is_mapping() || is_one_of(first, keys::kScenario)) return std::string(path);
  const YamlNode* parameters = scenario.find("parameters");
  if (parameters != nullptr && parameters->find(path) != nullptr) return "parameters." + std::string(path);
  const YamlNode* kernels = scenario.find("kernels");
  if (kernels == nullptr || !kernels->is_mapping() || kernels->entries.size() != 1 || !is_one_of(first, keys::kKernel))
    return std::string(path);
  return "kernels.\"" + kernels->entries.front().key + "\"." + std::string(path);
}

}  // namespace gdsim
