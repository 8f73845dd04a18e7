#include <gdsim/import/amd/amd_assembly.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/import/amd/amd_metadata.hpp>
#include <gdsim/import/text_lines.hpp>
#include <gdsim/yaml/yaml_document.hpp>

#include <map>
#include <string>
#include <vector>

namespace gdsim {
namespace {

constexpr std::string_view kBegin = ".amdgpu_metadata";
constexpr std::string_view kEnd = ".end_amdgpu_metadata";
constexpr std::string_view kKernels = "amdhsa.kernels:";

std::string_view without_blanks(std::string_view line) {
  while (line.starts_with('\t') || line.starts_with(' ')) line.remove_prefix(1);
  while (line.ends_with('\t') || line.ends_with(' ')) line.remove_suffix(1);
  return line;
}

void add_metadata(const SourceText& metadata, CompiledFile& file) {
  Diagnostics problems;
  const auto root = read_yaml(metadata, problems);
  problems.throw_if_any();
  const RefuseMetadata refuse = [&](const YamlNode& node, const std::string& what) {
    problems.add(node.mark, what);
    problems.throw_if_any();
  };
  for (CompiledKernel& kernel : read_amd_metadata(*root, refuse)) file.kernels.push_back(std::move(kernel));
}

/// The mode of work-groups: a directive that describes a kernel, but is not part of its metadata.
class WorkGroupModes {
 public:
  void take(std::string_view directive) {
    constexpr std::string_view kernel = ".amdhsa_kernel ";
    constexpr std::string_view mode = ".amdhsa_workgroup_processor_mode ";
    if (directive.starts_with(kernel)) kernel_ = without_blanks(directive.substr(kernel.size()));
    if (directive.starts_with(mode)) is_wgp_[kernel_] = without_blanks(directive.substr(mode.size())) == "1";
  }
  void put_into(std::vector<CompiledKernel>& kernels) const {
    for (CompiledKernel& kernel : kernels) {
      const auto mode = is_wgp_.find(kernel.symbol);
      const bool is_unknown = kernel.target.starts_with("gfx1") && !kernel.is_wgp_mode;
      if (is_unknown && mode != is_wgp_.end()) kernel.is_wgp_mode = mode->second;
    }
  }

 private:
  std::string kernel_;
  std::map<std::string, bool> is_wgp_;
};

}  // namespace

bool is_amd_assembly(const SourceText& text) {
  return text.text().find(kBegin) != std::string::npos || text.text().find(kKernels) != std::string::npos;
}

CompiledFile read_amd_assembly(const SourceText& text) {
  CompiledFile file;
  if (text.text().find(kBegin) == std::string::npos) {
    add_metadata(text, file);
    return file;
  }
  TextLines lines(text);
  std::string metadata;  // with an empty line for each line before it, so that problems have their places in the file
  std::uint32_t first = 0;
  WorkGroupModes modes;
  while (const auto line = lines.next()) {
    const std::string_view word = without_blanks(*line);
    if (word == kBegin) {
      if (first > 0) lines.fail("metadata begins here again; that of line " + std::to_string(first) + " has no end");
      first = lines.number();
      metadata.assign(first, '\n');
    } else if (word == kEnd && first > 0) {
      add_metadata(SourceText(text.name(), metadata), file);
      first = 0;
    } else if (first > 0) {
      metadata += std::string(*line) + "\n";
    } else {
      modes.take(word);
    }
  }
  if (first > 0)
    lines.fail("the metadata of line " + std::to_string(first) + " does not end: " + std::string(kEnd) + " is needed");
  modes.put_into(file.kernels);
  return file;
}

}  // namespace gdsim
