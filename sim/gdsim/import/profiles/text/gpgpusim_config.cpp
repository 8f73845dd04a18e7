#include <gdsim/import/profiles/text/gpgpusim_config.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/import/profiles/exact_number.hpp>
#include <gdsim/import/text_lines.hpp>
#include <gdsim/yaml/yaml_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace gdsim {
namespace {

constexpr std::uint64_t kMaxOptionValue = std::uint64_t{1} << 31;

/// Returns an option and its value, as in `-gpgpu_n_clusters 80`, or nullopt. Comments begin with `#`.
std::optional<std::pair<std::string_view, std::string_view>> option_of(std::string_view line) {
  line = line.substr(0, line.find('#'));
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos || line[begin] != '-') return std::nullopt;
  line.remove_prefix(begin);
  const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
  const std::size_t value = std::min(line.find_first_not_of(" \t", end), line.size());
  std::string_view rest = line.substr(value);
  rest = rest.substr(0, std::min(rest.find_last_not_of(" \t\r") + 1, rest.size()));
  return std::pair{line.substr(0, end), rest};
}

class ConfigReader {
 public:
  explicit ConfigReader(const SourceText& source) : source_(source) {}

  GpgpuSimConfig read() {
    TextLines lines(source_);
    while (const auto line = lines.next())
      if (const auto option = option_of(*line)) take(option->first, option->second, lines.number());
    problems_.throw_if_any();
    GpgpuSimConfig& config = config_;
    const auto value = [&](std::string_view name) -> std::optional<std::uint64_t> {
      const auto found = values_.find(name);
      return found == values_.end() ? std::nullopt : std::optional(found->second);
    };
    if (const auto clusters = value("-gpgpu_n_clusters"))
      config.cores = *clusters * value("-gpgpu_n_cores_per_cluster").value_or(1);
    if (const auto major = value("-gpgpu_compute_capability_major"))
      config.family = fmt::format("cc-{}.{}", *major, value("-gpgpu_compute_capability_minor").value_or(0));
    config.schedulers = value("-gpgpu_num_sched_per_core");
    config.blocks = value("-gpgpu_shader_cta");
    config.registers = value("-gpgpu_shader_registers");
    config.shared = value("-gpgpu_shmem_size");
    config.launch_cycles = value("-gpgpu_kernel_launch_latency");
    return std::move(config_);
  }

 private:
  void take(std::string_view name, std::string_view text, std::uint32_t line) {
    constexpr std::array<std::string_view, 9> numbers{"-gpgpu_n_clusters",
                                                      "-gpgpu_n_cores_per_cluster",
                                                      "-gpgpu_compute_capability_major",
                                                      "-gpgpu_compute_capability_minor",
                                                      "-gpgpu_num_sched_per_core",
                                                      "-gpgpu_shader_cta",
                                                      "-gpgpu_shader_registers",
                                                      "-gpgpu_shmem_size",
                                                      "-gpgpu_kernel_launch_latency"};
    if (std::find(numbers.begin(), numbers.end(), name) != numbers.end()) {
      values_[std::string(name)] = number(name, text, line);
    } else if (name == "-gpgpu_shader_core_pipeline") {
      const std::size_t colon = std::min(text.find(':'), text.size());
      config_.threads = number(name, text.substr(0, colon), line);
      config_.warp = number(name, text.substr(std::min(colon + 1, text.size())), line);
    } else if (name == "-gpgpu_clock_domains") {
      read_clock(name, text.substr(0, text.find(':')), line);
    } else {
      config_.unused.emplace_back(name);
    }
  }

  std::uint64_t number(std::string_view name, std::string_view text, std::uint32_t line) {
    const auto value = whole_number(text, kMaxOptionValue);
    if (!value)
      problems_.add({&source_, line, 1},
                    fmt::format("{} is {}; a whole number up to {} is needed", name, in_quotes(text), kMaxOptionValue));
    return value.value_or(0);
  }

  /// Reads the clocks in megahertz; that of the cores is the first one.
  void read_clock(std::string_view name, std::string_view text, std::uint32_t line) {
    constexpr int mega = 6;
    const auto hertz = scaled_number(text, mega);
    if (hertz && *hertz > 0 && *hertz < Int128{100'000'000'000})
      config_.clock = Hertz{static_cast<std::int64_t>(*hertz)};
    else
      problems_.add({&source_, line, 1},
                    fmt::format("{} begins with {}; a clock in MHz is needed", name, in_quotes(text)));
  }

  const SourceText& source_;
  GpgpuSimConfig config_;
  std::map<std::string, std::uint64_t, std::less<>> values_;
  Diagnostics problems_;
};

}  // namespace

bool is_gpgpusim_config(std::string_view text) {
  return text.find("-gpgpu_n_clusters") != std::string_view::npos ||
         text.find("-gpgpu_shader_core_pipeline") != std::string_view::npos;
}

GpgpuSimConfig read_gpgpusim_config(const SourceText& source) { return ConfigReader(source).read(); }

std::string device_file_of(const GpgpuSimConfig& config, const std::string& name, const std::string& file) {
  if (config.family.empty())
    throw InputError({Diagnostic{"profile",
                                 "says no compute capability, by which its family is known; add a line such as "
                                 "`-gpgpu_compute_capability_major 7`",
                                 file,
                                 0,
                                 0,
                                 {}}});
  std::string text = fmt::format("# Made by `gdsim import` of {}. What it does not say is the family's.\n",
                                 printable(file.substr(0, 300)));
  const auto line = [&](const std::string& key, const std::string& value) { text += key + ": " + value + "\n"; };
  line("device", double_quoted(printable(name)));
  line("base", config.family);
  line("kind", "product");
  line("name", double_quoted(printable("as configured in " + file)));
  const auto count = [&](const char* key, const std::optional<std::uint64_t>& value) {
    if (value) line(key, std::to_string(*value));
  };
  if (config.clock) line("clock", to_text(*config.clock));
  count("cores", config.cores);
  count("engines_per_core", config.schedulers);
  constexpr std::uint64_t usual_schedulers = 4;  // of every configurable family with a model
  const std::uint64_t engines = std::max<std::uint64_t>(config.schedulers.value_or(usual_schedulers), 1);
  if (config.threads && config.warp.value_or(0) > 0)
    count("contexts_per_engine", *config.threads / *config.warp / engines);
  count("work_groups_per_core", config.blocks);
  if (config.registers) line("registers", fmt::format("{{per_engine: {}}}", *config.registers / engines));
  if (config.launch_cycles) line("launch_cost", fmt::format("{} cycles", *config.launch_cycles));
  if (config.shared)
    text += fmt::format("# shared memory of a core: {} B; the family's carve-outs stay\n", *config.shared);
  return text;
}

}  // namespace gdsim
