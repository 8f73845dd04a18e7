#include "device_text.hpp"

#include <gdsim/scenario/yaml_flow.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace gdsim::cli {
namespace {

std::string row(const DeviceSpec& device) {
  return fmt::format("  {:<15} {:>5}  {:>8}  {:>9}  {:>8}  {}\n", device.id,
                     device.kind == DeviceKind::family ? "-" : std::to_string(device.cores), device.contexts_per_core(),
                     device.kind == DeviceKind::family ? "-" : std::to_string(device.contexts_total()),
                     to_text(device.slm.per_core), device.name);
}

/// `text` in lines of at most `width`, each after `indent`.
std::string wrapped(const std::string& text, std::size_t indent, std::size_t width) {
  std::string lines;
  std::size_t column = width;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (column + 1 + word.size() > width) {
      lines += (lines.empty() ? "" : "\n") + std::string(indent, ' ') + word;
      column = indent + word.size();
    } else {
      lines += " " + word;
      column += 1 + word.size();
    }
    at = end + 1;
  }
  return lines + "\n";
}

}  // namespace

std::string device_list(std::vector<DeviceSpec> devices) {
  std::stable_sort(devices.begin(), devices.end(), [](const DeviceSpec& a, const DeviceSpec& b) {
    return std::tie(a.vendor, a.kind) < std::tie(b.vendor, b.kind);
  });
  std::string text;
  const DeviceSpec* before = nullptr;
  for (const DeviceSpec& device : devices) {
    if (before == nullptr || before->vendor != device.vendor || before->kind != device.kind) {
      const bool is_family = device.kind == DeviceKind::family;
      text += fmt::format("{}{}{}\n  {:<15} {:>5}  {:>8}  {:>9}  {:>8}\n", text.empty() ? "" : "\n", device.vendor,
                          is_family ? ", families" : "", "name", "cores", "contexts", "contexts", "SLM per");
      text += fmt::format("  {:<15} {:>5}  {:>8}  {:>9}  {:>8}\n", "", "", "per core", "in all", "core");
    }
    text += row(device);
    before = &device;
  }
  return text;
}

std::string device_text(const DeviceSpec& device, const YamlNode& tree) {
  std::string text = fmt::format("{}: {}, {} contexts\n\n", device.name,
                                 fmt::format("{} {}{}", device.cores, device.terms.core, device.cores == 1 ? "" : "s"),
                                 device.contexts_total());
  const YamlNode* sources = tree.find("sources");
  for (const YamlEntry& entry : tree.entries) {
    if (entry.key == "sources") continue;
    text += entry.key + ": " + flow_text(entry.value) + "\n";
    if (const YamlNode* source = sources != nullptr ? sources->find(entry.key) : nullptr)
      text += wrapped(source->text, 6, 110);
  }
  return text;
}

}  // namespace gdsim::cli
