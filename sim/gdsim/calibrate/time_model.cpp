#include <gdsim/calibrate/time_model.hpp>

#include <gdsim/base/column_names.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/points/run_point.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <utility>

namespace gdsim {

TimeModel::TimeModel(TemplatePool& pool, const std::vector<FitRange>& ranges, const MeasuredTimes& measured,
                     RunOptions options, Jobs jobs)
    : pool_(pool), ranges_(ranges), measured_(measured), options_(std::move(options)), jobs_(jobs) {
  auto reader = pool_.borrow();
  const auto add = [&](const std::string& name, const std::string& option) {
    std::string path = reader->settable_path(name, option);
    if (std::find(paths_.begin(), paths_.end(), path) != paths_.end())
      throw InputError(option + " names a value that is fitted or measured already");
    paths_.push_back(std::move(path));
  };
  for (const FitRange& range : ranges) add(range.path, "--fit " + range.path);
  for (const std::string& column : measured.columns) add(column, "the measured column " + in_quotes(column));
}

Scenario TimeModel::scenario_of(ScenarioTemplate& scenario, const Steps& steps, std::size_t row) const {
  std::deque<SourceText> texts;
  std::vector<ScenarioValue> values;
  Diagnostics problems;
  const auto add = [&](std::size_t position, const std::string& name, std::string text) {
    texts.emplace_back(name, std::move(text));
    if (auto value = ScenarioTemplate::parse_value(paths_[position], texts.back(), problems))
      values.push_back(std::move(*value));
  };
  for (std::size_t i = 0; i < ranges_.size(); ++i) add(i, "--fit " + ranges_[i].path, ranges_[i].text(steps[i]));
  const std::vector<std::string>& cells = measured_.rows[row].values;
  for (std::size_t i = 0; i < cells.size(); ++i) add(ranges_.size() + i, measured_.columns[i], cells[i]);
  problems.throw_if_any();
  std::vector<const ScenarioValue*> pointers;
  for (const ScenarioValue& value : values) pointers.push_back(&value);
  Scenario changed = scenario.read(pointers);
  changed.expectations.clear();  // they refer to texts that end here
  return changed;
}

RowError TimeModel::error_of(const Steps& steps, std::size_t row) {
  PointResult result;
  try {
    auto reader = pool_.borrow();
    result = run_point(scenario_of(*reader, steps, row), options_);
  } catch (const InputError&) {
    return kNoTime;
  }
  if (result.status == PointStatus::interrupted) throw CalibrationInterrupted{};
  if (!result.duration) return kNoTime;
  const std::int64_t measured = measured_.rows[row].time.count;
  const std::int64_t apart = *result.duration > measured ? *result.duration - measured : measured - *result.duration;
  const UInt128 error = static_cast<UInt128>(apart) * kErrorUnit / static_cast<UInt128>(measured);
  return error > kNoTime ? kNoTime : static_cast<RowError>(error);
}

std::vector<RowError> TimeModel::errors(const Steps& steps, const std::vector<std::size_t>& rows) {
  std::vector<std::size_t> missing;
  for (const std::size_t row : rows)
    if (!known_.contains({steps, row})) missing.push_back(row);
  std::vector<RowError> found(missing.size());
  parallel_for_in_order(
      missing.size(), jobs_, [&](std::size_t i) { found[i] = error_of(steps, missing[i]); },
      [&](std::size_t i) {
        known_.emplace(std::pair(steps, missing[i]), found[i]);
        ++evaluations_;
        return Proceed::yes;
      });
  std::vector<RowError> errors;
  for (const std::size_t row : rows) errors.push_back(known_.at({steps, row}));
  return errors;
}

std::vector<Diagnostic> TimeModel::refusals(const Steps& steps, const std::vector<std::size_t>& rows) {
  std::vector<std::pair<std::string, std::vector<std::size_t>>> reasons;  // in the order in which they are found
  for (const std::size_t row : rows) {
    auto reader = pool_.borrow();
    std::string reason;
    try {
      const PointResult result = run_point(scenario_of(*reader, steps, row), options_);
      if (result.status == PointStatus::interrupted) throw CalibrationInterrupted{};
      reason = result.reason;
    } catch (const InputError& error) {
      reason = refused_point(error).reason;
    }
    if (reason.empty()) continue;
    const auto same = [&](const auto& one) { return one.first == reason; };
    const auto known = std::find_if(reasons.begin(), reasons.end(), same);
    if (known != reasons.end()) known->second.push_back(row);
    if (known == reasons.end()) reasons.push_back({reason, {row}});
  }
  Diagnostics problems;
  for (const auto& [reason, of_rows] : reasons)
    problems.add(measured_.rows[of_rows.front()].mark,
                 "this row" + (of_rows.size() > 1 ? fmt::format(" and {} more", of_rows.size() - 1) : std::string()) +
                     " cannot be run: " + reason);
  return problems.problems();
}

std::optional<Steps> TimeModel::own_steps() {
  auto reader = pool_.borrow();
  Steps steps;
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    const auto own = reader->own_value(paths_[i]);
    if (!own) return std::nullopt;
    steps.push_back(ranges_[i].steps_of(*own));
    if (steps.back() < ranges_[i].low) return std::nullopt;
  }
  return steps;
}

namespace {

/// Returns the position of the column of times; the names of the others go to `others`.
std::optional<std::size_t> column_of_times(const CsvDocument& table, std::vector<std::string>& others,
                                           Diagnostics& problems) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < table.header.size(); ++i) {
    const ColumnName name = column_name(table.header[i]);
    if (name.plain != "time" || (!name.unit.empty() && !time_unit(name.unit))) {
      others.push_back(table.header[i]);
    } else if (found) {
      problems.add(table.header_marks[i], "there are two columns of times; leave one of them out");
    } else {
      found = i;
    }
  }
  return found;
}

}  // namespace

MeasuredTimes read_measured_times(const SourceText& source, Diagnostics& problems) {
  MeasuredTimes times;
  const std::size_t before = problems.size();
  const CsvDocument table = read_csv(source, problems);
  if (problems.size() > before) return times;
  const auto column = column_of_times(table, times.columns, problems);
  if (!column)
    problems.add({&source, 1, 1}, "a column `time_ns`, `time_us`, `time_ms`, `time_s` or `time [ms]` is needed");
  if (table.rows.empty()) problems.add({&source, 1, 1}, "no measured time stands below the header");
  if (problems.size() > before) return times;
  const std::optional<Duration> unit = time_unit(column_name(table.header[*column]).unit);
  std::map<std::string, std::vector<const CsvRow*>> mistakes;  // each is one problem
  for (const CsvRow& row : table.rows) {
    MeasuredTime& measured = times.rows.emplace_back();
    measured.mark = row.mark;
    for (std::size_t i = 0; i < row.cells.size(); ++i)
      if (i != *column) measured.values.push_back(row.cells[i]);
    Parsed<Duration> time = parse_span(row.cells[*column], unit);
    if (time.value && time.value->count <= 0) time = {std::nullopt, "must be above 0"};
    if (!time.value) mistakes[time.problem].push_back(&row);
    measured.time = time.value.value_or(Duration{1});
  }
  for (const auto& [problem, rows] : mistakes) {
    const std::string others = rows.size() > 1 ? fmt::format(" (and so in {} more rows)", rows.size() - 1) : "";
    problems.add(rows.front()->mark, fmt::format("{}: {} {}{}", table.header[*column],
                                                 in_quotes(rows.front()->cells[*column]), problem, others));
  }
  problems.put_in_order();
  return times;
}

}  // namespace gdsim
