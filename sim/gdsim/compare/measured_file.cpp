#include <gdsim/compare/measured_file.hpp>

#include <gdsim/base/column_names.hpp>
#include <gdsim/base/text.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>

namespace gdsim {
namespace {

/// Returns the separator that occurs most often in the header.
char separator_of(const SourceText& source) {
  const std::string_view header = source.line(1);
  const auto count = [&](char c) { return std::count(header.begin(), header.end(), c); };
  char best = ',';
  for (const char c : {';', '\t'})
    if (count(c) > count(best)) best = c;
  return best;
}

/// The names of occupancies without a percent sign, but for VTune's, which begin with the GPU's generation.
constexpr std::string_view kOccupancies =
    "occupancy_percent percent occupancy achieved_occupancy sm_warp_occupancy counter_value "
    "sm__warps_active.avg.pct_of_peak_sustained_active";

bool is_occupancy(const std::string& column) {
  const ColumnName name = column_name(column);
  if (plain_name(column).find("threadsoccupancy") != std::string::npos) return !name.plain.starts_with("peak");
  return (name.unit.empty() || name.unit == "%") && is_among(name.plain, kOccupancies);
}

class MeasuredReader {
 public:
  MeasuredReader(const SourceText& source, const MeasuredOptions& options, Diagnostics& problems,
                 std::vector<std::string>& notes)
      : source_(source),
        options_(options),
        problems_(problems),
        notes_(notes),
        csv_(read_csv(source, problems, separator_of(source))),
        cells_(csv_, problems) {}

  MeasuredFile read() {
    const auto percent = find_percent();
    find_length();
    const auto time = find_time();
    MeasuredFile file;
    for (const CsvRow& row : csv_.rows) {
      if (is_other_counter(row) || (file.empty() && take_units(row))) continue;
      MeasuredSample span;
      span.mark = row.mark;
      const std::size_t known = problems_.size();
      if (time) span.begin = time_of(row, *time, unit_);
      if (!time && is_laid_in_line_ && !file.empty()) span.begin = file.back().end;
      if (time && problems_.size() == known) require_rise(row, span.begin);
      if (percent) span.occupancy = occupancy_of(row, *percent);
      if (length_) span.end = end_of(row, span.begin);
      file.push_back(span);
    }
    if (problems_.empty()) require_scale(file);
    if (problems_.empty()) finish(file);
    problems_.put_in_order();
    return file;
  }

 private:
  static constexpr std::string_view kTimestamp = "starttimestamp";  ///< rocprofv3's, in nanoseconds

  /// Adds a problem if `start`, which could be read, does not rise.
  void require_rise(const CsvRow& row, SimTime start) {
    if (last_start_ && start <= *last_start_)
      problems_.add(row.mark, "times must rise from row to row, and this one does not");
    last_start_ = start;
  }

  std::optional<std::size_t> fail(const std::string& message) {
    const std::vector<std::string_view> known(csv_.header.begin(), csv_.header.end());
    problems_.add({&source_, 1, 1}, message + " (" + join(known) + ")");
    return std::nullopt;
  }

  /// Returns a hint if the file is no series but a table of durations, by kernel or with a unit in the column's name.
  std::string durations_hint() const {
    const auto is_duration = [](const std::string& column) { return plain_name(column).starts_with("duration"); };
    if (csv_.header.size() > 2 || std::none_of(csv_.header.begin(), csv_.header.end(), is_duration)) return {};
    return "; durations of launches are compared in a table with the columns `launch` and `duration`, each with its "
           "unit: `launch,duration`, then `NAME,20 ms`";
  }

  std::optional<std::size_t> find_percent() {
    if (!find_counter()) return std::nullopt;
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < csv_.header.size(); ++i) {
      const std::string& name = csv_.header[i];
      if (options_.column ? name == *options_.column : is_occupancy(name)) found.push_back(i);
    }
    if (found.size() == 1) {
      says_percent_ = counter_ || names_percent(csv_.header[found.front()]);
      return found.front();
    }
    if (options_.column) return fail("there is no column " + in_quotes(*options_.column));
    return fail(found.empty() ? "no column is an occupancy; --occupancy-column names one" + durations_hint()
                              : "several columns are an occupancy; --occupancy-column names one");
  }

  /// Finds the column that names the counter of each row. Returns false, with a problem, if no row has the occupancy's
  /// counter.
  bool find_counter() {
    for (std::size_t i = 0; i < csv_.header.size(); ++i)
      if (plain_name(csv_.header[i]) == "countername") counter_ = i;
    if (!counter_ ||
        std::any_of(csv_.rows.begin(), csv_.rows.end(), [this](const CsvRow& row) { return !is_other_counter(row); }))
      return true;
    problems_.add({&source_, 1, 1}, "no row has OccupancyPercent as its Counter_Name");
    return false;
  }

  /// Returns true if the column's name says that its values are percentages.
  static bool names_percent(const std::string& column) {
    const std::string name = plain_name(column);
    constexpr std::array<std::string_view, 3> words{"percent", "pct", "%"};
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return name.find(word) != std::string::npos; });
  }

  /// Returns true if the row has another counter: tables of counters have a row for each, and only the occupancy
  /// counts.
  bool is_other_counter(const CsvRow& row) const {
    return counter_ && cells_.text(row, *counter_) != "OccupancyPercent";
  }

  /// Takes the unit of durations from the row below the header in which Nsight Compute writes the units of its columns.
  /// Returns true if it is such a row.
  bool take_units(const CsvRow& row) {
    if (!is_laid_in_line_ || parse_decimal(cells_.text(row, *length_)).value) return false;
    length_unit_ = time_unit(cells_.text(row, *length_));
    return length_unit_.has_value();
  }

  std::optional<std::size_t> find_time() {
    for (std::size_t i = 0; i < csv_.header.size(); ++i) {
      const std::string& name = csv_.header[i];
      if (options_.time_column ? name != *options_.time_column : !is_time(column_name(name).plain)) continue;
      find_unit(name, i);
      return i;
    }
    if (options_.time_column) return fail("there is no column " + in_quotes(*options_.time_column));
    if (is_laid_in_line_) return std::nullopt;
    return fail(
        "no column is a time: --time-column names one, or its name must begin with 'time' or contain "
        "'start time'");
  }

  static bool is_time(const std::string& name) {
    if (name == kTimestamp) return true;
    const bool is_start = name.starts_with("time") || name.find("starttime") != std::string::npos;
    return is_start && name != "timebin" && name.find("duration") == std::string::npos;
  }

  void find_unit(const std::string& name, std::size_t column) {
    const ColumnName spelled = column_name(name);
    unit_ = time_unit(spelled.unit);
    if (spelled.plain == kTimestamp && spelled.unit.empty() && !options_.time_unit) unit_ = Duration{1'000};
    if (unit_ && options_.time_unit && unit_ != options_.time_unit)
      fail("the column " + in_quotes(name) + " names another unit than --time-unit; leave the option out");
    if (!unit_) unit_ = options_.time_unit;
    const bool is_bare = spelled.plain == "time" && name.size() == spelled.plain.size();
    if (unit_ || (!is_bare && spelled.plain != "binstarttime") || rows_name_units(column)) return;
    unit_ = Duration{1'000'000'000'000};
    if (is_bare)
      notes_.push_back(source_.name() + ": the times of " + in_quotes(name) +
                       " name no unit and are taken as seconds; --time-unit sets another");
  }

  /// Returns true if at least one row of the column has `7.440 s` rather than `7.440`.
  bool rows_name_units(std::size_t column) const {
    return std::any_of(csv_.rows.begin(), csv_.rows.end(),
                       [&](const CsvRow& row) { return parse_duration(cells_.text(row, column)).value.has_value(); });
  }

  /// Finds the column with the lengths of samples, or with their ends.
  void find_length() {
    for (std::size_t i = 0; i < csv_.header.size(); ++i) {
      const auto [name, unit] = column_name(csv_.header[i]);
      const bool is_end = is_end_time(csv_.header[i]);
      is_laid_in_line_ = name == "gputimeduration.sum";
      if (is_end || name == "duration" || is_laid_in_line_) length_unit_ = time_unit(unit);
      if (is_laid_in_line_ && !unit.empty() && !length_unit_)
        fail("the column " + in_quotes(csv_.header[i]) + " names a unit that is none of ps, ns, us, ms and s");
      if (!is_end && !length_unit_ && !is_laid_in_line_) continue;
      length_ = i;
      length_is_end_ = is_end;
      return;
    }
  }

  /// Returns true if words of the name are `end time`, unlike those of `Suspend Time`.
  static bool is_end_time(std::string_view name) {
    for (std::size_t i = 0; i < name.size(); ++i) {
      const auto letter = [&](std::size_t place) { return static_cast<unsigned char>(name[place]); };
      const bool begins_word = i == 0 || std::isalpha(letter(i - 1)) == 0 ||
                               (std::isupper(letter(i)) != 0 && std::islower(letter(i - 1)) != 0);
      if (begins_word && plain_name(name.substr(i)).starts_with("endtime")) return true;
    }
    return false;
  }

  SimTime end_of(const CsvRow& row, SimTime start) {
    const Duration length = length_unit_.value_or(Duration{1'000});
    const SimTime end = length_is_end_ ? time_of(row, *length_, length_unit_ ? length_unit_ : unit_)
                                       : end_after(start, cells_.duration(row, *length_, length), row.mark);
    if (end <= start && problems_.empty()) problems_.add(row.mark, "the sample does not end after it begins");
    return end;
  }

  /// Returns `start` plus `length`; adds a problem at `mark` if the sum exceeds the range of times.
  SimTime end_after(SimTime start, Duration length, const SourceMark& mark) {
    std::int64_t end = 0;
    if (!__builtin_add_overflow(start.count, length.count, &end)) return {end};
    problems_.add(mark, "the sample ends too late: a time must fit into 64-bit picoseconds (9,223,372 s)");
    return start;
  }

  SimTime time_of(const CsvRow& row, std::size_t column, std::optional<Duration> unit) {
    const std::string& cell = cells_.text(row, column);
    const Parsed<Duration> span = parse_span(cell, unit, options_.time_unit ? "--time-unit" : "the header");
    if (!span.value)
      cells_.fail(row, column,
                  in_quotes(cell) + " " + span.problem + (unit ? "" : "; --time-unit sets the unit of all"));
    return SimTime{} + span.value.value_or(Duration{});
  }

  std::uint64_t occupancy_of(const CsvRow& row, std::size_t column) {
    std::string cell = cells_.text(row, column);
    if (cell.ends_with('%')) says_percent_ = true;
    while (cell.ends_with('%') || cell.ends_with(' ')) cell.pop_back();
    const Parsed<Decimal> parsed = parse_decimal(cell);
    const auto value =
        parsed.value ? round_product({*parsed.value}, {MeasuredOccupancy::kPerPercent * (is_share() ? 100U : 1U), 1})
                     : std::nullopt;
    if (value && static_cast<std::uint64_t>(*value) <= MeasuredOccupancy::kFull)
      return static_cast<std::uint64_t>(*value);
    cells_.fail(row, column,
                "'" + cell + (is_share() ? "' is no share from 0 to 1" : "' is no percentage from 0 to 100"));
    return 0;
  }

  bool is_share() const { return options_.is_share.value_or(false); }

  /// Requires the scale to be known if all numbers are from 0 to 1: they may be shares or percentages.
  void require_scale(const MeasuredFile& file) {
    if (says_percent_ || options_.is_share) return;
    const auto highest = std::max_element(file.begin(), file.end(),
                                          [](const auto& a, const auto& b) { return a.occupancy < b.occupancy; });
    if (highest == file.end() || highest->occupancy == 0 || highest->occupancy > MeasuredOccupancy::kPerPercent) return;
    problems_.add({&source_, 1, 1},
                  "no occupancy is above 1, so 1 may mean 1 % or the whole device; --occupancy-unit share "
                  "or --occupancy-unit percent says which");
  }

  /// Adds missing ends: a sample lasts until the next one, and the last has the length of the one before.
  void finish(MeasuredFile& file) {
    const std::size_t count = file.size();
    for (std::size_t i = 0; i + 1 < count; ++i) {
      if (!length_) file[i].end = file[i + 1].begin;
      if (file[i].end > file[i + 1].begin)
        problems_.add(file[i + 1].mark, "the sample begins before the one above it has ended");
    }
    if (count > 1 && !length_)
      file[count - 1].end =
          end_after(file[count - 1].begin, file[count - 2].end - file[count - 2].begin, file[count - 1].mark);
    if (count == 0 || (count == 1 && !length_))
      problems_.add({&source_, 1, 1}, "at least two rows are needed to know how long a sample lasts");
  }

  const SourceText& source_;
  const MeasuredOptions& options_;
  Diagnostics& problems_;
  std::vector<std::string>& notes_;
  CsvDocument csv_;
  CsvCells cells_;
  std::optional<Duration> unit_;
  std::optional<SimTime> last_start_;  ///< of the rows read so far
  std::optional<std::size_t> length_;  ///< the column with the lengths of samples
  bool length_is_end_ = false;
  bool is_laid_in_line_ = false;         ///< samples are kernels without start times, one after the other
  std::optional<Duration> length_unit_;  ///< of lengths, nullopt: nanoseconds; of ends, nullopt: that of starts
  std::optional<std::size_t> counter_;   ///< the column that names the counter of a row
  bool says_percent_ = false;            ///< the column or a cell says that occupancies are percent
};

}  // namespace

MeasuredFile read_measured(const SourceText& source, const MeasuredOptions& options, Diagnostics& problems,
                           std::vector<std::string>& notes) {
  return MeasuredReader(source, options, problems, notes).read();
}

namespace {

/// Throws InputError unless the end of the last sample, aligned with the run's begin, fits 64-bit picoseconds.
void require_end(const MeasuredSample& last, Duration whole, const RunView& view, Stretch stretch) {
  std::int64_t end = 0;
  if (stretch == Stretch::yes || !__builtin_add_overflow(view.record.first_dispatch.count, whole.count, &end)) return;
  Diagnostics problems;
  problems.add(last.mark, "the measured time of " + to_text(whole) + ", begun with the run at " +
                              to_text(view.record.first_dispatch) +
                              ", ends beyond 64-bit picoseconds (9,223,372 s); --stretch makes it as long as the run");
  problems.throw_if_any();
}

}  // namespace

MeasuredOccupancy align(const MeasuredFile& file, const RunView& view, Stretch stretch) {
  const auto is_busy = [](const MeasuredSpan& span) { return span.occupancy > 0; };
  const auto begin = std::find_if(file.begin(), file.end(), is_busy);
  if (begin == file.end()) throw InputError("the measured occupancy is 0 throughout: there is nothing to compare");
  const auto end = std::find_if(file.rbegin(), file.rend(), is_busy).base();
  const Duration whole = std::prev(end)->end - begin->begin;
  require_end(*std::prev(end), whole, view, stretch);
  const auto aligned = [&](SimTime time) {
    const Duration passed = time - begin->begin;
    if (stretch == Stretch::no) return view.record.first_dispatch + passed;
    const Int128 simulated = view.record.active().count;
    return view.record.first_dispatch + Duration{static_cast<std::int64_t>(
                                            (2 * simulated * passed.count + whole.count) / (Int128{2} * whole.count))};
  };
  MeasuredOccupancy measured;
  for (auto span = begin; span != end; ++span)
    measured.spans.push_back({aligned(span->begin), aligned(span->end), span->occupancy});
  return measured;
}

}  // namespace gdsim
