#include "oracle/phases.hpp"

#include <algorithm>

namespace gdsim::oracle {
namespace {

/// Returns the intervals of constant resident threads, however short.
std::vector<PhaseRow> intervals_of(const std::vector<DeviceRow>& rows, Time end) {
  std::vector<PhaseRow> intervals;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Time until = i + 1 < rows.size() ? rows[i + 1].time : end;
    if (until == rows[i].time) continue;
    const Residents& residents = rows[i].residents;
    if (intervals.empty() || intervals.back().threads != residents.threads)
      intervals.push_back(
          {rows[i].time, until, residents.threads, 0, 0, "constant", 0, residents.threads, residents.threads});
    PhaseRow& interval = intervals.back();
    interval.end = until;
    interval.running_time += Int128{residents.running} * (until - rows[i].time);
    interval.busy_cores = std::max(interval.busy_cores, rows[i].busy_cores);
    interval.resident_time = Int128{residents.threads} * (interval.end - interval.start);
  }
  return intervals;
}

/// Intervals from `begin` to before `end` that are treated as one.
struct Item {
  std::size_t begin;
  std::size_t end;
  bool is_long = false;
};

class Finder {
 public:
  Finder(std::vector<PhaseRow> intervals, std::uint64_t after, std::uint64_t contexts)
      : intervals_(std::move(intervals)), after_(after), contexts_(contexts) {}

  std::vector<PhaseRow> find() {
    make_items();
    for (std::size_t i = 0; i < items_.size();) {
      std::size_t end = i;
      while (end < items_.size() && (!items_[end].is_long || is_step(end))) ++end;
      if (end > i) {
        stretch(i, end);
        i = end;
      } else {
        constant(items_[i++]);
      }
    }
    return std::move(phases_);
  }

 private:
  Time first() const { return intervals_.front().start; }
  Time whole() const { return intervals_.back().end - first(); }
  bool lasts(Int128 time, Int128 run, Int128 phases = 1) const { return time * 1000 >= run * 5 * phases; }
  bool is_jump(std::uint64_t a, std::uint64_t b) const {
    return Int128{a < b ? b - a : a - b} * 1000 > Int128{contexts_} * 25;
  }
  bool is_jump(std::size_t i) const { return is_jump(i == 0 ? 0 : intervals_[i - 1].threads, intervals_[i].threads); }
  Time duration(std::size_t begin, std::size_t end) const { return intervals_[end - 1].end - intervals_[begin].start; }

  /// Makes items: an interval that is long when it ends is one; short ones of a cell are combined, split at up to 3
  /// jumps.
  void make_items() {
    const auto was_long = [&](std::size_t i) {
      return lasts(intervals_[i].end - intervals_[i].start, intervals_[i].end - first());
    };
    Time width = 1;
    for (std::size_t i = 0; i < intervals_.size(); ++i)
      while (!was_long(i) && (intervals_[i].start - first()) / width >= 2048) width *= 2;
    const auto cell = [&](std::size_t i) { return (intervals_[i].start - first()) / width; };
    for (std::size_t i = 0; i < intervals_.size();) {
      if (was_long(i)) {
        items_.push_back({i, i + 1, lasts(duration(i, i + 1), whole())});
        ++i;
        continue;
      }
      std::size_t end = i + 1;
      while (end < intervals_.size() && !was_long(end) && cell(end) == cell(i)) ++end;
      std::size_t jumps = 0;
      for (std::size_t at = i; at < end; ++at) jumps += is_jump(at) ? 1 : 0;
      for (std::size_t begin = i; begin < end;) {
        std::size_t stop = begin + 1;
        while (stop < end && (jumps > 3 || !is_jump(stop))) ++stop;
        items_.push_back({begin, stop, false});
        begin = stop;
      }
      i = end;
    }
  }

  bool is_step(std::size_t i) const {
    const Item& item = items_[i];
    const std::uint64_t behind = item.end < intervals_.size() ? intervals_[item.end].threads : after_;
    return !lasts(duration(item.begin, item.end), whole(), 20) && !is_jump(item.begin) &&
           !is_jump(intervals_[item.begin].threads, behind);
  }

  PhaseRow sum(std::size_t begin, std::size_t end) const {
    PhaseRow all = intervals_[begin];
    for (std::size_t i = begin + 1; i < end; ++i) {
      all.end = intervals_[i].end;
      all.running_time += intervals_[i].running_time;
      all.resident_time += intervals_[i].resident_time;
      all.busy_cores = std::max(all.busy_cores, intervals_[i].busy_cores);
      all.min_threads = std::min(all.min_threads, intervals_[i].threads);
      all.max_threads = std::max(all.max_threads, intervals_[i].threads);
    }
    return all;
  }

  /// Returns the sum of all rises between these intervals, and that of all falls.
  std::pair<Int128, Int128> changes(std::size_t begin, std::size_t end) const {
    Int128 risen = 0;
    Int128 fallen = 0;
    for (std::size_t i = begin + 1; i < end; ++i) {
      const Int128 change = Int128{intervals_[i].threads} - Int128{intervals_[i - 1].threads};
      (change > 0 ? risen : fallen) += change > 0 ? change : -change;
    }
    return {risen, fallen};
  }

  void constant(const Item& item) {
    if (!phases_.empty() && phases_.back().kind == "constant" &&
        phases_.back().threads == intervals_[item.begin].threads && last_is_merged_or_single_) {
      const PhaseRow merged = sum(last_begin_, item.end);
      const Int128 level = Int128{merged.threads} * (merged.end - merged.start);
      const Int128 off = merged.resident_time > level ? merged.resident_time - level : level - merged.resident_time;
      if (off * 200 <= Int128{contexts_} * (merged.end - merged.start)) {
        phases_.back() = merged;
        return;
      }
    }
    phases_.push_back(sum(item.begin, item.end));
    last_begin_ = item.begin;
    last_is_merged_or_single_ = true;
  }

  void shaped(std::size_t begin, std::size_t end, const std::string& kind) {
    PhaseRow row = sum(begin, end);
    const Int128 time = row.end - row.start;
    row.kind = kind;
    row.threads = static_cast<std::uint64_t>((2 * row.resident_time + time) / (2 * time));
    phases_.push_back(row);
    last_is_merged_or_single_ = false;
  }

  void stretch(std::size_t from, std::size_t to) {
    const std::size_t begin = items_[from].begin;
    const std::size_t end = items_[to - 1].end;
    if (end - begin < 9) {
      for (std::size_t i = from; i < to; ++i)
        if (items_[i].is_long) constant(items_[i]);
    } else if (lasts(duration(begin, end), whole())) {
      bands(from, to, duration(begin, end) / 8);
    }
  }

  bool is_band(std::size_t begin, std::size_t end) const {
    const PhaseRow all = sum(begin, end);
    const Int128 time = all.end - all.start;
    const Int128 below = all.resident_time - Int128{all.min_threads} * time;
    const Int128 above = Int128{all.max_threads} * time - all.resident_time;
    return std::max(below, above) * 1000 <= Int128{contexts_} * 25 * time;
  }

  void bands(std::size_t from, std::size_t to, Time shortest) {
    if (from == to) return;
    std::size_t best = to;
    std::size_t best_end = to;
    for (std::size_t i = from; i < to; ++i) {
      std::size_t end = i + 1;
      while (end < to && is_band(items_[i].begin, items_[end].end)) ++end;
      const Time time = duration(items_[i].begin, items_[end - 1].end);
      const auto [risen, fallen] = changes(items_[i].begin, items_[end - 1].end);
      if (time < shortest || !lasts(time, whole()) || !is_band(items_[i].begin, items_[end - 1].end)) continue;
      if (risen == 0 || 2 * (risen > fallen ? risen - fallen : fallen - risen) > risen + fallen) continue;
      if (best == to || time > duration(items_[best].begin, items_[best_end - 1].end)) {
        best = i;
        best_end = end;
      }
    }
    if (best == to) {
      slopes(from, to);
      return;
    }
    bands(from, best, shortest);
    shaped(items_[best].begin, items_[best_end - 1].end, "band");
    bands(best_end, to, shortest);
  }

  bool is_phase(std::size_t from, std::size_t to) const {
    return from < to && lasts(duration(items_[from].begin, items_[to - 1].end), whole());
  }
  bool has_jump(const Item& item) const {
    for (std::size_t i = item.begin; i < item.end; ++i)
      if (is_jump(i)) return true;
    return false;
  }
  bool goes_one_way(std::size_t from, std::size_t to) const {
    const auto [risen, fallen] = changes(items_[from].begin, items_[to - 1].end);
    return risen == 0 || fallen == 0;
  }

  bool swings(std::size_t from, std::size_t to) const {
    const std::size_t begin = items_[from].begin;
    const std::size_t end = items_[to - 1].end;
    const auto [risen, fallen] = changes(begin, end);
    std::size_t jumps = 0;
    for (std::size_t i = begin; i < end; ++i) jumps += is_jump(i) ? 1 : 0;
    return 4 * jumps >= end - begin && risen > 0 &&
           2 * (risen > fallen ? risen - fallen : fallen - risen) <= risen + fallen;
  }

  void slopes(std::size_t from, std::size_t to) {
    if (is_phase(from, to) && swings(from, to)) {
      one_way(from, to);
      return;
    }
    std::size_t together = from;
    for (std::size_t i = from; i < to;) {
      std::size_t end = i + 1;
      while (end < to && !has_jump(items_[end])) ++end;
      if (is_phase(i, end)) {
        if (is_phase(together, i)) slope(together, i);
        one_way(i, end);
        together = end;
      }
      i = end;
    }
    if (is_phase(together, to)) slope(together, to);
  }

  void one_way(std::size_t from, std::size_t to) {
    std::size_t first = from;
    while (first < to && goes_one_way(from, first + 1)) ++first;
    std::size_t last = to;
    while (last > from && goes_one_way(last - 1, to)) --last;
    last = std::max(first, last);
    if (!is_phase(from, first)) first = from;
    if (!is_phase(last, to)) last = to;
    if (!is_phase(first, last)) (last < to ? last : first) = last < to ? first : to;
    for (const auto& [begin, end] : {std::pair(from, first), std::pair(first, last), std::pair(last, to)})
      if (begin < end) slope(begin, end);
  }

  void slope(std::size_t from, std::size_t to) {
    const std::size_t begin = items_[from].begin;
    const std::size_t end = items_[to - 1].end;
    const auto [risen, fallen] = changes(begin, end);
    shaped(begin, end, fallen > 0 && fallen >= 3 * risen ? "tail" : "ramp");
  }

  std::vector<PhaseRow> intervals_;
  std::uint64_t after_;
  std::uint64_t contexts_;
  std::vector<Item> items_;
  std::vector<PhaseRow> phases_;
  std::size_t last_begin_ = 0;             ///< of the last phase, if that is constant
  bool last_is_merged_or_single_ = false;  ///< the last phase is constant
};

}  // namespace

std::vector<PhaseRow> phases_of(const std::vector<DeviceRow>& rows, Time end, std::uint64_t contexts) {
  const std::vector<PhaseRow> intervals = intervals_of(rows, end);
  if (intervals.empty()) return {};
  const std::uint64_t after = rows.back().time == end ? rows.back().residents.threads : 0;
  return Finder(intervals, after, contexts).find();
}

}  // namespace gdsim::oracle
