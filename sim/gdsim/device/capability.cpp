#include <gdsim/device/capability.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {

bool lacks(const DeviceSpec& device, std::string_view key) {
  return std::find(device.lacks.begin(), device.lacks.end(), key) != device.lacks.end();
}

std::string why_missing(const DeviceSpec& device, const Capability& capability) {
  if (lacks(device, capability.key))
    return fmt::format("{} has no {}, says its model (`{}: none`)", device.id, capability.name, capability.key);
  return fmt::format("the model of {} does not say {}: `device: {{base: {}, {}}}` does", device.id, capability.unsaid,
                     device.id, capability.line);
}

const FigureSource* figure_source_of(const DeviceSpec& device, std::string_view path) {
  const auto is_above = [path](std::string_view above) {
    return path.starts_with(above) && (path.size() == above.size() || path[above.size()] == '.');
  };
  const std::pair<std::string, FigureSource>* speaks = nullptr;
  for (const auto& source : device.sources)
    if (is_above(source.first) && (speaks == nullptr || speaks->first.size() < source.first.size())) speaks = &source;
  return speaks == nullptr ? nullptr : &speaks->second;
}

}  // namespace gdsim
