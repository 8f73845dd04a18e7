#include <gdsim/import/intel/zebin.hpp>

#include <gdsim/import/demangled.hpp>
#include <gdsim/import/metadata_values.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <array>

namespace gdsim {
namespace {

constexpr std::uint32_t kProductConfig = 6;  // NT_INTELGT_PRODUCT_CONFIG
constexpr std::uint32_t kZeInfoType = 0xff000011;

/// An IP version, as in `12.60.7`, and the model of its family.
struct IpFamily {
  std::uint32_t architecture;
  std::uint32_t first_release;
  std::uint32_t last_release;
  std::string_view model;
};

/// Architectures and releases as in `ocloc ids` and Intel's list of AOT targets.
constexpr std::array<IpFamily, 10> kFamilies{{{9, 0, 63, "gen9"},
                                              {11, 0, 63, "gen11"},
                                              {12, 0, 4, "gen12"},
                                              {12, 10, 10, "xe_dg1"},
                                              {12, 50, 50, "xe_hp_ats"},
                                              {12, 55, 57, "xe_hpg_dg2_arc"},
                                              {12, 60, 61, "xe_hpc_pvc"},
                                              {12, 70, 74, "xe_lpg"},
                                              {20, 1, 2, "xe2_hpg"},
                                              {20, 4, 4, "xe2_lpg"}}};

/// Bits as in a GMD_ID: architecture 31 to 22, release 21 to 14, revision 5 to 0.
std::string target_of_product(std::uint32_t config) {
  const std::uint32_t architecture = config >> 22;
  const std::uint32_t release = config >> 14 & 0xff;
  for (const IpFamily& family : kFamilies)
    if (architecture == family.architecture && release >= family.first_release && release <= family.last_release)
      return std::string(family.model);
  return std::to_string(architecture) + "." + std::to_string(release) + "." + std::to_string(config & 0x3f);
}

std::string target_of_notes(const ElfFile& elf) {
  for (const ElfSection& section : elf.sections()) {
    if (section.type != kElfNote) continue;
    for (const ElfNote& note : notes_of(section))
      if (note.owner == "IntelGT" && note.type == kProductConfig) return target_of_product(note.content.u32(0));
  }
  return {};
}

}  // namespace

bool is_zebin(const ElfFile& elf) { return elf.machine() == elf_machine::kIntelGt || elf.find(".ze_info") != nullptr; }

std::vector<CompiledKernel> read_zebin(const ElfFile& elf) {
  const ElfSection* info = elf.find(".ze_info");
  for (const ElfSection& section : elf.sections())
    if (info == nullptr && section.type == kZeInfoType) info = &section;
  if (info == nullptr) elf.file().fail(0, "this zebin has no section .ze_info, which describes its kernels");
  std::string_view text = info->content.bytes();
  while (text.ends_with('\0')) text.remove_suffix(1);
  const SourceText source(std::string(elf.file().file()) + " (.ze_info)", std::string(text));
  std::vector<CompiledKernel> kernels = read_ze_info(source);
  const std::string target = target_of_notes(elf);
  for (CompiledKernel& kernel : kernels) kernel.target = target;
  return kernels;
}

namespace {

/// Reads the buffers of each thread, and the part of them that spilled registers take.
void read_thread_buffers(const YamlNode& kernel, const RefuseMetadata& refuse, CompiledKernel& read) {
  const YamlNode* buffers = kernel.find("per_thread_memory_buffers");
  if (buffers == nullptr) return;
  if (!buffers->is_sequence()) refuse(*buffers, "per_thread_memory_buffers is " + describe(*buffers) + ", not a list");
  for (const YamlNode& buffer : buffers->items) {
    if (!buffer.is_mapping()) refuse(buffer, "a buffer is " + describe(buffer) + ", not a mapping");
    const MetadataValues values(buffer, refuse);
    const std::uint64_t size = values.require_whole("size", "a buffer");
    if (values.text("usage") == "spill_fill_space") read.spill_bytes = read.spill_bytes.value_or(0) + size;
  }
}

CompiledKernel read_ze_kernel(const YamlNode& node, const RefuseMetadata& refuse) {
  if (!node.is_mapping()) refuse(node, "a kernel is " + describe(node) + "; a mapping is needed");
  CompiledKernel kernel;
  kernel.symbol = MetadataValues(node, refuse).require_text("name");
  kernel.name = demangled(kernel.symbol);
  kernel.vendor = GpuVendor::intel;
  const YamlNode* environment = node.find("execution_env");
  if (environment == nullptr || !environment->is_mapping())
    refuse(environment == nullptr ? node : *environment, "the kernel " + kernel.symbol + " lacks execution_env");
  const MetadataValues values(*environment, refuse);
  kernel.sub_group = static_cast<std::uint32_t>(values.require_whole("simd_size", "execution_env"));
  kernel.grf_count = static_cast<std::uint32_t>(values.require_whole("grf_count", "execution_env"));
  static_cast<void>(values.whole32("simd_size"));  // refuses sizes that no thread has
  static_cast<void>(values.whole32("grf_count"));
  // Defaults of the format.
  kernel.barriers = values.whole32("barrier_count").value_or(0);
  kernel.static_slm = values.whole("slm_size").value_or(0);
  kernel.required_group = values.extent("required_work_group_size");
  kernel.stack = values.whole("private_size");
  kernel.spill_bytes = values.whole("spill_size");
  if (!kernel.spill_bytes) read_thread_buffers(node, refuse, kernel);
  return kernel;
}

}  // namespace

std::vector<CompiledKernel> read_ze_info(const SourceText& text) {
  Diagnostics problems;
  const auto root = read_yaml(text, problems);
  problems.throw_if_any();
  const RefuseMetadata refuse = [&](const YamlNode& node, const std::string& message) {
    problems.add(node.mark, message);
    problems.throw_if_any();
  };
  const YamlNode* kernels = root->is_mapping() ? root->find("kernels") : nullptr;
  if (kernels == nullptr) refuse(*root, "there is no list of `kernels:`, as .ze_info has one");
  if (!kernels->is_sequence()) refuse(*kernels, "kernels is " + describe(*kernels) + "; a list is needed");
  std::vector<CompiledKernel> read;
  for (const YamlNode& node : kernels->items) read.push_back(read_ze_kernel(node, refuse));
  return read;
}

}  // namespace gdsim
