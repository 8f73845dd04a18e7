#include <gdsim/import/read_compiled.hpp>

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/read_budget.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/import/amd/amd_code_object.hpp>
#include <gdsim/import/demangled.hpp>
#include <gdsim/import/intel/zebin.hpp>
#include <gdsim/import/nvidia/cubin.hpp>
#include <gdsim/import/object_files.hpp>
#include <gdsim/import/ptx/reader/read_ptx.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace gdsim {
namespace {

constexpr unsigned kMaxNested = 8;

/// Formats that are recognised by their first bytes but not read, and why.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kRefused{
    {{"CTNI", "these are Intel's patch tokens; compile a zebin (ocloc: -internal_options -cl-intel-allow-zebin)"},
     {"BC\xc0\xde", "this is LLVM bitcode, which has no registers yet; compile it to machine code"},
     {std::string_view("\x03\x02\x23\x07", 4),
      "this is SPIR-V, which has no registers yet; compile it to machine code"},
     {std::string_view("\x10\xff\x10\xad", 4),
      "this is a package of LLVM's new offloading driver, which is not read; unpack it with clang-offload-packager"}}};

constexpr std::string_view kKnown =
    "an NVIDIA cubin or fatbin, an AMD code object or offload bundle, an Intel zebin, an executable, object or library "
    "that holds some, or the text of `ptxas -v`, `cuobjdump --dump-resource-usage`, AMD's assembly, remarks of hipcc "
    "(`-Rpass-analysis=kernel-resource-usage`) or `.ze_info`; "
    "`gdsim import` also reads profiles: tools/README.md lists their formats";

/// Reads files within files.
class CompiledReader {
 public:
  explicit CompiledReader(ReadBudget& budget) : budget_(budget) {}

  CompiledFile take() { return std::move(file_); }

  /// Returns false if the format is unknown.
  bool read_binary(const ByteView& bytes, const std::string& origin, unsigned depth) {
    if (depth > kMaxNested) bytes.fail(0, fmt::format("files are nested more than {} deep", kMaxNested));
    for (const auto& [magic, why] : kRefused)
      if (bytes.starts_with(magic)) bytes.fail(0, std::string(why));
    if (ElfFile::is_elf(bytes)) {
      read_elf(ElfFile(bytes, budget_), origin, depth);
    } else if (bytes.starts_with(kFatbinMagic)) {
      add(read_fatbins(bytes, budget_), origin);
    } else if (bytes.starts_with(kBundleMagic)) {
      for (const BundleEntry& entry : read_bundles(bytes)) read_within(entry.content, entry.target, depth);
    } else if (bytes.starts_with(kPackedBundleMagic)) {
      const std::string name = fmt::format("{} (decompressed)", bytes.file());
      for (const std::string& bundle : unpacked_bundles(bytes, budget_))
        read_within(ByteView(bundle, name), origin, depth);
    } else if (bytes.starts_with(kArMagic)) {
      for (const ArMember& member : read_ar(bytes)) read_within(member.content, member.name, depth);
    } else {
      return false;
    }
    return true;
  }

 private:
  /// Parts in an unknown format (host code, padding, names) are noted and skipped.
  void read_within(const ByteView& bytes, const std::string& origin, unsigned depth) {
    constexpr std::uint64_t header = 64;
    budget_.charge(ReadCost::parts, bytes.size() + header);
    if (read_binary(bytes, origin, depth + 1) || bytes.size() == 0) return;
    std::string note = fmt::format("{} holds no machine code in a known format", origin.empty() ? "a part" : origin);
    budget_.keep(sizeof note + note.size());
    file_.notes.push_back(std::move(note));
  }

  void read_elf(const ElfFile& elf, const std::string& origin, unsigned depth) {
    if (elf.machine() == elf_machine::kCuda) {
      add(read_cubin(elf, budget_), origin);
    } else if (elf.machine() == elf_machine::kAmdGpu) {
      add({read_amd_code_object(elf, budget_), {}}, origin);
    } else if (is_zebin(elf)) {
      add({read_zebin(elf), {}}, origin);
    } else {
      read_host(elf, origin, depth);
    }
  }

  /// An executable, object or library for the host: its GPU code is in separate sections.
  void read_host(const ElfFile& elf, const std::string& origin, unsigned depth) {
    bool has_some = false;
    for (const ElfSection& section : elf.sections()) {
      const bool is_nvidia = section.name == ".nv_fatbin" || section.name == "__nv_relfatbin";
      const bool is_bundle = section.name == ".hip_fatbin" || section.name.starts_with(kBundleMagic);
      if (section.name == ".llvm.offloading" || section.name == "__CLANG_OFFLOAD_PACKAGER__")
        section.content.fail(0, std::string(kRefused.back().second));
      if ((!is_nvidia && !is_bundle) || section.content.size() == 0) continue;
      has_some = true;
      if (is_nvidia) add(read_fatbins(section.content, budget_), origin);
      if (is_bundle) read_bundle_section(section, origin, depth);
    }
    if (!has_some && depth == 0)
      elf.file().fail(0,
                      "this ELF file holds no code for a GPU: no section .nv_fatbin, .hip_fatbin or "
                      "__CLANG_OFFLOAD_BUNDLE__...");
  }

  /// Padding may precede the first bundle.
  void read_bundle_section(const ElfSection& section, const std::string& origin, unsigned depth) {
    const std::string_view all = section.content.bytes();
    const std::size_t begin = all.find_first_not_of('\0');
    if (begin == std::string_view::npos) return;
    read_within(section.content.part(begin, all.size() - begin, "a section"),
                origin.empty() ? std::string(section.name) : origin, depth);
  }

  void add(CompiledFile more, const std::string& origin) {
    for (CompiledKernel& kernel : more.kernels) {
      budget_.keep(sizeof kernel + origin.size());
      if (!origin.empty()) kernel.origin = origin + (kernel.origin.empty() ? "" : ", " + kernel.origin);
      file_.kernels.push_back(std::move(kernel));
    }
    for (std::string& note : more.notes) file_.notes.push_back(std::move(note));
  }

  ReadBudget& budget_;
  CompiledFile file_;
};

[[noreturn]] void refuse_file(const SourceText& source, const std::string& message) {
  throw InputError({Diagnostic{"unreadable", message, source.name(), 0, 0, {}}});
}

/// The target in the text, such as `sm_86`, or that of a current device.
std::string ptx_target_of(const std::string& text) {
  constexpr std::string_view directive = ".target sm_";
  const auto at = text.find(directive);
  const auto begin = at == std::string::npos ? at : at + directive.size();
  std::string digits;
  for (std::size_t i = begin; i < text.size() && text[i] >= '0' && text[i] <= '9' && digits.size() < 4; ++i)
    digits += text[i];
  return digits.empty() ? "sm_90" : "sm_" + digits;
}

/// The commands that compile the source; nothing if the text is none.
std::optional<std::string> compilers_of_source(const std::string& text) {
  if (text.find("__global__ ") != std::string::npos)
    return "nvcc -cubin -arch=sm_86 FILE.cu -o FILE.cubin, or hipcc --offload-arch=gfx90a --offload-device-only -S "
           "FILE.hip -o FILE.s";
  if (text.find("kernel void ") != std::string::npos) return "ocloc compile -file FILE.cl -device pvc";
  return std::nullopt;
}

/// A line begins with a key that every scenario has, and no text of a compiler.
bool is_scenario(const std::string& text) {
  for (const char* key : {"scenario:", "launches:"})
    if (text.starts_with(key) || text.find("\n" + std::string(key)) != std::string::npos) return true;
  return false;
}

CompiledFile read_text(const SourceText& source, ReadBudget& budget) {
  const std::string& text = source.text();
  if (is_amd_assembly(source)) return read_amd_assembly(source);
  if (is_ptxas_text(source)) return read_ptxas_text(source, budget);
  if (is_resource_usage_text(source)) return read_resource_usage_text(source, budget);
  if (is_resource_remarks(source)) return read_resource_remarks(source, budget);
  if (text.find("execution_env:") != std::string::npos) return {read_ze_info(source), {}};
  if (is_ptx(text) || text.find(".visible .entry") != std::string::npos)
    refuse_file(source, "this is PTX, which has no registers yet; compile it: ptxas -v -arch=" + ptx_target_of(text) +
                            " FILE.ptx -o FILE.cubin; or let its steps be imported: gdsim import FILE.ptx --program");
  if (is_scenario(text))
    refuse_file(
        source,
        "is a scenario, and a compiled kernel or a profile is needed; how many work-groups of its kernels fit, and "
        "what limits them, stands under `limits` of: gdsim run " +
            printable(source.name()) + " --print summary");
  if (const auto compilers = compilers_of_source(text))
    refuse_file(source, "is source, which a compiler has to read first: " + *compilers + "; then import what it makes");
  refuse_file(source,
              text.empty() ? "is empty" : "is not in a format that gdsim reads, which are: " + std::string(kKnown));
}

}  // namespace

CompiledFile read_compiled(const SourceText& source) {
  ReadBudget budget(source.name(), source.text().size());
  CompiledReader reader(budget);
  const ByteView bytes(source.text(), source.name());
  CompiledFile file = reader.read_binary(bytes, "", 0) ? reader.take() : read_text(source, budget);
  if (!file.kernels.empty()) return file;
  constexpr std::size_t max_listed = 20;
  std::string why = "holds no kernel";
  for (std::size_t i = 0; i < std::min(file.notes.size(), max_listed); ++i) why += "; " + file.notes[i];
  if (file.notes.size() > max_listed) why += fmt::format("; and {} more such parts", file.notes.size() - max_listed);
  refuse_file(source, why);
}

namespace {

constexpr std::size_t kMaxListed = 40;

[[noreturn]] void refuse_selection(const std::string& file, const std::string& message) {
  throw InputError({Diagnostic{"no_such_kernel", message, file, 0, 0, {}}});
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
