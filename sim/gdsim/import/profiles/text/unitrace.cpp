#include <gdsim/import/profiles/text/text_profiles.hpp>

#include <gdsim/base/csv_table.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/import/profiles/profile.hpp>
#include <gdsim/import/text_lines.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {
namespace {

/// Removes `{1; 1024; 1}` from the beginning of `text` and returns the three numbers, or nullopt.
std::optional<Extent> take_braces(std::string_view& text) {
  const std::size_t open = text.find('{');
  const std::size_t close = text.find('}');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return std::nullopt;
  std::string_view inside = text.substr(open + 1, close - open - 1);
  text.remove_prefix(close + 1);
  Extent extent{};
  for (std::size_t d = 0; d < extent.size(); ++d) {
    const std::size_t end = std::min(inside.find(';'), inside.size());
    std::string_view number = inside.substr(0, end);
    while (number.starts_with(' ')) number.remove_prefix(1);
    const auto size = whole_number(number, kMaxProfiledSize);
    if (!size) return std::nullopt;
    extent[d] = *size;
    inside.remove_prefix(std::min(end + 1, inside.size()));
  }
  return extent;
}

}  // namespace

std::optional<UnitraceName> unitrace_name(std::string_view text) {
  UnitraceName named;
  named.is_event = text.find("AppendBarrier") != std::string_view::npos ||
                   text.find("AppendEventReset") != std::string_view::npos ||
                   text.find("AppendSignalEvent") != std::string_view::npos ||
                   text.find("AppendWaitOnEvents") != std::string_view::npos;
  named.name = text;
  named.work = text.find("AppendMemory") != std::string_view::npos || text.starts_with("clEnqueue")
                   ? work_named(text)
                   : ProfiledWork::kernel;
  if (named.is_event) return named;
  if (!text.ends_with(']')) return std::nullopt;
  const std::size_t simd = text.rfind("[SIMD");
  if (simd == std::string_view::npos) {
    const std::size_t open = text.rfind('[');
    if (open == std::string_view::npos || open == 0) return std::nullopt;
    named.bytes = whole_number(text.substr(open + 1, text.size() - open - 2), std::uint64_t{1} << 50);
    named.name = text.substr(0, open);
    return named.bytes ? std::optional(named) : std::nullopt;
  }
  named.name = text.substr(0, simd);
  named.work = ProfiledWork::kernel;
  std::string_view inside = text.substr(simd + 5);
  const std::size_t end = std::min(inside.find_first_of(" ,"), inside.size());
  if (const auto width = whole_number(inside.substr(0, end), 128)) named.simd = static_cast<std::uint32_t>(*width);
  const auto groups = take_braces(inside);
  const auto size = take_braces(inside);
  if (!groups || !size) return std::nullopt;
  named.groups = *groups;
  named.group_size = *size;
  return named;
}

namespace {

constexpr int kNanoseconds = 3;  ///< the power of ten that makes picoseconds
constexpr std::string_view kUnit = " [ns] ";

bool is_timeline(std::string_view line) {
  return line.starts_with("Thread ") && line.find(" Device ") != std::string_view::npos &&
         line.find(kUnit) != std::string_view::npos;
}

/// Returns the text without its surrounding quotes.
std::string_view without_quotes(std::string_view text) {
  if (text.size() >= 2 && text.starts_with('"') && text.ends_with('"')) text = text.substr(1, text.size() - 2);
  return text;
}

class UnitraceReader {
 public:
  UnitraceReader(const SourceText& source, Profile& profile) : source_(source), profile_(profile) {}

  void read() {
    TextLines lines(source_);
    bool has_timeline = false;
    while (const auto line = lines.next()) {
      if (is_timeline(*line)) {
        has_timeline = true;
        read_timed(*line, lines.number());
      } else if (line->find("Kernel,") != std::string_view::npos) {
        header_ = csv_line_cells(*line);
        kind_ = kind_of_header();
        if (kind_ == Table::times) header_of_times_ = header_;
      } else if (line->find(',') == std::string_view::npos) {
        kind_ = Table::none;
      } else if (kind_ == Table::times) {
        times_.emplace_back(csv_line_cells(*line), lines.number());
      } else if (kind_ == Table::properties) {
        read_properties(csv_line_cells(*line), lines.number());
      }
    }
    if (!has_timeline)
      for (const auto& [cells, number] : times_) read_summed(cells, number);
    if (events_ > 0) profile_.left_out["barriers and events, which are no work"] += events_;
    if (!has_timeline && !times_.empty())
      profile_.notes.push_back(
          "the file counts launches and gives their mean time (unitrace -d); a timeline (unitrace -t) has each one");
  }

 private:
  enum class Table : std::uint8_t { none, times, properties };

  Table kind_of_header() const {
    if (position_of(header_, "Calls") && position_of(header_, "Average (ns)")) return Table::times;
    return position_of(header_, "SIMD") && position_of(header_, "SLM Per Work Group") ? Table::properties : Table::none;
  }

  [[noreturn]] void fail(std::uint32_t line, const std::string& message) const { fail_at(profile_, line, message); }

  /// Returns the number before a word such as `(start)`.
  Int128 time_before(std::string_view text, std::string_view word, std::uint32_t line) const {
    const std::size_t end = text.find(word);
    std::string_view number = end == std::string_view::npos || end == 0 ? std::string_view() : text.substr(0, end - 1);
    number = number.substr(number.rfind(' ') + 1);
    const auto time = scaled_number(number, kNanoseconds);
    if (!time) fail(line, fmt::format("there is no time before {}; is the line cut off?", in_quotes(word)));
    return *time;
  }

  void read_timed(std::string_view line, std::uint32_t number) {
    const std::size_t unit = line.rfind(kUnit);
    const std::size_t colon = line.find(" : ");
    const std::size_t device = line.find(" Device ");
    if (colon == std::string_view::npos || colon >= unit || device >= colon) fail(number, "the line names no device");
    ProfiledLaunch launch;
    launch.place = number;
    launch.device = profile_.texts.number(line.substr(device + 8, colon - device - 8));
    launch.queue = profile_.texts.number("");
    launch.start = time_before(line.substr(unit), "(start)", number);
    const Int128 end = time_before(line.substr(unit), "(end)", number);
    if (end < *launch.start || end - *launch.start > kMaxProfiledSpan) fail(number, "it ends before it starts");
    launch.duration = static_cast<std::int64_t>(end - *launch.start);
    add(without_quotes(line.substr(colon + 3, unit - colon - 3)), launch);
  }

  void read_summed(const std::vector<std::string>& cells, std::uint32_t number) {
    const auto calls = position_of(header_of_times_, "Calls");
    const auto average = position_of(header_of_times_, "Average (ns)");
    if (!calls || !average || std::max(*calls, *average) >= cells.size()) fail(number, "the row is cut off");
    ProfiledLaunch launch;
    launch.place = number;
    launch.device = launch.queue = profile_.texts.number("");
    const auto count = whole_number(cells[*calls], kMaxProfiledLaunches);
    const auto time = scaled_number(cells[*average], kNanoseconds);
    if (!count || !time || *time < 0 || *time > kMaxProfiledSpan)
      fail(number, "`Calls` and `Average (ns)` are no numbers of their kind");
    launch.count = *count;
    launch.duration = static_cast<std::int64_t>(*time);
    if (launch.count > 0) add(cells.front(), launch);
  }

  void add(std::string_view name, ProfiledLaunch& launch) {
    if (const auto named = unitrace_name(name)) {
      if (named->is_event) return static_cast<void>(++events_);
      launch.work = named->work;
      launch.grid = named->groups;
      launch.block = named->group_size;
      launch.sub_group = named->simd;
      launch.bytes = named->bytes;
      name = named->name;
    } else if (name.starts_with("clEnqueue")) {
      launch.work = name.find("Read") != std::string_view::npos    ? ProfiledWork::device_to_host
                    : name.find("Write") != std::string_view::npos ? ProfiledWork::host_to_device
                                                                   : ProfiledWork::other_copy;
    } else if (name.starts_with("zeCommandListAppendMemory")) {
      launch.work = ProfiledWork::other_copy;
    }
    launch.name = profile_.texts.number(name);
    add_launch(profile_, launch);
  }

  void read_properties(const std::vector<std::string>& cells, std::uint32_t number) {
    if (cells.size() != header_.size()) fail(number, "the row has another number of cells than its header");
    const auto value = [&](std::string_view column) -> std::optional<std::uint64_t> {
      const auto at = position_of(header_, column);
      return at ? whole_number(cells[*at], kMaxProfiledBytes) : std::nullopt;
    };
    constexpr std::uint64_t large_register_file = 256;
    KernelProperties properties;
    if (const auto simd = value("SIMD"); simd && *simd > 0 && *simd <= kMaxProfiledRegisters)
      properties.sub_group = static_cast<std::uint32_t>(*simd);
    properties.slm = value("SLM Per Work Group");
    properties.large_grf = value("Register File Size Per Thread").value_or(0) == large_register_file;
    profile_.properties.emplace(cells.front(), properties);
    if (value("Spill Memory Per Thread").value_or(0) > 0)
      profile_.notes.push_back("registers of " + printable(cells.front()) + " are spilled to memory");
  }

  const SourceText& source_;
  Profile& profile_;
  Table kind_ = Table::none;
  std::vector<std::string> header_;
  std::vector<std::string> header_of_times_;
  std::vector<std::pair<std::vector<std::string>, std::uint32_t>> times_;
  std::uint64_t events_ = 0;
};

}  // namespace

bool is_unitrace_text(std::string_view text) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (is_timeline(text.substr(begin, end - begin))) return true;
    begin = end + 1;
  }
  return text.find("=== Device Timing Summary ===") != std::string_view::npos;
}

void read_unitrace_text(const SourceText& source, Profile& profile) {
  profile.format = "unitrace, text";
  UnitraceReader(source, profile).read();
}

}  // namespace gdsim
