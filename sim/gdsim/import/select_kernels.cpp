#include <gdsim/import/select_kernels.hpp>

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/import/name_pattern.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace gdsim {
namespace {

constexpr std::size_t kMaxListed = 40;

[[noreturn]] void refuse_selection(const std::string& file, const std::string& what) {
  throw InputError({Diagnostic{"no_such_kernel", what, file, 0, 0, {}}});
}

std::string list_of(const std::set<std::string>& names) {
  std::string text;
  std::size_t count = 0;
  for (const std::string& name : names)
    if (++count <= kMaxListed) text += (count > 1 ? ", " : "") + in_quotes(name);
  if (count > kMaxListed) text += fmt::format(" and {} more", count - kMaxListed);
  return text;
}

/// `sm_80 (3 kernels), sm_90 (4 kernels)`.
std::string targets_of(const std::vector<CompiledKernel>& kernels) {
  std::map<std::string, std::size_t> counts;
  for (const CompiledKernel& kernel : kernels)
    ++counts[kernel.target.empty() ? std::string(name_of(kernel.vendor)) + ", not named" : printable(kernel.target)];
  std::string text;
  for (const auto& [target, count] : counts)
    text += (text.empty() ? "" : ", ") + fmt::format("{} ({} kernel{})", target, count, count == 1 ? "" : "s");
  return text;
}

/// A device of the vendor of a kernel whose file names no target.
std::string some_device_of(GpuVendor vendor) {
  return vendor == GpuVendor::amd ? "mi300x" : vendor == GpuVendor::intel ? "max-1550" : "a100-80gb";
}

/// Two entries with equal contents are duplicates.
auto contents_of(const CompiledKernel& kernel) {
  return std::tuple(kernel.symbol, kernel.target, kernel.registers, kernel.static_slm, kernel.max_group_size,
                    kernel.required_group, kernel.grf_count, kernel.sub_group);
}

}  // namespace

NamedKernels with_name(NamedKernels from, const std::string& expression) {
  const auto is_exact = [&](const CompiledKernel& kernel) {
    return kernel.name == expression || kernel.symbol == expression;
  };
  if (std::any_of(from.kernels.begin(), from.kernels.end(), is_exact)) {
    std::erase_if(from.kernels, [&](const CompiledKernel& kernel) { return !is_exact(kernel); });
    return from;
  }
  const NamePattern pattern(expression);
  std::set<std::string> names;
  for (const CompiledKernel& kernel : from.kernels) names.insert(kernel.name);
  std::erase_if(from.kernels, [&](const CompiledKernel& kernel) {
    return !pattern.is_in(kernel.name) && !pattern.is_in(kernel.symbol);
  });
  if (from.kernels.empty())
    refuse_selection(from.file,
                     "no kernel matches --kernel " + in_quotes(expression) + "; there are " + list_of(names));
  return from;
}

NamedKernels for_device(NamedKernels from, const WantedDevice& device) {
  std::map<std::string, std::uint32_t> best;
  for (const CompiledKernel& kernel : from.kernels)
    if (const auto match = match_of(kernel, device)) {
      const auto [known, is_new] = best.emplace(kernel.symbol, *match);
      if (!is_new) known->second = std::max(known->second, *match);
    }
  if (best.empty())
    refuse_selection(from.file, fmt::format("nothing in it runs on {} ({}); it is compiled for {}", device.id,
                                            device.family, targets_of(from.kernels)));
  std::set<decltype(contents_of(from.kernels.front()))> seen;
  std::erase_if(from.kernels, [&](const CompiledKernel& kernel) {
    const auto match = match_of(kernel, device);
    return !match || *match != best.at(kernel.symbol) || !seen.insert(contents_of(kernel)).second;
  });
  return from;
}

std::string only_family(const NamedKernels& from) {
  std::set<std::string> families;
  for (const CompiledKernel& kernel : from.kernels) families.insert(family_of_target(kernel));
  if (families.size() == 1 && !families.begin()->empty()) return *families.begin();
  refuse_selection(
      from.file,
      fmt::format("it is compiled for {}; --device says which is meant, as in --device {}", targets_of(from.kernels),
                  families.size() > 1 && !families.rbegin()->empty() ? *families.rbegin()
                                                                     : some_device_of(from.kernels.front().vendor)));
}

}  // namespace gdsim
