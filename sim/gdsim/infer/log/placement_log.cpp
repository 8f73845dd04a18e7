#include <gdsim/infer/log/placement_log.hpp>

#include <gdsim/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace gdsim {
namespace {

/// Returns the GPU whose rows are taken; empty: all rows.
std::string chosen_gpu(const CsvDocument& table, const LogColumns& columns, const std::string& device,
                       const std::vector<DeviceName>& names, std::vector<std::string>& notes, Diagnostics& problems) {
  if (!columns.has(LogColumn::gpu)) return {};
  std::map<std::string, std::uint64_t> rows;
  for (const CsvRow& row : table.rows) ++rows[std::string(columns.text(row, LogColumn::gpu))];
  if (rows.size() < 2) return {};
  std::vector<std::string> fitting;
  std::string all;
  for (const auto& [name, count] : rows) {
    all += (all.empty() ? "" : ", ") + printable(name);
    const NameFit fit = match_model(name, {device}, names).fit;
    if (fit == NameFit::named || fit == NameFit::part) fitting.push_back(name);
  }
  if (fitting.size() != 1) {
    problems.add({table.rows.front().mark.source, 1, 1},
                 fmt::format("the column {} has {}, and {} of them is the device {}; leave the rows of one GPU only",
                             in_quotes(columns.name(LogColumn::gpu)), all, fitting.empty() ? "none" : "more than one",
                             in_quotes(device)));
    return {};
  }
  for (const auto& [name, count] : rows)
    if (name != fitting.front())
      notes.push_back(fmt::format("{} rows are of another GPU ({}) and were left out", count, printable(name)));
  return fitting.front();
}

/// Numbers cores that are named by shader array and WGP: from 0, array by array.
void number_cores(LogRows& rows, PlacementLog& log) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> labels;
  std::map<std::uint32_t, std::uint32_t> per_array;
  for (const LogRow& row : rows.rows) labels.emplace(row.shader_array, row.core);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> number_of_label;
  for (const auto& label : labels) {
    ++per_array[label.first];
    number_of_label.emplace(label, static_cast<std::uint32_t>(number_of_label.size()));
  }
  for (LogRow& row : rows.rows) row.core = number_of_label.at({row.shader_array, row.core});
  const bool are_equal = std::all_of(per_array.begin(), per_array.end(),
                                     [&](const auto& one) { return one.second == per_array.begin()->second; });
  log.shader_arrays = are_equal ? static_cast<std::uint32_t>(per_array.size()) : 1;
  log.notes.push_back(fmt::format(
      "cores are those of one shader engine that the log names ({}), numbered array by array; each engine is taken by "
      "itself, for their clocks are not aligned",
      labels.size()));
}

/// Sorts rows into sessions and launches, in the order in which they are first named. `rows_of`: by launch.
void sort_rows(const LogRows& rows, PlacementLog& log, std::vector<std::vector<std::vector<const LogRow*>>>& rows_of) {
  std::map<std::string, std::size_t> sessions;
  std::vector<std::map<std::string, std::size_t>> launches;
  std::vector<std::int64_t> last_start;  // by session
  for (const LogRow& row : rows.rows) {
    const auto [session, is_new] = sessions.emplace(row.session, log.sessions.size());
    if (is_new) {
      log.sessions.push_back({row.session, 0, rows.time != LogTime::none, {}});
      last_start.push_back(row.start);
      launches.emplace_back();
      rows_of.emplace_back();
    }
    LogSession& into = log.sessions[session->second];
    const auto [launch, is_new_launch] = launches[session->second].emplace(row.launch, into.launches.size());
    if (is_new_launch) {
      into.launches.push_back(row.description);
      into.launches.back().name = row.launch.empty() ? "the launch" : row.launch;
      into.launches.back().mark = row.mark;
      rows_of[session->second].emplace_back();
    }
    into.cores = std::max(into.cores, row.core + 1);
    into.is_in_order = into.is_in_order && row.start >= last_start[session->second];
    last_start[session->second] = row.start;
    rows_of[session->second][launch->second].push_back(&row);
  }
}

/// Returns the number of successive rows that always share a core, at most 32; 1 if all rows do. Rows are threads,
/// sorted by start.
std::size_t threads_per_group(const std::vector<const LogRow*>& rows) {
  const bool is_one_core =
      std::all_of(rows.begin(), rows.end(), [&](const LogRow* row) { return row->core == rows.front()->core; });
  constexpr std::array<std::size_t, 5> sizes{32, 16, 8, 4, 2};
  for (const std::size_t size : sizes) {
    if (is_one_core || rows.size() % size != 0) continue;
    bool all = true;
    for (std::size_t i = 0; i < rows.size(); ++i) all = all && rows[i]->core == rows[i - i % size]->core;
    if (all) return size;
  }
  return 1;
}

/// Forms the work-groups of a log that has no numbers for them.
void group_threads(std::vector<const LogRow*> rows, LoggedLaunch& launch, std::vector<std::string>& notes) {
  std::stable_sort(rows.begin(), rows.end(), [](const LogRow* a, const LogRow* b) { return a->start < b->start; });
  const std::size_t size = threads_per_group(rows);
  launch.threads = static_cast<std::uint32_t>(size);
  for (std::size_t i = 0; i < rows.size(); i += size) {
    LoggedGroup group{launch.groups.size(), rows[i]->core, rows[i]->start, rows[i]->end, rows[i]->mark.line, {}};
    for (std::size_t j = i; j < i + size; ++j) group.end = std::max(group.end, rows[j]->end);
    for (std::size_t j = i; size > 1 && j < i + size; ++j) group.thread_ends.push_back(rows[j]->end);
    launch.groups.push_back(group);
  }
  notes.push_back(
      fmt::format("{}: rows have no work-group; in the order of their starts, {}", printable(launch.name),
                  size == 1 ? std::string("each is taken as a work-group")
                            : fmt::format("{} in a row are always on one core and are taken as a work-group", size)));
}

void number_groups(const std::vector<const LogRow*>& rows, LoggedLaunch& launch, Diagnostics& problems) {
  launch.groups.reserve(rows.size());
  std::vector<std::pair<std::uint64_t, const LogRow*>> by_number;
  for (const LogRow* row : rows) by_number.emplace_back(row->number, row);
  std::stable_sort(by_number.begin(), by_number.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < by_number.size(); ++i) {
    const LogRow& row = *by_number[i].second;
    if (i > 0 && by_number[i - 1].first == row.number)
      problems.add(row.mark, fmt::format("work-group {} of {} stands there twice; name launches in a column `launch`",
                                         row.number, printable(launch.name)));
    launch.groups.push_back({row.number, row.core, row.start, row.end, row.mark.line, {}});
  }
  const std::uint64_t count = launch.groups.back().number + 1;
  if (launch.grid > 0 && launch.grid < count)
    problems.add(by_number.back().second->mark,
                 fmt::format("work-group {} is none of {} work-groups, numbered from 0", count - 1, launch.grid));
  launch.grid = std::max(launch.grid, count);
}

/// Splits sessions without times: launches of one kernel that differ in size ran one after the other on an idle device.
void split_sessions(PlacementLog& log) {
  std::vector<LogSession> split;
  for (LogSession& session : log.sessions) {
    std::map<std::string, std::size_t> by_kernel;
    bool repeats = false;
    for (const LoggedLaunch& launch : session.launches) {
      const std::string kernel = launch.name.substr(0, launch.name.find(" blocks "));
      repeats = repeats || ++by_kernel[kernel] > 1;
    }
    if (!repeats) {
      split.push_back(std::move(session));
      continue;
    }
    for (LoggedLaunch& launch : session.launches)
      split.push_back({launch.name, session.cores, false, {std::move(launch)}});
  }
  log.sessions = std::move(split);
}

}  // namespace

std::size_t PlacementLog::launches() const {
  std::size_t count = 0;
  for (const LogSession& session : sessions) count += session.launches.size();
  return count;
}

std::size_t PlacementLog::groups() const {
  std::size_t count = 0;
  for (const LogSession& session : sessions)
    for (const LoggedLaunch& launch : session.launches) count += launch.groups.size();
  return count;
}

PlacementLog read_placement_log(const SourceText& source, const std::string& device, Diagnostics& problems,
                                const std::vector<DeviceName>& names) {
  PlacementLog log;
  const std::size_t before = problems.size();
  const CsvDocument table = read_csv(source, problems);
  if (problems.size() > before) return log;
  const LogColumns columns(table, problems);
  if (problems.size() > before) return log;
  const std::string gpu = chosen_gpu(table, columns, device, names, log.notes, problems);
  LogRows rows = read_log_rows(table, columns, gpu);
  if (problems.size() > before) return log;
  log.time = rows.time;
  log.core_column = columns.name(LogColumn::core);
  log.is_of_shader_engine = columns.has(LogColumn::shader_engine);
  if (log.is_of_shader_engine || columns.has(LogColumn::shader_array)) number_cores(rows, log);
  std::vector<std::vector<std::vector<const LogRow*>>> rows_of;
  sort_rows(rows, log, rows_of);
  for (std::size_t session = 0; session < log.sessions.size(); ++session)
    for (std::size_t i = 0; i < log.sessions[session].launches.size(); ++i) {
      LoggedLaunch& launch = log.sessions[session].launches[i];
      if (rows.has_numbers) number_groups(rows_of[session][i], launch, problems);
      if (!rows.has_numbers) group_threads(rows_of[session][i], launch, log.notes);
      launch.grid = std::max<std::uint64_t>(launch.grid, launch.groups.size());
    }
  if (log.time == LogTime::none) split_sessions(log);
  return log;
}

}  // namespace gdsim
