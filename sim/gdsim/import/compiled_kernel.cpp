#include <gdsim/import/compiled_kernel.hpp>

#include <algorithm>
#include <charconv>

namespace gdsim {

std::string_view name_of(GpuVendor vendor) {
  switch (vendor) {
    case GpuVendor::nvidia: return "nvidia";
    case GpuVendor::amd: return "amd";
    case GpuVendor::intel: return "intel";
  }
  return {};
}

namespace {

/// `9.0` of `sm_90a`, `12.0` of `sm_120`, and the letter of code for one architecture only.
struct ComputeCapability {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  std::string_view letter;
};

std::optional<std::uint32_t> whole_in(std::string_view digits) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

std::optional<ComputeCapability> capability_of_target(std::string_view target) {
  if (!target.starts_with("sm_")) return std::nullopt;
  target.remove_prefix(3);
  const std::size_t digits = std::min(target.find_first_not_of("0123456789"), target.size());
  const auto number = whole_in(target.substr(0, digits));
  if (!number) return std::nullopt;
  return ComputeCapability{*number / 10, *number % 10, target.substr(digits)};
}

std::optional<ComputeCapability> capability_of_family(std::string_view family) {
  if (!family.starts_with("cc-")) return std::nullopt;
  family.remove_prefix(3);
  const std::size_t dot = family.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const auto major = whole_in(family.substr(0, dot));
  const auto minor = whole_in(family.substr(dot + 1));
  if (!major || !minor) return std::nullopt;
  return ComputeCapability{*major, *minor, {}};
}

std::optional<std::uint32_t> match_of_nvidia(const CompiledKernel& kernel, std::string_view family) {
  const auto code = capability_of_target(kernel.target);
  const auto device = capability_of_family(family);
  if (!code || !device) return 0;  // a user's own model, or the text does not say: no conflict
  if (code->major != device->major || code->minor > device->minor) return std::nullopt;
  if (code->letter == "a" && code->minor != device->minor) return std::nullopt;
  return 1 + 2 * code->minor + (code->letter.empty() ? 0 : 1);
}

}  // namespace

std::string family_of_target(const CompiledKernel& kernel) {
  switch (kernel.vendor) {
    case GpuVendor::nvidia: {
      const auto code = capability_of_target(kernel.target);
      return code ? "cc-" + std::to_string(code->major) + "." + std::to_string(code->minor) : std::string();
    }
    case GpuVendor::amd: return kernel.target.substr(0, kernel.target.find(':'));
    case GpuVendor::intel: return kernel.target;
  }
  return {};
}

std::optional<std::uint32_t> match_of(const CompiledKernel& kernel, const WantedDevice& device) {
  if (device.vendor != name_of(kernel.vendor)) return std::nullopt;
  if (kernel.vendor == GpuVendor::nvidia) return match_of_nvidia(kernel, device.family);
  const std::string family = family_of_target(kernel);
  if (family.empty()) return 0;
  return family == device.family ? std::optional(1U) : std::nullopt;
}

bool reserves_shared_memory(std::string_view family) {
  const auto device = capability_of_family(family);
  constexpr std::uint32_t first_with_reserve = 9;
  return device && device->major >= first_with_reserve;
}

}  // namespace gdsim
