#include <gdsim/scenario/ensemble/kernels_of_device.hpp>

#include <gdsim/scenario/ensemble/launch_device.hpp>

#include <set>
#include <string>

namespace gdsim {
namespace {

using Names = std::set<std::string>;

/// Adds every word of a node that could name a kernel.
void add_words(const YamlNode& node, Names& words) {
  if (node.is_scalar()) words.insert(node.text);
  for (const YamlNode& item : node.items) add_words(item, words);
  for (const YamlEntry& entry : node.entries) add_words(entry.value, words);
}

/// Returns the named kernels and, transitively, the children that their programs launch.
Names with_children(const YamlNode& kernels, Names named) {
  for (bool grows = true; grows;) {
    Names all = named;
    for (const YamlEntry& entry : kernels.entries)
      if (const YamlNode* program = entry.value.find("program"); program != nullptr && named.contains(entry.key))
        add_words(*program, all);
    grows = all.size() > named.size();
    named = std::move(all);
  }
  return named;
}

}  // namespace

void keep_kernels_of_device(YamlNode& root, const OwnDevice& own) {
  YamlNode* kernels = root.find("kernels");
  const YamlNode* launches = root.find("launches");
  if (kernels == nullptr || launches == nullptr || !kernels->is_mapping()) return;
  Names here;
  Names elsewhere;
  for (const YamlNode& launch : launches->items) {
    const YamlNode* device = launch.find("device");
    const bool is_each = device != nullptr && device->text == kEachDevice;
    const bool is_here = device == nullptr || is_each || device->text == own.name();
    const YamlNode* kernel = launch.find("kernel");
    if (kernel == nullptr) continue;
    if (kernel->is_scalar() && kernels->find(kernel->text) == nullptr) return;
    (is_here ? here : elsewhere).insert(kernel->text);
  }
  here = with_children(*kernels, std::move(here));
  if (own.number == 0) {
    elsewhere = with_children(*kernels, std::move(elsewhere));
    for (const YamlEntry& entry : kernels->entries)
      if (!elsewhere.contains(entry.key)) here.insert(entry.key);
    here = with_children(*kernels, std::move(here));
  }
  std::erase_if(kernels->entries, [&](const YamlEntry& entry) { return !here.contains(entry.key); });
}

}  // namespace gdsim
