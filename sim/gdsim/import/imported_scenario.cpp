#include <gdsim/import/imported_scenario.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/import/demangled.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace gdsim {
namespace {

constexpr std::size_t kMaxComment = 2000;
constexpr std::size_t kMaxNotes = 20;

std::string yaml_text(std::string_view text) { return double_quoted(printable(text)); }

/// A text as it may appear in a comment, on one line.
std::string in_comment(std::string_view text) {
  std::string shown = printable(text.substr(0, kMaxComment));
  if (text.size() > kMaxComment) shown += fmt::format("... ({} bytes)", text.size());
  return shown;
}

class ScenarioWriter {
 public:
  ScenarioWriter(const ImportedScenario& scenario, Sink& sink) : scenario_(scenario), sink_(sink) {}

  void write() {
    head();
    write_parameters();
    line("kernels:");
    for (const ImportedKernel& kernel : scenario_.kernels) write_kernel(kernel);
    line("queues:");
    line("  in_turn: {{order: in_order}}");
    line("launches:");
    for (const ImportedKernel& kernel : scenario_.kernels)
      line("  - {{kernel: {}, queue: in_turn}}", yaml_text(kernel.key));
    line("expect:");
    line("  - outcome: completed");
    if (scenario_.peak_percent) {
      line("  - peak_occupancy: {}", *scenario_.peak_percent);
      line("    within: 0.1");
    }
  }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    std::string text;
    fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
    text.push_back('\n');
    sink_.write(text);
  }

  void head() {
    line("# Made by `gdsim import`. Registers, shared local memory and sizes are what the compiler has written down.");
    const bool has_steps = std::any_of(scenario_.kernels.begin(), scenario_.kernels.end(), [](const auto& kernel) {
      return kernel.program && !kernel.program->steps.empty();
    });
    if (has_steps) {
      const bool is_amd = scenario_.kernels.front().compiled.vendor == GpuVendor::amd;
      line("# EXPERIMENTAL: steps and amounts are those of {}, whose addresses were executed{}",
           is_amd ? "AMDGPU assembly" : "PTX", is_amd ? "." : "; machine code differs in");
      if (!is_amd) line("# counts and order of instructions.");
    } else {
      line(
          "# What a thread does is not in these files: `program: placeholder` stands for it. Occupancy is computed, "
          "and no");
      line("# duration is reported, until steps take its place.");
    }
    for (std::size_t i = 0; i < scenario_.notes.size() && i < kMaxNotes; ++i)
      line("# {}", in_comment(scenario_.notes[i]));
    if (scenario_.notes.size() > kMaxNotes) line("# ... and {} more such parts", scenario_.notes.size() - kMaxNotes);
    line("scenario: {}", yaml_text(scenario_.title));
    line("device: {}", yaml_text(scenario_.device));
  }

  void write_parameters() {
    for (const ImportedKernel& kernel : scenario_.kernels) {
      if (!kernel.program || kernel.program->parameters.empty()) continue;
      line("parameters:  # arguments of the kernel, by number; only trip counts follow them");
      for (const auto& [name, value] : kernel.program->parameters) line("  {}: {}", name, value);
    }
  }

  void write_kernel(const ImportedKernel& kernel) {
    const CompiledKernel& compiled = kernel.compiled;
    line("  {}:", yaml_text(kernel.key));
    line("    # {}", in_comment(compiled.name));
    line("    # {}{}, from {}{}", compiled.symbol == compiled.name ? "" : in_comment(compiled.symbol) + ", ",
         compiled.target.empty() ? "for a target that the file does not name" : "for " + in_comment(compiled.target),
         in_comment(kernel.file), compiled.origin.empty() ? "" : " (" + in_comment(compiled.origin) + ")");
    line("    # largest work-group: {}", kernel.plan.largest);
    if (const std::string spills = spill_words(compiled, kernel.plan.block); !spills.empty())
      line("    # WARNING: {}", spills);
    if (kernel.program) write_program_comments(*kernel.program);
    line("    global: {}  # {}: {}", kernel.groups * kernel.plan.block, counted(kernel.groups, "work-group"),
         kernel.groups_origin);
    line("    local: {}", kernel.plan.block);
    write_cluster(compiled);
    line("    sub_group: {}", *compiled.sub_group);
    write_count("registers", compiled.registers);
    write_count("accumulation_registers", compiled.accumulation_registers);
    write_count("scalar_registers", compiled.scalar_registers);
    if (kernel.plan.large_grf) line("    large_grf: true");
    if (!kernel.mode.empty()) line("    mode: {}", kernel.mode);
    line("    slm: {} B  # {} static, {} given at launch", kernel.plan.static_slm + kernel.plan.dynamic_slm,
         kernel.plan.static_slm, kernel.plan.dynamic_slm);
    write_count("barriers", compiled.barriers);
    if (kernel.program && !kernel.program->steps.empty())
      write_steps(*kernel.program);
    else
      line("    program: placeholder");
  }

  void write_steps(const ImportedProgram& program) {
    if (program.in_flight)
      line("    in_flight: {} B  # ASSUMED: the loads of the largest memory step go out together", *program.in_flight);
    if (program.dependence)
      line("    dependence: {}  # so many instructions at once, on average, have what they need", *program.dependence);
    if (program.shared_working_set)
      line("    shared_working_set: {} B  # {}", *program.shared_working_set, program.working_set_reason);
    line("    program:");
    for (const std::string& step : program.steps) line("      {}", step);
  }

  void write_program_comments(const ImportedProgram& program) {
    for (const std::string& reason : program.reasons) line("    # NO PROGRAM: {}", in_comment(reason));
    for (const std::string& comment : program.comments) line("    # {}", in_comment(comment));
  }

  /// The last dimension varies fastest here, the first one in CUDA.
  void write_cluster(const CompiledKernel& compiled) {
    if (!compiled.cluster) return;
    const auto& size = *compiled.cluster;
    line("    cluster: {}  # {} x {} x {}", size[0] * size[1] * size[2], size[0], size[1], size[2]);
  }

  void write_count(std::string_view key, const std::optional<std::uint32_t>& count) {
    if (count) line("    {}: {}", key, *count);
  }

  const ImportedScenario& scenario_;
  Sink& sink_;
};

}  // namespace

void write_imported_scenario(const ImportedScenario& scenario, Sink& sink) { ScenarioWriter(scenario, sink).write(); }

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
      unique = key + " (" + std::to_string(std::max<std::size_t>(++number, 2)) + ")";
    keys.push_back(unique);
  }
  return keys;
}

}  // namespace gdsim
