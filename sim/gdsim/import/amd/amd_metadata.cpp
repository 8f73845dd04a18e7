#include <gdsim/import/amd/amd_metadata.hpp>

#include <gdsim/import/demangled.hpp>

namespace gdsim {
namespace {

/// `gfx90a:xnack-` for `amdgcn-amd-amdhsa--gfx90a:xnack-`.
std::string target_in(const std::string& triple) {
  const std::size_t begin = triple.rfind("gfx");
  return begin == std::string::npos ? triple : triple.substr(begin);
}

/// Returns true if both kinds of registers come from one file: then `.vgpr_count` is their sum, with its first part
/// aligned.
bool has_unified_registers(std::string_view target) {
  return target.starts_with("gfx90a") || target.starts_with("gfx94") || target.starts_with("gfx95");
}

void read_registers(const MetadataValues& values, const std::string& target, const RefuseMetadata& refuse,
                    CompiledKernel& kernel) {
  const auto all = static_cast<std::uint32_t>(values.require_whole(".vgpr_count", "a kernel"));
  static_cast<void>(values.whole32(".vgpr_count"));  // refuses counts that no register file holds
  const auto accumulation = values.whole32(".agpr_count");
  kernel.registers = all;
  if (!accumulation || *accumulation == 0) return;
  kernel.accumulation_registers = accumulation;
  if (!has_unified_registers(target)) return;
  if (*accumulation > all)
    refuse(values.mapping(), ".agpr_count is more than .vgpr_count, which includes it on " + target);
  kernel.registers = all - *accumulation;
}

CompiledKernel read_amd_kernel(const YamlNode& node, const std::string& target, const RefuseMetadata& refuse) {
  if (!node.is_mapping()) refuse(node, "a kernel is " + describe(node) + "; a mapping is needed");
  const MetadataValues values(node, refuse);
  CompiledKernel kernel;
  kernel.symbol = values.require_text(".name", "a kernel");
  kernel.name = demangled(kernel.symbol);
  kernel.vendor = GpuVendor::amd;
  kernel.target = target;
  read_registers(values, target, refuse, kernel);
  kernel.scalar_registers = values.whole32(".sgpr_count");
  kernel.sub_group = values.whole32(".wavefront_size");
  kernel.static_slm = values.require_whole(".group_segment_fixed_size", "a kernel");
  kernel.stack = values.whole(".private_segment_fixed_size");
  kernel.max_group_size = values.whole32(".max_flat_workgroup_size");
  kernel.required_group = values.extent(".reqd_workgroup_size");
  kernel.spilled_registers = values.whole(".vgpr_spill_count");
  kernel.spilled_scalars = values.whole(".sgpr_spill_count");
  if (const auto mode = values.text(".workgroup_processor_mode")) kernel.is_wgp_mode = *mode == "1" || *mode == "true";
  const auto dynamic = values.text(".uses_dynamic_stack");
  kernel.has_dynamic_stack = dynamic && (*dynamic == "1" || *dynamic == "true");
  return kernel;
}

}  // namespace

std::vector<CompiledKernel> read_amd_metadata(const YamlNode& root, const RefuseMetadata& refuse) {
  if (!root.is_mapping()) refuse(root, "the metadata is " + describe(root) + "; a mapping is needed");
  const std::string target = target_in(MetadataValues(root, refuse).text("amdhsa.target").value_or(""));
  std::vector<CompiledKernel> kernels;
  const YamlNode* list = root.find("amdhsa.kernels");
  if (list == nullptr) return kernels;
  if (!list->is_sequence()) refuse(*list, "amdhsa.kernels is " + describe(*list) + "; a list is needed");
  for (const YamlNode& node : list->items) kernels.push_back(read_amd_kernel(node, target, refuse));
  return kernels;
}

}  // namespace gdsim
