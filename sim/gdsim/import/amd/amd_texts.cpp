#include <gdsim/import/amd/amd_code_object.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/import/demangled.hpp>
#include <gdsim/import/text_lines.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
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
  const RefuseMetadata refuse = [&](const YamlNode& node, const std::string& message) {
    problems.add(node.mark, message);
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
      if (first > 0) lines.fail(fmt::format("metadata begins here again; that of line {} has no end", first));
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
  if (first > 0) lines.fail(fmt::format("the metadata of line {} does not end: {} is needed", first, kEnd));
  modes.put_into(file.kernels);
  return file;
}

namespace {

constexpr std::string_view kRemark = "remark: ";
constexpr std::string_view kName = "Function Name: ";
constexpr std::size_t kMaxSymbol = 65'536;

/// Returns a line of remarks without what precedes them and without the option behind them: `VGPRs: 63`, with the
/// blanks before it. Nullopt if the line is no remark.
std::optional<std::string_view> remark_in(std::string_view line) {
  const std::size_t at = line.find(kRemark);
  if (at == std::string_view::npos) return std::nullopt;
  line.remove_prefix(at + kRemark.size());
  if (const std::size_t option = line.rfind(" [-R"); option != std::string_view::npos) line = line.substr(0, option);
  return line;
}

/// Returns the place in the source of a remark, which may stand before or behind the word: `a.hip:9:1`.
std::string_view place_in(std::string_view line) {
  const std::size_t word = line.find(kRemark);
  if (word > 0) return trimmed(line.substr(0, word));
  const std::size_t name = line.find(kName);
  return trimmed(line.substr(kRemark.size(), name - kRemark.size()));
}

auto numbers_of(const CompiledKernel& kernel) {
  return std::tie(kernel.registers, kernel.accumulation_registers, kernel.scalar_registers, kernel.static_slm,
                  kernel.stack, kernel.spilled_registers, kernel.spilled_scalars);
}

/// One call of read_resource_remarks().
class RemarkReader {
 public:
  RemarkReader(const SourceText& text, ReadBudget& budget) : lines_(text), budget_(budget) {}

  CompiledFile read() {
    while (const auto line = lines_.next()) {
      const auto remark = remark_in(*line);
      if (!remark) continue;
      if (const std::size_t name = remark->find(kName); name != std::string_view::npos) {
        finish();
        open(*line, trimmed(remark->substr(name + kName.size())));
      } else if (open_) {
        take(*remark);
      }
    }
    finish();
    return std::move(file_);
  }

 private:
  void open(std::string_view line, std::string_view symbol) {
    if (symbol.empty() || symbol.size() > kMaxSymbol) lines_.fail("the name of a kernel has 1 to 65536 bytes");
    CompiledKernel kernel;
    kernel.symbol = symbol;
    kernel.name = demangled(kernel.symbol);
    kernel.vendor = GpuVendor::amd;
    place_ = place_in(line);
    open_ = std::move(kernel);
  }

  /// Returns the number behind a key of this remark, or nullopt if it has another key.
  std::optional<std::uint32_t> number(std::string_view remark, std::string_view key) {
    const std::size_t at = remark.find(key);
    if (at == std::string_view::npos || (at > 0 && remark[at - 1] != ' ')) return std::nullopt;
    const auto value = number_behind(remark, key);
    constexpr std::uint64_t most = std::uint64_t{1} << 31;
    if (!value || *value > most)
      lines_.fail(
          fmt::format("{} is needed with a whole number, and {} is none; the compiler knows it when it makes "
                      "machine code (-c), and not for assembly (-S)",
                      trimmed(key), in_quotes(trimmed(remark.substr(at + key.size())))));
    return static_cast<std::uint32_t>(*value);
  }

  void take(std::string_view remark) {
    CompiledKernel& kernel = *open_;
    const auto put = [&](std::string_view key, auto& value) {
      if (const auto found = number(remark, key)) value = *found;
    };
    put("SGPRs: ", kernel.scalar_registers);
    put("TotalSGPRs: ", kernel.scalar_registers);
    put("VGPRs: ", kernel.registers);
    if (const auto accumulation = number(remark, "AGPRs: "); accumulation.value_or(0) > 0)
      kernel.accumulation_registers = accumulation;
    put("ScratchSize [bytes/lane]: ", kernel.stack);
    put("SGPRs Spill: ", kernel.spilled_scalars);
    put("VGPRs Spill: ", kernel.spilled_registers);
    put("LDS Size [bytes/block]: ", kernel.static_slm);
    if (remark.find("Dynamic Stack: True") != std::string_view::npos) kernel.has_dynamic_stack = true;
  }

  /// Adds the open kernel. A function that is none has all remarks but that of LDS.
  void finish() {
    if (!open_) return;
    CompiledKernel kernel = std::move(*open_);
    open_.reset();
    if (!kernel.registers || !kernel.spilled_registers)
      lines_.fail("the remarks on " + kernel.name + " lack `VGPRs: N` or `VGPRs Spill: N`; was the text cut off?");
    if (!kernel.static_slm) return;
    const auto [known, is_new] = known_.emplace(std::pair(place_, kernel.symbol), file_.kernels.size());
    if (is_new) {
      constexpr std::size_t bytes_of_key = 128;
      budget_.keep(sizeof(CompiledKernel) + bytes_of_key + place_.size() + 2 * kernel.symbol.size());
      file_.kernels.push_back(std::move(kernel));
    } else if (numbers_of(file_.kernels[known->second]) != numbers_of(kernel)) {
      lines_.fail(
          fmt::format("the kernel {} of {} is described before, with other numbers: it is compiled for several "
                      "targets, which remarks do not name; compile for one: --offload-arch=gfx942",
                      kernel.name, printable(place_)));
    }
  }

  TextLines lines_;
  ReadBudget& budget_;
  CompiledFile file_;
  std::optional<CompiledKernel> open_;
  std::string place_;                                                   ///< of the open kernel
  std::map<std::pair<std::string, std::string>, std::size_t> known_{};  ///< kernels by their places and symbols
};

}  // namespace

bool is_resource_remarks(const SourceText& text) {
  const std::string& all = text.text();
  return all.find(kRemark) != std::string::npos && all.find(kName) != std::string::npos &&
         all.find("VGPRs: ") != std::string::npos;
}

CompiledFile read_resource_remarks(const SourceText& text, ReadBudget& budget) {
  return RemarkReader(text, budget).read();
}

}  // namespace gdsim
