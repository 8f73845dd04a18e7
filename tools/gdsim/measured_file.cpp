#include "measured_file.hpp"

#include "csv_columns.hpp"

#include <gdsim/base/near_names.hpp>
#include <gdsim/report/comparison.hpp>

#include <algorithm>
#include <array>
#include <cctype>

namespace gdsim::cli {
namespace {

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// Whichever of them stands most often in the header.
char separator_of(const SourceText& source) {
  const std::string_view header = source.line(1);
  const auto count = [&](char c) { return std::count(header.begin(), header.end(), c); };
  char best = ',';
  for (const char c : {';', '\t'})
    if (count(c) > count(best)) best = c;
  return best;
}

/// The unit in a column's name: `time_ns`, `Time (ms)`, `Time[us]`, `time:s`.
std::optional<Picoseconds> unit_in(const std::string& name) {
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 6> units{{{"ps", 1},
                                                                            {"ns", 1'000},
                                                                            {"us", 1'000'000},
                                                                            {"ms", 1'000'000'000},
                                                                            {"sec", 1'000'000'000'000},
                                                                            {"s", 1'000'000'000'000}}};
  std::string_view text = name;
  while (text.ends_with(')') || text.ends_with(']') || text.ends_with(' ')) text.remove_suffix(1);
  for (const auto& [unit, size] : units) {
    if (!text.ends_with(unit) || text.size() == unit.size()) continue;
    const char before = text[text.size() - unit.size() - 1];
    if (std::string_view("_([: ").find(before) != std::string_view::npos) return Picoseconds{size};
  }
  return std::nullopt;
}

class MeasuredReader {
 public:
  MeasuredReader(const SourceText& source, const MeasuredOptions& options, Diagnostics& problems)
      : source_(source), options_(options), problems_(problems), csv_(source, problems, separator_of(source)) {}

  MeasuredFile read() {
    const auto percent = find_percent();
    const auto time = find_time();
    if (!percent || !time) return {};
    MeasuredFile file;
    for (const CsvRow& row : csv_.rows()) {
      const MeasuredSample sample{time_of(row, *time), occupancy_of(row, *percent)};
      if (problems_.empty() && !file.samples.empty() && sample.time <= file.samples.back().time)
        problems_.add(row.mark, "times must rise from row to row");
      file.samples.push_back(sample);
    }
    finish(file);
    return file;
  }

 private:
  std::optional<std::size_t> complain(const std::string& what) {
    const std::vector<std::string_view> known(csv_.header().begin(), csv_.header().end());
    problems_.add({&source_, 1, 1}, what + " (" + join(known) + ")");
    return std::nullopt;
  }

  std::optional<std::size_t> find_percent() {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < csv_.header().size(); ++i) {
      const std::string name = lower(csv_.header()[i]);
      const bool is_vtune = name.find("threads occupancy") != std::string::npos && !name.starts_with("peak");
      const bool is_plain = name == "occupancy_percent" || name == "percent" || name == "occupancy" ||
                            name == "occupancy(%)" || name == "occupancy (%)";
      if (options_.column ? csv_.header()[i] == *options_.column : is_vtune || is_plain) found.push_back(i);
    }
    if (found.size() == 1) return found.front();
    if (options_.column) return complain("there is no column '" + *options_.column + "'");
    return complain(found.empty() ? "no column is an occupancy; --column names one"
                                  : "several columns are an occupancy; --column names one");
  }

  std::optional<std::size_t> find_time() {
    for (std::size_t i = 0; i < csv_.header().size(); ++i) {
      const std::string name = lower(csv_.header()[i]);
      if (!name.starts_with("time") && name.find("start time") == std::string::npos) continue;
      unit_ = options_.time_unit ? options_.time_unit : unit_in(name);
      return i;
    }
    return complain("no column is a time: its name must begin with 'time' or contain 'start time'");
  }

  Picoseconds time_of(const CsvRow& row, std::size_t column) {
    if (unit_) return csv_.time(row, column, *unit_);
    const auto parsed = parse_time(csv_.text(row, column));
    if (!parsed.value)
      problems_.add(row.mark, csv_.header()[column] + ": '" + csv_.text(row, column) + "' " + parsed.problem +
                                  "; --time-unit tells the unit of all");
    return parsed.value.value_or(Picoseconds{});
  }

  std::uint64_t occupancy_of(const CsvRow& row, std::size_t column) {
    std::string cell = csv_.text(row, column);
    while (cell.ends_with('%') || cell.ends_with(' ')) cell.pop_back();
    const ParsedDecimal parsed = parse_decimal(cell);
    const auto value =
        parsed.value ? round_product({*parsed.value}, {MeasuredOccupancy::kPerPercent, 1}) : std::nullopt;
    if (value && static_cast<std::uint64_t>(*value) <= MeasuredOccupancy::kFull)
      return static_cast<std::uint64_t>(*value);
    problems_.add(row.mark, csv_.header()[column] + ": '" + cell + "' is no percentage from 0 to 100");
    return 0;
  }

  /// The last sample lasts as long as it says, or as the one before it.
  void finish(MeasuredFile& file) {
    if (!problems_.empty()) return;
    const auto& header = csv_.header();
    const auto duration = std::find(header.begin(), header.end(), "duration_ns");
    const std::size_t count = file.samples.size();
    if (count > 0 && duration != header.end()) {
      file.end =
          file.samples.back().time + csv_.time(csv_.rows().back(), static_cast<std::size_t>(duration - header.begin()));
    } else if (count > 1) {
      file.end = file.samples[count - 1].time + (file.samples[count - 1].time - file.samples[count - 2].time);
    } else {
      problems_.add({&source_, 1, 1}, "at least two rows are needed to know how long a sample lasts");
    }
  }

  const SourceText& source_;
  const MeasuredOptions& options_;
  Diagnostics& problems_;
  CsvColumns csv_;
  std::optional<Picoseconds> unit_;
};

}  // namespace

MeasuredFile read_measured(const SourceText& source, const MeasuredOptions& options, Diagnostics& problems) {
  return MeasuredReader(source, options, problems).read();
}

}  // namespace gdsim::cli
