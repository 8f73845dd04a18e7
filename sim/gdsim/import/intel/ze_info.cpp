#include <gdsim/import/intel/ze_info.hpp>

#include <gdsim/import/demangled.hpp>
#include <gdsim/import/metadata_values.hpp>
#include <gdsim/yaml/yaml_document.hpp>

namespace gdsim {
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
  kernel.symbol = MetadataValues(node, refuse).require_text("name", "a kernel");
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
  const RefuseMetadata refuse = [&](const YamlNode& node, const std::string& what) {
    problems.add(node.mark, what);
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
