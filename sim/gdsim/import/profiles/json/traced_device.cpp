#include <gdsim/import/profiles/json/traced_device.hpp>

#include <gdsim/import/profiles/exact_number.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace gdsim {

void TracedDevice::take(std::string_view key, std::string_view value) {
  const auto number = whole_number(value, kMaxProfiledBytes);
  const auto as32 = [&] { return static_cast<std::uint32_t>(std::min<std::uint64_t>(number.value_or(0), 1U << 20)); };
  if (key == "id") device_.key = value.substr(0, 64);
  if (key == "name") device_.name = value.substr(0, 256);
  if (key == "numSms" && number) device_.cores = as32();
  if (key == "warpSize" && number) device_.sub_group = as32();
  if (key == "totalGlobalMem" && number) device_.memory = number;
  if (key == "computeMajor" && number) major_ = as32();
  if (key == "computeMinor" && number) minor_ = as32();
}

/// NVIDIA's numbers name a family. Only some of AMD's name a single family; 9.0 stands for several.
ProfiledDevice TracedDevice::finished() const {
  constexpr std::uint32_t nvidia_warp = 32;
  ProfiledDevice device = device_;
  const std::pair<std::uint32_t, std::uint32_t> version{major_, minor_};
  const bool is_amd = device.name.starts_with("AMD") || device.sub_group.value_or(0) != nvidia_warp;
  if (major_ > 0 && !is_amd) device.family = fmt::format("cc-{}.{}", major_, minor_);
  if (is_amd && version == std::pair{9U, 4U}) device.family = "gfx942";
  if (is_amd && version == std::pair{9U, 5U}) device.family = "gfx950";
  return device;
}

}  // namespace gdsim
