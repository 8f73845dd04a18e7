#include <gdsim/import/kernel_keys.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/import/demangled.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace gdsim {
namespace {

constexpr std::size_t kMaxKey = 160;

std::string short_key(std::string_view name) {
  std::string key = printable(name.substr(0, kMaxKey));
  if (key.size() > kMaxKey || name.size() > kMaxKey) {
    std::size_t end = std::min(key.size(), kMaxKey - 3);
    while (end > 0 && (static_cast<unsigned char>(key[end]) & 0xC0U) == 0x80U) --end;  // do not split a character
    key = key.substr(0, end) + "...";
  }
  return begins_as_formula(key) || key.empty() ? "kernel " + key : key;
}

}  // namespace

std::vector<std::string> keys_of(const std::vector<CompiledKernel>& kernels) {
  std::map<std::string, std::size_t> uses;
  for (const CompiledKernel& kernel : kernels) ++uses[short_key(without_signature(kernel.name))];
  std::vector<std::string> keys;
  std::set<std::string> taken;
  std::map<std::string, std::size_t> last;  // the highest number after a name
  for (const CompiledKernel& kernel : kernels) {
    const std::string own = short_key(without_signature(kernel.name));
    const std::string key = uses.at(own) == 1 ? own : short_key(kernel.name);
    std::string unique = key;
    for (std::size_t& number = last[key]; !taken.insert(unique).second;)
      unique = key + " (" + std::to_string(std::max<std::size_t>(++number, 2)) + ")";
    keys.push_back(unique);
  }
  return keys;
}

}  // namespace gdsim
