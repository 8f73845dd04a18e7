#include <gdsim/import/profiles/json/kineto.hpp>

#include <gdsim/import/profiles/profile.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace gdsim {
namespace {

/// Returns the bytes of an element by PyTorch's name of its type, or nullopt. Several names are 8-bit floating point.
std::optional<std::uint64_t> bytes_of_type(std::string_view type) {
  constexpr std::array<std::pair<std::string_view, std::uint64_t>, 10> types{{{"Double", 8},
                                                                              {"Long", 8},
                                                                              {"Float", 4},
                                                                              {"Int", 4},
                                                                              {"Half", 2},
                                                                              {"BFloat16", 2},
                                                                              {"Short", 2},
                                                                              {"Byte", 1},
                                                                              {"Char", 1},
                                                                              {"Bool", 1}}};
  for (const auto& [name, bytes] : types)
    if (type == name) return bytes;
  return type.starts_with("Float8") ? std::optional<std::uint64_t>(1) : std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> collective_bytes(const KinetoEvent& event) {
  if (event.collective.empty()) return std::nullopt;
  const auto in = whole_number(event.elements_in, kMaxProfiledSize);
  const auto out = whole_number(event.elements_out, kMaxProfiledSize);
  const auto element = bytes_of_type(event.data_type);
  if ((!in && !out) || !element) return std::nullopt;
  const std::uint64_t bytes = std::max(in.value_or(0), out.value_or(0)) * *element;
  return bytes <= kMaxProfiledBytes ? std::optional(bytes) : std::nullopt;
}

void TraceLanes::begin(const Name& name, BegunLaunch launch) {
  budget_.keep(sizeof launch + launch.start.size());
  lane(name).launches.push_back(std::move(launch));
}

std::optional<BegunLaunch> TraceLanes::end(const Name& name) {
  const auto found = lanes_.find(name);
  if (found == lanes_.end()) return std::nullopt;
  Lane& lane = found->second;
  if (lane.innermost() > 0) {
    --lane.innermost();
    return std::nullopt;
  }
  if (lane.launches.empty()) return std::nullopt;
  BegunLaunch last = std::move(lane.launches.back());
  lane.launches.pop_back();
  return last;
}

std::size_t TraceLanes::open_launches() const {
  std::size_t count = 0;
  for (const auto& [name, lane] : lanes_) count += lane.launches.size();
  return count;
}

TraceLanes::Lane& TraceLanes::lane(const Name& name) {
  const auto [at, is_new] = lanes_.try_emplace(name);
  if (is_new) budget_.keep(sizeof *at + name.first.size() + name.second.size());
  return at->second;
}

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
