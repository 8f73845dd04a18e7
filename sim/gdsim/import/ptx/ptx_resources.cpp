#include <gdsim/import/ptx/ptx_resources.hpp>

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/import/demangled.hpp>
#include <gdsim/import/ptx/ptx_launch.hpp>

#include <fmt/format.h>

#include <charconv>
#include <optional>

namespace gdsim {
namespace {

/// 86 for `sm_86` and `8.6`; nothing for `sm_90a`, whose code is for no other architecture.
std::optional<unsigned> capability_in(std::string_view text) {
  std::string digits;
  for (const char c : text)
    if (c != '.') digits += c;
  unsigned value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

}  // namespace

CompiledFile resources_of(const PtxModule& module) {
  CompiledFile file;
  for (const PtxKernel& ptx_kernel : module.kernels) {
    CompiledKernel kernel;
    kernel.symbol = ptx_kernel.symbol;
    kernel.name = demangled(ptx_kernel.symbol);
    kernel.vendor = GpuVendor::nvidia;
    kernel.target = module.target;
    kernel.origin = "PTX";
    kernel.sub_group = kLanes;
    kernel.static_slm = ptx_kernel.static_shared;
    if (ptx_kernel.max_group)
      kernel.max_group_size = (*ptx_kernel.max_group)[0] * (*ptx_kernel.max_group)[1] * (*ptx_kernel.max_group)[2];
    kernel.required_group = ptx_kernel.required_group;
    kernel.cluster = ptx_kernel.cluster;
    file.kernels.push_back(std::move(kernel));
  }
  return file;
}

std::optional<unsigned> capability_of(std::string_view family) {
  return family.starts_with("cc-") ? capability_in(family.substr(3)) : std::nullopt;
}

bool can_become(std::string_view ptx_target, std::string_view family) {
  if (!ptx_target.starts_with("sm_") || !family.starts_with("cc-")) return true;
  const auto device = capability_of(family);
  const std::string_view digits = ptx_target.substr(3);
  if (const auto code = capability_in(digits)) return !device || *code <= *device;
  const auto alone = capability_in(digits.substr(0, digits.size() - 1));
  return !device || !alone || *alone == *device;
}

void add_machine_code(CompiledKernel& kernel, const CompiledKernel& machine_code) {
  const auto words_of = [](const std::array<std::uint64_t, 3>& size) {
    return fmt::format("{} x {} x {}", size[0], size[1], size[2]);
  };
  if (kernel.cluster && machine_code.cluster && *kernel.cluster != *machine_code.cluster)
    throw InputError(
        fmt::format("{}: its PTX has clusters of {} work-groups (.reqnctapercluster), and its machine "
                    "code of {}; compile this PTX: ptxas -arch=sm_90 FILE.ptx -o FILE.cubin",
                    printable(kernel.name), words_of(*kernel.cluster), words_of(*machine_code.cluster)));
  if (machine_code.cluster) kernel.cluster = machine_code.cluster;
  kernel.registers = machine_code.registers;
  kernel.barriers = machine_code.barriers;
  if (machine_code.static_slm) {
    kernel.static_slm = machine_code.static_slm;
    kernel.slm_may_hold_reserve = machine_code.slm_may_hold_reserve;
  }
  kernel.stack = machine_code.stack;
  kernel.code = machine_code.code;
  kernel.spill_stores = machine_code.spill_stores;
  kernel.spill_loads = machine_code.spill_loads;
}

}  // namespace gdsim
