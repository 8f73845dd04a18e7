#include <gdsim/import/profiles/text/accelsim.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/import/profiles/exact_number.hpp>
#include <gdsim/import/profiles/profile_input.hpp>
#include <gdsim/import/profiles/work_named.hpp>
#include <gdsim/import/text_lines.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

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
  const std::string_view rest = line.substr(at + key.size() + 2);
  return rest.substr(0, rest.find(','));
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

}  // namespace gdsim
