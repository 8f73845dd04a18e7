#include <gdsim/page/html/page_data.hpp>

#include <gdsim/analysis/words.hpp>
#include <gdsim/page/markup.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gdsim {

std::string kernel_text(const LaunchRow& launch) {
  if (launch.is_remote) return "launches of other devices";
  if (!launch.is_without_kernel) return launch.kernel;
  return launch.kernel.ends_with("to the host") ? "copies to the host" : "copies to the device";
}

KernelUses kernel_uses(const RunView& view) {
  KernelUses uses;
  std::map<std::pair<bool, std::string>, std::size_t> known;  // a kernel may have the name of a copy direction
  for (std::size_t i = 0; i < view.launches.size(); ++i) {
    const LaunchRow& launch = view.launches[i];
    const auto [found, is_new] =
        known.try_emplace({launch.is_without_kernel, kernel_text(launch)}, uses.kernels.size());
    if (is_new) uses.kernels.emplace_back().name = found->first.second;
    uses.kernel_of.push_back(found->second);
    KernelUse& kernel = uses.kernels[found->second];
    kernel.is_remote = launch.is_remote;
    if (launch.is_remote) continue;
    ++kernel.launches;
    kernel.work_groups = std::max(kernel.work_groups, view.record.launches[i].work_groups_dispatched);
    const auto duration = view.record.launches[i].duration();
    if (!duration) continue;
    ++kernel.ended;
    kernel.sum += static_cast<UInt128>(duration->count);
    kernel.longest = std::max(kernel.longest, *duration);
  }
  return uses;
}

namespace {

constexpr std::size_t kMaxListedLaunches = 6'000;
/// This many of the longest launches are kept, regardless of the number of critical ones.
constexpr std::size_t kLongestKept = 100;
/// The maximum size of all rows in bytes: names and waits make them long.
constexpr std::size_t kMaxLaunchBytes = 450'000;
/// After this many lanes, further queues share one lane.
constexpr std::size_t kMaxLanes = 40;
constexpr std::size_t kLongestListedName = 80;
constexpr std::size_t kLongestListedWaits = 160;

SimTime begin_of(const LaunchRecord& life, const RunView& view) {
  return life.first_dispatched.value_or(life.ready.value_or(view.record.end));
}

/// Launches in the order in which they are kept: the longest, those on the critical path, other critical ones, and the
/// longest of the others.
std::vector<std::size_t> ranked_rows(const RunView& view) {
  std::vector<std::size_t> rows(view.launches.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  std::vector<bool> is_on_path(rows.size());
  for (const LaunchId id : view.record.critical_path) is_on_path[index_of(id)] = true;
  const auto by_length = [&](std::size_t row) {
    const LaunchRecord& life = view.record.launches[row];
    return std::tuple(-(life.ended.value_or(view.record.end) - begin_of(life, view)).count, row);
  };
  std::sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) { return by_length(a) < by_length(b); });
  std::vector<bool> is_long(rows.size());
  for (std::size_t i = 0; i < std::min(kLongestKept, rows.size()); ++i) is_long[rows[i]] = true;
  const auto rank = [&](std::size_t row) {
    return std::tuple_cat(std::tuple(!is_long[row], !is_on_path[row], !view.is_critical(row)), by_length(row));
  };
  std::sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  return rows;
}

/// The first `max` of `ranked`, sorted by their begins.
std::vector<std::size_t> kept_rows(std::vector<std::size_t> ranked, std::size_t max, const RunView& view) {
  ranked.resize(std::min(ranked.size(), max));
  std::sort(ranked.begin(), ranked.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple(begin_of(view.record.launches[a], view), a) <
           std::tuple(begin_of(view.record.launches[b], view), b);
  });
  return ranked;
}

/// The lane of a launch: its queue, its direction if it is a copy, or nothing.
std::string lane_of(const LaunchRow& launch) {
  if (launch.is_remote) return "other devices";
  if (launch.is_without_kernel) return launch.kernel.ends_with("to the host") ? "to the host" : "to the device";
  return launch.queue.empty() ? "no queue" : "queue " + shortened(launch.queue, kLongestListedName);
}

class LaunchColumns {
 public:
  LaunchColumns(const RunView& view, const LaunchLanes& lanes) : view_(view), uses_(kernel_uses(view)) {
    for (std::size_t i = 0; i < lanes.collectives.size(); ++i)
      for (const LaunchId launch : lanes.collectives[i]) collective_of_[index_of(launch)] = i;
    for (const std::string& lane : lanes.order) {
      if (lanes_.size() >= kMaxLanes) break;
      lane_numbers_[lane] = lanes_.size();
      lanes_.push_back(lane);
    }
    for (std::size_t row = 0; row < view.launches.size(); ++row) {
      std::string lane = lanes.of_launch.empty() ? lane_of(view.launches[row]) : lanes.of_launch[row];
      if (lanes_.size() >= kMaxLanes && !lane_numbers_.contains(lane)) lane = "other queues";
      const auto [found, is_new] = lane_numbers_.try_emplace(lane, lanes_.size());
      if (is_new) lanes_.push_back(lane);
      lane_of_.push_back(found->second);
    }
  }

  std::string text() const {
    const std::vector<std::size_t> ranked = ranked_rows(view_);
    std::size_t max = std::min(kMaxListedLaunches, ranked.size());
    std::string columns = columns_of(kept_rows(ranked, max, view_));
    while (columns.size() > kMaxLaunchBytes && max > 100)
      columns = columns_of(kept_rows(ranked, max = max * 3 / 4, view_));
    std::string text =
        "{\"total\":" + std::to_string(view_.launches.size()) + "," +
        script_column("lanes", lanes_, [](std::string& to, const std::string& lane) { to += script_string(lane); }) +
        "," + columns;
    if (max < view_.launches.size()) text += "," + busy_shares();
    return text + "}";
  }

 private:
  using Rows = std::vector<std::size_t>;
  using Places = std::unordered_map<std::size_t, std::size_t>;  ///< index of each kept row

  const LaunchRecord& life(std::size_t row) const { return view_.record.launches[row]; }
  static void write_count(std::string& to, std::size_t value) { append_count(to, value); }

  std::string columns_of(const Rows& rows) const {
    Places place;
    for (std::size_t i = 0; i < rows.size(); ++i) place[rows[i]] = i;
    return names_of(rows) + "," + kernels_of(rows) + "," + times_of(rows) + "," + order_of(rows, place) +
           collectives_of(rows) + traffic_of(rows);
  }

  /// The number of the collective that each row is a part of, or null.
  std::string collectives_of(const Rows& rows) const {
    if (collective_of_.empty()) return {};
    return "," + script_column("collective", rows, [&](std::string& to, std::size_t row) {
             const auto found = collective_of_.find(row);
             to += found == collective_of_.end() ? "null" : std::to_string(found->second);
           });
  }

  std::string names_of(const Rows& rows) const {
    return script_column("name", rows,
                         [&](std::string& to, std::size_t row) {
                           to += script_string(shortened(view_.launches[row].name, kLongestListedName));
                         }) +
           "," + script_column("number", rows, write_count);
  }

  /// The kernels of the kept rows, the one with the most time first.
  Rows kernels_by_time(const Rows& rows) const {
    Rows kernels;
    for (const std::size_t row : rows) kernels.push_back(uses_.kernel_of[row]);
    std::sort(kernels.begin(), kernels.end());
    kernels.erase(std::unique(kernels.begin(), kernels.end()), kernels.end());
    std::stable_sort(kernels.begin(), kernels.end(),
                     [&](std::size_t a, std::size_t b) { return uses_.kernels[a].sum > uses_.kernels[b].sum; });
    return kernels;
  }

  /// Rows refer to their kernels by index.
  std::string kernels_of(const Rows& rows) const {
    const Rows kernels = kernels_by_time(rows);
    Places places;
    for (std::size_t i = 0; i < kernels.size(); ++i) places[kernels[i]] = i;
    return script_column("kernels", kernels,
                         [&](std::string& to, std::size_t kernel) {
                           to += script_string(shortened(uses_.kernels[kernel].name, kLongestListedName));
                         }) +
           "," + script_column("kernel_numbers", kernels, write_count) + "," +
           script_column("kernel_sums", kernels,
                         [&](std::string& to, std::size_t kernel) {
                           to += to_fixed({uses_.kernels[kernel].sum, 1}, 0);
                         }) +
           "," +
           script_column("kernel", rows,
                         [&](std::string& to, std::size_t row) { append_count(to, places.at(uses_.kernel_of[row])); }) +
           "," +
           script_column("lane", rows, [&](std::string& to, std::size_t row) { append_count(to, lane_of_[row]); });
  }

  /// Bytes that one launch of each kernel moved at each level of memory, and those of each copy.
  std::string traffic_of(const Rows& rows) const {
    std::map<std::string, std::map<std::string, UInt128>> levels;
    for (const KernelTraffic& kernel : view_.traffic)
      for (const ResourceUse& level : kernel.levels) levels[level.name][kernel.kernel] = level.amount;
    const Rows kernels = kernels_by_time(rows);
    std::string text;
    for (const auto& level : levels) {
      const auto bytes = [&](std::string& to, std::size_t kernel) {
        const auto found = level.second.find(uses_.kernels[kernel].name);
        const bool is_known = found != level.second.end() && uses_.kernels[kernel].ended > 0;
        to += is_known ? to_fixed({found->second, uses_.kernels[kernel].ended}, 0) : "0";
      };
      text += (text.empty() ? "" : ",") + ("{\"level\":" + script_string(level.first) + ",") +
              script_column("by_kernel", kernels, bytes) + "}";
    }
    if (const std::string copies = copies_of(rows); !copies.empty()) text += (text.empty() ? "" : ",") + copies;
    return text.empty() ? "" : ",\"traffic\":[" + text + "]";
  }

  /// Bytes of each copy; empty if there are none.
  std::string copies_of(const Rows& rows) const {
    const auto is_copy = [&](std::size_t row) { return view_.workload->launches[row].is_copy(); };
    if (view_.workload == nullptr || std::none_of(rows.begin(), rows.end(), is_copy)) return {};
    return "{\"level\":\"copies\"," +
           script_column("by_launch", rows,
                         [&](std::string& to, std::size_t row) {
                           const Launch& launch = view_.workload->launches[row];
                           append_count(to,
                                        is_copy(row) ? static_cast<std::uint64_t>(launch.as_copy().bytes.count) : 0);
                         }) +
           "}";
  }

  std::string times_of(const Rows& rows) const {
    const auto first = script_column("first", rows, [&](std::string& to, std::size_t row) {
      if (life(row).first_dispatched) {
        append_picoseconds(to, view_.record.first_dispatch, *life(row).first_dispatched);
      } else {
        to += "null";
      }
    });
    // The time from one event of a launch to another; null if one of them did not happen.
    const auto spans = [&](std::string_view name, OptionalTime LaunchRecord::*from, OptionalTime LaunchRecord::*to) {
      return script_column(name, rows, [&, from, to](std::string& text, std::size_t row) {
        if (life(row).*from && life(row).*to) {
          append_picoseconds(text, *(life(row).*from), *(life(row).*to));
        } else {
          text += "null";
        }
      });
    };
    return first + "," + spans("wait", &LaunchRecord::ready, &LaunchRecord::first_dispatched) + "," +
           spans("dispatch", &LaunchRecord::first_dispatched, &LaunchRecord::fully_dispatched) + "," +
           spans("duration", &LaunchRecord::first_dispatched, &LaunchRecord::ended);
  }

  std::string order_of(const Rows& rows, const Places& place) const {
    Rows path;
    for (const LaunchId id : view_.record.critical_path)
      if (const auto found = place.find(index_of(id)); found != place.end()) path.push_back(found->second);
    return script_column("critical", rows,
                         [&](std::string& to, std::size_t row) { append_count(to, view_.is_critical(row) ? 1 : 0); }) +
           "," + script_column("path", path, write_count) + "," +
           script_column("after", rows, [&](std::string& to, std::size_t row) { to += earlier(row, place); }) + "," +
           script_column("waits", rows, [&](std::string& to, std::size_t row) {
             to += script_string(shortened(
                 waits_text(life(row).waited, view_.terms, to_rounded_text, view_.launches[row].hardware_queue),
                 kLongestListedWaits));
           });
  }

  /// The predecessors of a launch that are kept.
  std::string earlier(std::size_t row, const Places& place) const {
    constexpr std::size_t max = 16;
    std::string text = "[";
    std::size_t written = 0;
    for (const std::size_t before : view_.launches[row].after) {
      const auto found = place.find(before);
      if (found == place.end() || ++written > max) continue;
      if (text.size() > 1) text.push_back(',');
      append_count(text, found->second);
    }
    return text + "]";
  }

  /// Writes for each lane a letter for each of 512 parts of the run: `A` is free all the time, `/` never is.
  std::string busy_shares() const {
    constexpr std::size_t parts = 512;
    constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const auto whole = static_cast<UInt128>(view_.record.active().count);
    std::vector<std::vector<std::pair<UInt128, UInt128>>> spans(lanes_.size());
    for (std::size_t row = 0; row < view_.launches.size(); ++row) {
      const LaunchRecord& life = view_.record.launches[row];
      if (!life.first_dispatched) continue;
      spans[lane_of_[row]].emplace_back(
          static_cast<UInt128>((*life.first_dispatched - view_.record.first_dispatch).count),
          static_cast<UInt128>((life.ended.value_or(view_.record.end) - view_.record.first_dispatch).count));
    }
    return script_column("busy", spans, [&](std::string& to, std::vector<std::pair<UInt128, UInt128>>& lane) {
      std::sort(lane.begin(), lane.end());
      std::vector<UInt128> taken(parts);  // times `parts`
      UInt128 reached = 0;
      for (const auto& [from, end] : lane) {
        const UInt128 begin = std::max(from, reached);
        reached = std::max(reached, end);
        if (begin >= end) continue;
        const auto last = std::min<std::size_t>(static_cast<std::size_t>(end * parts / whole), parts - 1);
        for (auto part = static_cast<std::size_t>(begin * parts / whole); part <= last && part < parts; ++part)
          taken[part] += std::min(end * parts, whole * (part + 1)) - std::max(begin * parts, whole * part);
      }
      to.push_back('"');
      for (const UInt128 time : taken) to.push_back(letters[static_cast<std::size_t>((time * 63 + whole - 1) / whole)]);
      to.push_back('"');
    });
  }

  const RunView& view_;
  KernelUses uses_;
  std::map<std::string, std::size_t> lane_numbers_;
  std::vector<std::string> lanes_;
  std::vector<std::size_t> lane_of_;  ///< by launch
  Places collective_of_;              ///< by launch
};

}  // namespace

std::string launch_data(const RunView& view, const LaunchLanes& lanes) { return LaunchColumns(view, lanes).text(); }

}  // namespace gdsim
