#pragma once

#include <gdsim/analysis/run_view.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace gdsim {

/// Up to so many launches are shown one by one.
inline constexpr std::size_t kMaxLaunchesDrawn = 200;
/// Up to so many if more of them are critical.
inline constexpr std::size_t kMaxCriticalDrawn = 1'000;

/// Which launches figures and tables show.
struct LaunchSelection {
  /// Of RunView::launches; all in their order, or some in the order in which they begin.
  std::vector<std::size_t> rows;
  std::size_t total = 0;
  std::size_t critical = 0;        ///< of all: on the critical path, or without slack
  std::size_t critical_shown = 0;  ///< of `rows`

  bool is_whole() const { return rows.size() == total; }
};

/// All launches if they are few. Else the longest and those that are critical; these, too, only the longest where they
/// are more than `max_rows`.
LaunchSelection select_launches(const RunView& view, std::size_t max_rows = kMaxCriticalDrawn);

/// `200 of 1000 launches: all 7 critical ones, and the longest of the others, ...`; nothing if all are shown.
std::string selection_words(const LaunchSelection& selection);

}  // namespace gdsim
