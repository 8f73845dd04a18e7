#include "options/options.hpp"

#include <algorithm>

namespace gdsim::cli {

bool Options::has(std::string_view name) const {
  return std::any_of(given_.begin(), given_.end(), [&](const Given& given) { return given.name == name; });
}

std::optional<std::string> Options::value(std::string_view name) const {
  const auto all = values(name);
  if (all.empty()) return std::nullopt;
  return all.back();
}

std::vector<std::string> Options::values(std::string_view name) const {
  std::vector<std::string> all;
  for (const Given& given : given_)
    if (given.name == name) all.insert(all.end(), given.values.begin(), given.values.end());
  return all;
}

}  // namespace gdsim::cli
