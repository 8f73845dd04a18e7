#include <gdsim/analysis/launch_selection.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

namespace gdsim {
namespace {

/// The number of longest launches that are shown, however many critical ones there are.
constexpr std::size_t kLongestShown = 100;

/// The criteria of the choice, by row.
struct Rating {
  Duration duration;
  SimTime begin;
  bool is_on_path = false;
  bool is_critical = false;  ///< also true for a launch on the critical path
  bool is_among_longest = false;
};

std::vector<Rating> ratings_of(const RunView& view) {
  std::vector<Rating> ratings;
  for (std::size_t row = 0; row < view.launches.size(); ++row) {
    const LaunchRecord& life = view.record.launches[row];
    const SimTime end = life.ended.value_or(view.record.end);
    const SimTime begin = life.first_dispatched.value_or(life.ready.value_or(view.record.end));
    ratings.push_back({life.first_dispatched ? end - begin : Duration{}, begin, false, view.is_critical(row), false});
  }
  for (const LaunchId launch : view.record.critical_path) {
    Rating& rating = ratings[index_of(launch)];
    rating.is_on_path = true;
    rating.is_critical = view.launches.size() > 1;
  }
  return ratings;
}

/// Sorts by ascending `key`, then by number.
template <class Key>
void sort_rows(std::vector<std::size_t>& rows, Key key) {
  std::sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple_cat(key(a), std::tuple(a)) < std::tuple_cat(key(b), std::tuple(b));
  });
}

}  // namespace

LaunchSelection select_launches(const RunView& view, std::size_t max_rows) {
  std::vector<Rating> ratings = ratings_of(view);
  const auto critical_among = [&](const std::vector<std::size_t>& rows) {
    return static_cast<std::size_t>(
        std::count_if(rows.begin(), rows.end(), [&](std::size_t row) { return ratings[row].is_critical; }));
  };
  LaunchSelection selection;
  selection.total = view.launches.size();
  selection.rows.resize(selection.total);
  std::iota(selection.rows.begin(), selection.rows.end(), std::size_t{0});
  selection.critical = selection.critical_shown = critical_among(selection.rows);
  if (selection.total <= kMaxLaunchesDrawn) return selection;
  std::vector<std::size_t>& rows = selection.rows;
  sort_rows(rows, [&](std::size_t row) { return std::tuple(-ratings[row].duration.count); });
  std::size_t needed = selection.critical;
  for (std::size_t i = 0; i < kLongestShown; ++i) {
    ratings[rows[i]].is_among_longest = true;
    if (!ratings[rows[i]].is_critical) ++needed;
  }
  sort_rows(rows, [&](std::size_t row) {
    const Rating& r = ratings[row];
    return std::tuple(!r.is_among_longest, !r.is_on_path, !r.is_critical, -r.duration.count);
  });
  const std::size_t limit = std::clamp(needed, kMaxLaunchesDrawn, std::max(max_rows, kMaxLaunchesDrawn));
  rows.resize(std::min(rows.size(), limit));
  sort_rows(rows, [&](std::size_t row) { return std::tuple(ratings[row].begin.count); });
  selection.critical_shown = critical_among(rows);
  return selection;
}

std::string selection_words(const LaunchSelection& selection) {
  if (selection.is_whole()) return {};
  const bool has_others = selection.rows.size() > selection.critical_shown;
  const std::string others = has_others ? ", and the longest of the others" : "";
  std::string which = "the longest ones";
  if (selection.critical_shown < selection.critical) {
    which = fmt::format("the longest {} of {} critical ones{}", selection.critical_shown, selection.critical, others);
  } else if (selection.critical > 0) {
    which = fmt::format("all {} critical ones{}", selection.critical, others);
  }
  return fmt::format(
      "{} of {} launches: {}, in the order in which they begin. launches.csv of `gdsim run -o DIR` has all.",
      selection.rows.size(), selection.total, which);
}

}  // namespace gdsim
