#include <gdsim/import/imported_scenario.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/import/demangled.hpp>
#include <gdsim/import/nvidia/cubin.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace gdsim {
namespace {

constexpr std::uint64_t kReserve = 1024;
constexpr std::uint64_t kRegister = 4;  ///< bytes
constexpr std::uint32_t kUsualGrf = 128;
constexpr std::uint32_t kLargeGrf = 256;

std::uint64_t items_of(const std::array<std::uint64_t, 3>& extent) { return extent[0] * extent[1] * extent[2]; }

std::string largest_group_text(const CompiledKernel& kernel) {
  if (kernel.required_group) {
    const auto& size = *kernel.required_group;
    return fmt::format("{}, and no other: it was compiled for {} x {} x {}", items_of(size), size[0], size[1], size[2]);
  }
  if (kernel.max_group_size) return fmt::format("{}, its launch bound", *kernel.max_group_size);
  return "the device's; the file holds no launch bound";
}

std::uint64_t block_for(const CompiledKernel& kernel, const LaunchRequest& request, Diagnostics& problems) {
  const auto largest = largest_group(kernel);
  if (!request.block)
    return kernel.required_group ? *largest : std::min(kDefaultBlock, largest.value_or(kDefaultBlock));
  const std::uint64_t block = *request.block;
  const bool is_other = kernel.required_group && block != *largest;
  if (is_other || (largest && block > *largest))
    problems.add({}, fmt::format("{}: --block {} cannot be launched; allowed: {}", printable(kernel.name), block,
                                 largest_group_text(kernel)));
  return block;
}

/// The kernel's shared local memory without the reserve, which device models add.
std::uint64_t own_slm(const CompiledKernel& kernel, const LaunchRequest& request) {
  const std::uint64_t all = kernel.static_slm.value_or(0);
  const bool includes_reserve = kernel.slm_may_hold_reserve && request.device_reserves_slm && all >= kReserve;
  return includes_reserve ? all - kReserve : all;
}

}  // namespace

std::optional<std::uint64_t> largest_group(const CompiledKernel& kernel) {
  if (kernel.required_group) return items_of(*kernel.required_group);
  return kernel.max_group_size;
}

LaunchPlan plan_launch(const CompiledKernel& kernel, const LaunchRequest& request, Diagnostics& problems) {
  LaunchPlan plan;
  plan.block = block_for(kernel, request, problems);
  plan.largest = largest_group_text(kernel);
  plan.static_slm = own_slm(kernel, request);
  plan.dynamic_slm = static_cast<std::uint64_t>(request.shared.count);
  if (!kernel.grf_count) return plan;
  plan.large_grf = *kernel.grf_count == kLargeGrf;
  if (*kernel.grf_count != kUsualGrf && *kernel.grf_count != kLargeGrf)
    problems.add({}, fmt::format("{}: its threads have {} general registers; models know {} and {}",
                                 printable(kernel.name), *kernel.grf_count, kUsualGrf, kLargeGrf));
  return plan;
}

namespace {

constexpr std::size_t kMaxComment = 2000;
constexpr std::size_t kMaxNotes = 20;

YamlValue shown(std::string_view text) { return YamlValue::text(printable(text)); }

/// A text as it may appear in a comment, on one line.
std::string in_comment(std::string_view text) {
  std::string shown = printable(text.substr(0, kMaxComment));
  if (text.size() > kMaxComment) shown += fmt::format("... ({} bytes)", text.size());
  return shown;
}

/// Makes the document from its parts.
class ImportedDocument {
 public:
  explicit ImportedDocument(const ImportedScenario& scenario) : scenario_(scenario) {}

  YamlValue make() const {
    YamlValue document;
    add_head(document);
    add_parameters(document);
    YamlValue kernels, launches;
    for (const ImportedKernel& kernel : scenario_.kernels) {
      kernels.named(printable(kernel.key), kernel_value(kernel));
      launches.item(YamlValue::in_line().entry("kernel", shown(kernel.key)).entry("queue", YamlValue::word("in_turn")));
    }
    document.entry("kernels", std::move(kernels));
    document.entry("queues",
                   YamlValue().entry("in_turn", YamlValue::in_line().entry("order", YamlValue::word("in_order"))));
    document.entry("launches", std::move(launches));
    YamlValue expect;
    expect.item(YamlValue().entry("outcome", YamlValue::word("completed")));
    if (scenario_.peak_percent)
      expect.item(YamlValue()
                      .entry("peak_occupancy", YamlValue::word(*scenario_.peak_percent))
                      .entry("within", YamlValue::word("0.1")));
    document.entry("expect", std::move(expect));
    return document;
  }

 private:
  void add_head(YamlValue& document) const {
    document.comment(
        "Made by `gdsim import`. Registers, shared local memory and sizes are what the compiler has written down.");
    const bool has_steps = std::any_of(scenario_.kernels.begin(), scenario_.kernels.end(), [](const auto& kernel) {
      return kernel.program && !kernel.program->steps.is_empty();
    });
    if (has_steps) {
      const bool is_amd = scenario_.kernels.front().compiled.vendor == GpuVendor::amd;
      document.comment(fmt::format("EXPERIMENTAL: steps and amounts are those of {}, whose addresses were executed{}",
                                   is_amd ? "AMDGPU assembly" : "PTX", is_amd ? "." : "; machine code differs in"));
      if (!is_amd) document.comment("counts and order of instructions.");
    } else {
      document
          .comment(
              "What a thread does is not in these files: `program: placeholder` stands for it. Occupancy is computed, "
              "and no")
          .comment("duration is reported, until steps take its place.");
    }
    for (std::size_t i = 0; i < scenario_.notes.size() && i < kMaxNotes; ++i)
      document.comment(in_comment(scenario_.notes[i]));
    if (scenario_.notes.size() > kMaxNotes)
      document.comment(fmt::format("... and {} more such parts", scenario_.notes.size() - kMaxNotes));
    document.entry("scenario", shown(scenario_.title)).entry("device", shown(scenario_.device));
  }

  void add_parameters(YamlValue& document) const {
    for (const ImportedKernel& kernel : scenario_.kernels) {
      if (!kernel.program || kernel.program->parameters.empty()) continue;
      YamlValue parameters;
      for (const auto& [name, value] : kernel.program->parameters) parameters.entry(name, value);
      document.entry("parameters", std::move(parameters),
                     "arguments of the kernel, by number; only trip counts follow them");
    }
  }

  /// Adds the bytes that a thread stores and loads again, in two accesses, if each spill in the code runs once: half of
  /// all that its lanes move.
  void add_spill(const CompiledKernel& compiled, YamlValue& value) const {
    const std::uint64_t stores = compiled.spill_stores.value_or(0);
    const std::uint64_t moved_by_item =
        stores + compiled.spill_loads.value_or(stores) + 2 * kRegister * compiled.spilled_registers.value_or(0);
    const std::uint64_t bytes = moved_by_item * *compiled.sub_group / 2 + compiled.spill_bytes.value_or(0);
    if (bytes == 0 || !scenario_.device_has_memory) return;
    YamlValue spill = YamlValue::in_line();
    spill.entry("bytes", YamlValue::bytes(bytes));
    spill.entry("accesses", std::uint64_t{2});
    value.entry("spill", std::move(spill), "ASSUMED: each spill in the code runs once");
  }

  YamlValue kernel_value(const ImportedKernel& kernel) const {
    const CompiledKernel& compiled = kernel.compiled;
    YamlValue value;
    add_comments(kernel, value);
    value.entry("global", kernel.groups * kernel.plan.block,
                fmt::format("{}: {}", counted(kernel.groups, "work-group"), kernel.groups_origin));
    value.entry("local", kernel.plan.block);
    add_cluster(compiled, value);
    value.entry("sub_group", *compiled.sub_group);
    add_count("registers", compiled.registers, value);
    add_count("accumulation_registers", compiled.accumulation_registers, value);
    add_count("scalar_registers", compiled.scalar_registers, value);
    add_spill(compiled, value);
    if (kernel.plan.large_grf) value.entry("large_grf", YamlValue::word("true"));
    if (!kernel.mode.empty()) value.entry("mode", YamlValue::word(kernel.mode));
    value.entry("slm", YamlValue::bytes(kernel.plan.static_slm + kernel.plan.dynamic_slm),
                fmt::format("{} static, {} given at launch", kernel.plan.static_slm, kernel.plan.dynamic_slm));
    add_count("barriers", compiled.barriers, value);
    if (kernel.program && !kernel.program->steps.is_empty())
      add_program(*kernel.program, value);
    else
      value.entry("program", YamlValue::word("placeholder"));
    return value;
  }

  static void add_comments(const ImportedKernel& kernel, YamlValue& value) {
    const CompiledKernel& compiled = kernel.compiled;
    value.comment(in_comment(compiled.name));
    value.comment(fmt::format(
        "{}{}, from {}{}", compiled.symbol == compiled.name ? "" : in_comment(compiled.symbol) + ", ",
        compiled.target.empty() ? "for a target that the file does not name" : "for " + in_comment(compiled.target),
        in_comment(kernel.file), compiled.origin.empty() ? "" : " (" + in_comment(compiled.origin) + ")"));
    value.comment(fmt::format("largest work-group: {}", kernel.plan.largest));
    if (const std::string spills = spill_words(compiled, kernel.plan.block); !spills.empty())
      value.comment("WARNING: " + spills);
    if (compiled.code) value.comment("machine code, each instruction once: " + words_of(*compiled.code));
    if (!kernel.program) return;
    for (const std::string& reason : kernel.program->reasons) value.comment("NO PROGRAM: " + in_comment(reason));
    for (const std::string& comment : kernel.program->comments) value.comment(in_comment(comment));
  }

  static void add_program(const ImportedProgram& program, YamlValue& value) {
    if (program.in_flight)
      value.entry("in_flight", YamlValue::bytes(*program.in_flight),
                  "ASSUMED: the loads of the largest memory step go out together");
    if (program.dependence)
      value.entry("dependence", *program.dependence, "so many instructions at once, on average, have what they need");
    if (program.shared_working_set)
      value.entry("shared_working_set", YamlValue::bytes(*program.shared_working_set), program.working_set_reason);
    value.entry("program", program.steps);
  }

  static void add_cluster(const CompiledKernel& compiled, YamlValue& value) {
    if (!compiled.cluster) return;
    const auto& size = *compiled.cluster;
    value.entry("cluster", size[0] * size[1] * size[2], fmt::format("{} x {} x {}", size[0], size[1], size[2]));
  }

  static void add_count(const char* key, const std::optional<std::uint32_t>& count, YamlValue& value) {
    if (count) value.entry(key, *count);
  }

  const ImportedScenario& scenario_;
};

}  // namespace

void write_imported_scenario(const ImportedScenario& scenario, Sink& sink) {
  sink.write(ImportedDocument(scenario).make().block());
}

std::string spill_words(const CompiledKernel& kernel, std::uint64_t block) {
  std::string words;
  const auto add = [&](const std::string& more) { words += (words.empty() ? "" : "; ") + more; };
  const std::uint64_t stores = kernel.spill_stores.value_or(0);
  const std::uint64_t loads = kernel.spill_loads.value_or(0);
  if (stores + loads > 0)
    add(
        fmt::format("registers are spilled: {} B stored and {} B loaded per work-item, {} B of traffic per work-group "
                    "of {} where each runs once",
                    stores, loads, (stores + loads) * block, block));
  if (kernel.spilled_registers.value_or(0) > 0)
    add(fmt::format(
        "{} vector registers are spilled: {} B per work-item, and per work-group of {} {} B stored and "
        "loaded where each runs once",
        *kernel.spilled_registers, 4 * *kernel.spilled_registers, block, 8 * *kernel.spilled_registers * block));
  if (kernel.spilled_scalars.value_or(0) > 0)
    add(fmt::format("{} scalar registers are spilled", *kernel.spilled_scalars));
  if (kernel.spill_bytes.value_or(0) > 0)
    add(fmt::format("registers are spilled: {} B per thread, stored and loaded at least once", *kernel.spill_bytes));
  if (kernel.stack.value_or(0) > 0)
    add(fmt::format("a stack of {} B per work-item, {} B per work-group of {}, lies in memory", *kernel.stack,
                    *kernel.stack * block, block));
  if (kernel.has_dynamic_stack) add("its stack grows by what the compiler does not know");
  return words;
}

namespace {

constexpr std::size_t kMaxKey = 160;

std::string short_key(std::string_view name) {
  std::string key = printable(name.substr(0, kMaxKey));
  if (key.size() > kMaxKey || name.size() > kMaxKey) {
    std::size_t end = std::min(key.size(), kMaxKey - 3);
    while (end > 0 && (static_cast<unsigned char>(key[end]) & 0xC0U) == 0x80U) --end;  // do not split a character
    key = key.substr(0, end) + "...";
  }
  return begins_as_formula(key) || key.empty() ? "kernel " + key : key;
}

}  // namespace

std::vector<std::string> keys_of(const std::vector<CompiledKernel>& kernels) {
  std::map<std::string, std::size_t> uses;
  for (const CompiledKernel& kernel : kernels) ++uses[short_key(without_signature(kernel.name))];
  std::vector<std::string> keys;
  std::set<std::string> taken;
  std::map<std::string, std::size_t> last;  // the highest number after a name
  for (const CompiledKernel& kernel : kernels) {
    const std::string own = short_key(without_signature(kernel.name));
    const std::string key = uses.at(own) == 1 ? own : short_key(kernel.name);
    std::string unique = key;
    for (std::size_t& number = last[key]; !taken.insert(unique).second;)
      unique = fmt::format("{} ({})", key, std::max<std::size_t>(++number, 2));
    keys.push_back(unique);
  }
  return keys;
}

}  // namespace gdsim
