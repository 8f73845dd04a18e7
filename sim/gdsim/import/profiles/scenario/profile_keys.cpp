#include <gdsim/import/profiles/scenario/profile_keys.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/import/demangled.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace gdsim {
namespace {

constexpr std::size_t kLongKey = 64;

/// Shortens template arguments: `reduce_kernel<...>` for `reduce_kernel<512, 1, ReduceOp<float>>`.
std::string without_template_arguments(const std::string& name) {
  const std::size_t open = name.find('<');
  return open == std::string::npos || open == 0 ? name : name.substr(0, open) + "<...>";
}

std::string cut_key(std::string key) {
  if (key.size() <= kLongKey) return key;
  std::size_t end = kLongKey - 3;
  while (end > 0 && (static_cast<unsigned char>(key[end]) & 0xC0U) == 0x80U) --end;  // do not split a character
  return key.substr(0, end) + "...";
}

bool ends_in_number(const std::string& key) {
  const std::size_t last = key.find_last_not_of("0123456789");
  return last != std::string::npos && last + 1 < key.size() && key[last] == '#';
}

std::string short_profile_key(const std::string& full) {
  const std::string_view begin = std::string_view(full).substr(0, 4'000);
  // The type of a lambda's function is part of its name.
  std::string name = begin.find("lambda") == std::string_view::npos ? without_signature(begin) : std::string(begin);
  for (const std::string_view type : {"void ", "at::native::", "(anonymous namespace)::"})
    if (std::string_view(name).starts_with(type)) name.erase(0, type.size());
  if (name.size() > kLongKey && name.find("lambda") == std::string::npos) name = without_template_arguments(name);
  std::string key = cut_key(printable(name));
  if (key.empty() || begins_as_formula(key)) key = "kernel " + key;
  if (ends_in_number(key) || key == "copy") key += " kernel";
  return key;
}

}  // namespace

std::vector<std::string> profile_keys(const std::vector<std::string>& full_names) {
  std::vector<std::string> keys;
  std::set<std::string> taken;
  std::map<std::string, std::size_t> last;  // the highest number after a name
  for (const std::string& full : full_names) {
    const std::string own = short_profile_key(full);
    std::string unique = own;
    for (std::size_t& number = last[own]; !taken.insert(unique).second;)
      unique = own + " (" + std::to_string(std::max<std::size_t>(++number, 2)) + ")";
    keys.push_back(unique);
  }
  return keys;
}

}  // namespace gdsim
