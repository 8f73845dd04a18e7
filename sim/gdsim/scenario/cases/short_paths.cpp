#include <gdsim/scenario/cases/short_paths.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/scenario/keys/keys.hpp>

#include <algorithm>
#include <array>
#include <cctype>

namespace gdsim {
namespace {

template <class Keys>
bool is_one_of(std::string_view name, const Keys& keys) {
  return std::find(keys.begin(), keys.end(), name) != keys.end();
}

/// A name as one step of a path: in quotes, unless it is plain.
std::string step_of(std::string_view name) {
  const bool is_plain = std::all_of(name.begin(), name.end(),
                                    [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; });
  return is_plain ? std::string(name) : "\"" + std::string(name) + "\"";
}

/// `'gemm' is no key of a scenario; write kernels.gemm.registers`
std::string hint(std::string_view first, const std::string& meant) {
  return in_quotes(first) + " is no key of a scenario; write " + printable(meant);
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

std::optional<std::string> path_hint(const YamlNode& scenario, std::string_view path) {
  constexpr std::array<std::string_view, 3> named{"kernels", "queues", "devices"};
  const std::string_view first = path.substr(0, path.find('.'));
  if (!scenario.is_mapping() || is_one_of(first, keys::kScenario)) return std::nullopt;
  for (const std::string_view group : named)
    if (const YamlNode* all = scenario.find(group); all != nullptr && all->find(first) != nullptr)
      return hint(first, std::string(group) + "." + step_of(first) + std::string(path.substr(first.size())));
  const YamlNode* kernels = scenario.find("kernels");
  if (kernels == nullptr || !kernels->is_mapping() || kernels->entries.size() < 2 || !is_one_of(first, keys::kKernel))
    return std::nullopt;
  return hint(first, "kernels." + step_of(kernels->entries.front().key) + "." + std::string(path) +
                         ", or another of the kernels");
}

}  // namespace gdsim
