#include <gdsim/import/profiles/text/text_profiles.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/import/profiles/profile.hpp>
#include <gdsim/import/text_lines.hpp>
#include <gdsim/yaml/yaml_value.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace gdsim {
namespace {

bool names_trace(std::string_view line) {
  const std::string_view name = line.ends_with(".xz") ? line.substr(0, line.size() - 3) : line;
  return name.starts_with("kernel-") && (name.ends_with(".traceg") || name.ends_with(".trace"));
}

/// Returns the text after `-KEY = ` in a trace's header, or nullopt.
std::optional<std::string_view> value_of(std::string_view line, std::string_view key) {
  if (!line.starts_with('-') || line.substr(1, key.size()) != key) return std::nullopt;
  const std::size_t equals = line.find(" = ", key.size());
  return equals == std::string_view::npos ? std::nullopt : std::optional(line.substr(equals + 3));
}

/// Reads the header of one trace.
class TraceHeader {
 public:
  TraceHeader(const SourceText& source, Profile& profile, std::uint64_t place)
      : source_(source), profile_(profile), place_(place) {}

  void read() {
    launch_.device = profile_.texts.number("");
    launch_.queue = profile_.texts.number("0");
    TextLines lines(source_);
    bool has_name = false;
    for (auto line = lines.next(); line && !line->starts_with("#"); line = lines.next()) {
      if (const auto name = value_of(*line, "kernel name")) {
        launch_.name = profile_.texts.number(*name);
        has_name = true;
      }
      if (const auto grid = value_of(*line, "grid dim")) launch_.grid = sizes(*grid, lines);
      if (const auto block = value_of(*line, "block dim")) launch_.block = sizes(*block, lines);
      if (const auto shared = value_of(*line, "shmem"); shared && line->starts_with("-shmem ="))
        launch_.static_slm = number(*shared, kMaxProfiledBytes, lines);
      if (const auto registers = value_of(*line, "nregs"))
        launch_.registers = static_cast<std::uint32_t>(number(*registers, kMaxProfiledRegisters, lines));
      if (const auto stream = value_of(*line, "cuda stream id")) launch_.queue = profile_.texts.number(*stream);
      if (const auto version = value_of(*line, "binary version")) add_family(number(*version, 1'000, lines));
    }
    if (!has_name || launch_.grid[0] == 0 || launch_.block[0] == 0)
      lines.fail("the header of the trace ends without `-kernel name = `, `-grid dim = (x,y,z)` and `-block dim = `");
    launch_.place = place_ != 0 ? place_ : 1;
    add_launch(profile_, launch_);
  }

 private:
  static std::uint64_t number(std::string_view text, std::uint64_t most, const TextLines& lines) {
    const auto value = whole_number(text, most);
    if (!value) lines.fail(fmt::format("{} is no whole number up to {}", in_quotes(text), most));
    return *value;
  }

  /// Reads `(196,1,1)`.
  static Extent sizes(std::string_view text, const TextLines& lines) {
    Extent extent{};
    if (!text.starts_with('(') || !text.ends_with(')')) lines.fail(in_quotes(text) + " is no size as in (196,1,1)");
    text = text.substr(1, text.size() - 2);
    for (std::size_t d = 0; d < extent.size(); ++d) {
      const std::size_t end = std::min(text.find(','), text.size());
      extent[d] = number(text.substr(0, end), kMaxProfiledSize, lines);
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return extent;
  }

  /// 80 is compute capability 8.0: that of the code, not of the device, but the file has nothing closer.
  void add_family(std::uint64_t version) {
    if (!profile_.devices.empty() || version < 10) return;
    ProfiledDevice device;
    device.family = fmt::format("cc-{}.{}", version / 10, version % 10);
    profile_.devices.push_back(std::move(device));
  }

  const SourceText& source_;
  Profile& profile_;
  std::uint64_t place_;
  ProfiledLaunch launch_;
};

/// Returns the value after `key: ` in a line of `key: value, key: value`, or nullopt.
std::optional<std::string_view> field_of(std::string_view line, std::string_view key) {
  const std::size_t at = line.find(std::string(key) + ": ");
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view remaining = line.substr(at + key.size() + 2);
  return remaining.substr(0, remaining.find(','));
}

}  // namespace

bool is_kernels_list(std::string_view text) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (names_trace(line)) return true;
    if (!line.empty() && !line.starts_with("Memcpy")) return false;
    begin = end + 1;
  }
  return false;
}

bool is_kernel_trace(std::string_view text) { return text.starts_with("-kernel name = "); }

void read_kernels_list(const SourceText& source, const std::filesystem::path& folder, Profile& profile) {
  profile.format = "Accel-Sim, kernelslist.g";
  TextLines lines(source);
  while (const auto line = lines.next()) {
    if (line->empty()) continue;
    if (line->starts_with("Memcpy")) {
      ProfiledLaunch copy;
      copy.place = lines.number();
      copy.work = work_named(*line);
      copy.name = profile.texts.number("copy");
      copy.device = profile.texts.number("");
      copy.queue = profile.texts.number("0");
      const auto bytes = whole_number(line->substr(line->rfind(',') + 1), kMaxProfiledBytes);
      if (!bytes) lines.fail("a copy's line ends in its bytes: MemcpyHtoD,0x7fb0fc400000,200000");
      copy.bytes = *bytes;
      add_launch(profile, copy);
      continue;
    }
    if (!names_trace(*line) || line->find('/') != std::string_view::npos)
      lines.fail(in_quotes(*line) + " is neither a copy (MemcpyHtoD,ADDRESS,BYTES) nor a trace in the same folder");
    if (line->ends_with(".xz")) lines.fail(in_quotes(*line) + " is compressed; decompress the traces first: unxz *.xz");
    const ProfileInput trace(folder / std::string(*line));
    const SourceText head(trace.name(), std::string(trace.head().substr(0, 1 << 16)));
    TraceHeader(head, profile, lines.number()).read();
  }
}

void read_kernel_trace(const SourceText& source, Profile& profile) {
  profile.format = "Accel-Sim, trace of a kernel";
  TraceHeader(source, profile, 0).read();
}

bool is_balar_trace(std::string_view text) {
  return text.find("CUDA cu kernel launch detected: ") != std::string_view::npos;
}

void read_balar_trace(const SourceText& source, Profile& profile) {
  profile.format = "Balar, CUDA calls";
  TextLines lines(source);
  const auto number = [&](std::string_view line, std::string_view key, std::uint64_t most) {
    const auto text = field_of(line, key);
    const auto value = text ? whole_number(*text, most) : std::nullopt;
    if (!value) lines.fail(fmt::format("there is no whole number behind `{}: `", key));
    return *value;
  };
  while (const auto line = lines.next()) {
    ProfiledLaunch launch;
    launch.place = lines.number();
    launch.device = profile.texts.number("");
    launch.queue = profile.texts.number(field_of(*line, "CUstream").value_or("(nil)"));
    if (line->starts_with("CUDA cu kernel launch detected: ")) {
      launch.name = profile.texts.number(field_of(*line, "name").value_or("kernel"));
      constexpr std::array<std::string_view, 3> grid{"gdx", "gdy", "gdz"};
      constexpr std::array<std::string_view, 3> block{"bdx", "bdy", "bdz"};
      for (std::size_t d = 0; d < grid.size(); ++d) {
        launch.grid[d] = number(*line, grid[d], kMaxProfiledSize);
        launch.block[d] = number(*line, block[d], kMaxProfiledSize);
      }
      launch.dynamic_slm = number(*line, "sharedBytes", kMaxProfiledBytes);
    } else if (line->starts_with("CUDA memcpy")) {
      launch.work = work_named(*line);
      launch.name = profile.texts.number("copy");
      launch.bytes = number(*line, "size", kMaxProfiledBytes);
    } else {
      continue;
    }
    add_launch(profile, launch);
  }
}

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
  std::string_view remaining = line.substr(value);
  remaining = remaining.substr(0, std::min(remaining.find_last_not_of(" \t\r") + 1, remaining.size()));
  return std::pair{line.substr(0, end), remaining};
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
  YamlValue model;
  model.comment(fmt::format("Made by `gdsim import` of {}. What it does not say is the family's.",
                            printable(file.substr(0, 300))));
  model.entry("device", YamlValue::text(printable(name))).entry("base", YamlValue::word(config.family));
  model.entry("kind", YamlValue::word("product"));
  model.entry("name", YamlValue::text(printable("as configured in " + file)));
  const auto count = [&](const char* key, const std::optional<std::uint64_t>& value) {
    if (value) model.entry(key, *value);
  };
  if (config.clock) model.entry("clock", YamlValue::word(to_text(*config.clock)));
  count("cores", config.cores);
  count("engines_per_core", config.schedulers);
  constexpr std::uint64_t usual_schedulers = 4;  // of every configurable family with a model
  const std::uint64_t engines = std::max<std::uint64_t>(config.schedulers.value_or(usual_schedulers), 1);
  if (config.threads && config.warp.value_or(0) > 0)
    count("contexts_per_engine", *config.threads / *config.warp / engines);
  count("work_groups_per_core", config.blocks);
  if (config.registers) model.entry("registers", YamlValue::in_line().entry("per_engine", *config.registers / engines));
  if (config.launch_cycles)
    model.entry("launch_cost", YamlValue::word(std::to_string(*config.launch_cycles) + " cycles"));
  if (config.shared)
    model.comment(fmt::format("shared memory of a core: {} B; the family's carve-outs stay", *config.shared));
  return model.block();
}

}  // namespace gdsim
