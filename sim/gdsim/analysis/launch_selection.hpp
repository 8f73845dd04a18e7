#pragma once

#include <gdsim/analysis/run_view.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace gdsim {

/// The maximum number of launches that are shown one by one.
inline constexpr std::size_t kMaxLaunchesDrawn = 200;
/// The maximum number of launches that are shown one by one if more of them are critical.
inline constexpr std::size_t kMaxCriticalDrawn = 1'000;

/// The launches that figures and tables show.
struct LaunchSelection {
  /// Rows of RunView::launches: all of them in their order, or some in the order in which they begin.
  std::vector<std::size_t> rows;
  std::size_t total = 0;
  std::size_t critical = 0;        ///< among all launches: on the critical path, or without slack
  std::size_t critical_shown = 0;  ///< those in `rows`

  bool is_whole() const { return rows.size() == total; }
};

/// Selects all launches if they are few; else the longest and the critical ones. If more than `max_rows` are critical,
/// only the longest of these.
LaunchSelection select_launches(const RunView& view, std::size_t max_rows = kMaxCriticalDrawn);

/// `200 of 1000 launches: all 7 critical ones, and the longest of the others, ...`; empty if all are shown.
std::string selection_words(const LaunchSelection& selection);

}  // namespace gdsim
