#include <gdsim/record/phase_shapes.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace gdsim {

ResidencyItem::ResidencyItem(const OpenInterval& interval, SimTime interval_end)
    : begin(interval.begin),
      end(interval_end),
      resident_time(interval.resident_time(interval_end)),
      running_time(interval.running_time),
      cores_busy(interval.cores_busy),
      min_resident(interval.resident),
      max_resident(interval.resident),
      first(interval.resident),
      last(interval.resident),
      intervals(1),
      jumps(interval.is_jump ? 1 : 0) {}

void ResidencyItem::append(const ResidencyItem& next) {
  risen += next.risen + (next.first > last ? next.first - last : 0);
  fallen += next.fallen + (next.first < last ? last - next.first : 0);
  last = next.last;
  end = next.end;
  resident_time += next.resident_time;
  running_time += next.running_time;
  cores_busy = std::max(cores_busy, next.cores_busy);
  min_resident = std::min(min_resident, next.min_resident);
  max_resident = std::max(max_resident, next.max_resident);
  intervals += next.intervals;
  jumps += next.jumps;
  is_long = false;
}

namespace {

constexpr std::int64_t kLongStep = 20;         // a step is shorter than this number of shortest phases
constexpr std::uint64_t kFewestIntervals = 9;  // minimum number of intervals of a stretch that is a slope
constexpr std::int64_t kBandShare = 8;         // a band lasts at least 1/8 of its stretch
constexpr std::uint64_t kTailFalls = 3;        // a tail falls at least 3 times as much as it rises
constexpr std::uint64_t kSwingShare = 4;       // at least 1/4 of the changes of a swing are jumps
constexpr std::uint64_t kFilledShare = 4;      // an item fills the device if it rises by 1/4 of the contexts
constexpr std::uint64_t kMergedMean = 200;     // a merged phase stays within 1/200 of the contexts

/// Items from `begin` to `end` - 1.
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;

  bool empty() const { return begin == end; }
};

/// The resident thread-picoseconds and the range of resident threads of consecutive items.
struct Levels {
  UInt128 time;       ///< thread-picoseconds
  std::uint64_t min;  ///< threads
  std::uint64_t max;  ///< threads

  explicit Levels(const ResidencyItem& item)
      : time(static_cast<UInt128>(item.resident_time)), min(item.min_resident), max(item.max_resident) {}
  void append(const ResidencyItem& item) {
    time += static_cast<UInt128>(item.resident_time);
    min = std::min(min, item.min_resident);
    max = std::max(max, item.max_resident);
  }
};

std::uint64_t distance(std::uint64_t a, std::uint64_t b) { return a < b ? b - a : a - b; }

class Shapes {
 public:
  Shapes(std::span<const ResidencyItem> items, const ResidencyRun& run, const PhaseRules& rules)
      : items_(items), run_(run), rules_(rules), whole_(run.end - run.begin), near_mean_ends_(items.size(), 0) {}

  PhaseList find() {
    for (std::size_t i = 0; i < items_.size();) {
      if (is_long(i) && !is_step(i)) {
        constant(i++);
        continue;
      }
      Range range{i, i};
      while (range.end < items_.size() && (!is_long(range.end) || is_step(range.end))) ++range.end;
      stretch(range);
      i = range.end;
    }
    return std::move(list_);
  }

 private:
  /// The number of resident threads before the item and after it.
  std::uint64_t before(std::size_t i) const { return i == 0 ? 0 : items_[i - 1].last; }
  std::uint64_t behind(std::size_t i) const {
    return i + 1 == items_.size() ? run_.last_resident : items_[i + 1].first;
  }

  bool is_phase_long(Duration duration) const { return !rules_.is_shorter(duration, whole_); }
  bool is_long(std::size_t i) const { return items_[i].is_long && is_phase_long(items_[i].duration()); }
  bool is_step(std::size_t i) const {
    return rules_.is_shorter(items_[i].duration(), whole_, kLongStep) &&
           rules_.is_in_band(distance(before(i), items_[i].first)) &&
           rules_.is_in_band(distance(items_[i].last, behind(i)));
  }

  ResidencyItem sum_of(Range range) const {
    ResidencyItem sum = items_[range.begin];
    for (std::size_t i = range.begin + 1; i < range.end; ++i) sum.append(items_[i]);
    return sum;
  }
  Duration duration_of(Range range) const { return items_[range.end - 1].end - items_[range.begin].begin; }

  static Phase phase_of(const ResidencyItem& item, PhaseShape kind) {
    Phase phase{item.begin, item.end,           item.first,        item.running_time, item.cores_busy,
                kind,       item.resident_time, item.min_resident, item.max_resident};
    const auto duration = static_cast<UInt128>(item.duration().count);
    if (kind != PhaseShape::constant)
      phase.resident =
          static_cast<std::uint64_t>((2 * static_cast<UInt128>(item.resident_time) + duration) / (2 * duration));
    return phase;
  }

  void add(const Phase& phase) {
    list_.phases.push_back(phase);
    between_.reset();
  }

  void constant(std::size_t i) {
    if (may_merge(i)) {
      Phase& last = list_.phases.back();
      ResidencyItem gap = between_ ? *between_ : items_[i];
      if (between_) gap.append(items_[i]);
      last.end = gap.end;
      last.resident_time += gap.resident_time;
      last.running_time += gap.running_time;
      last.cores_busy = std::max(last.cores_busy, gap.cores_busy);
      last.min_resident = std::min(last.min_resident, gap.min_resident);
      last.max_resident = std::max(last.max_resident, gap.max_resident);
      between_.reset();
    } else {
      add(phase_of(items_[i], PhaseShape::constant));
    }
  }

  /// Returns true if the item continues the last phase, over the transition between them if there is one.
  bool may_merge(std::size_t i) const {
    if (list_.phases.empty()) return false;
    const Phase& last = list_.phases.back();
    if (last.kind != PhaseShape::constant || last.resident != items_[i].first) return false;
    const Int128 time = last.resident_time + items_[i].resident_time + (between_ ? between_->resident_time : 0);
    const auto duration = static_cast<UInt128>((items_[i].end - last.begin).count);
    const Int128 level = static_cast<Int128>(last.resident * duration);
    return static_cast<UInt128>(time < level ? level - time : time - level) * kMergedMean <= rules_.contexts * duration;
  }

  void transition(Range range) {
    const ResidencyItem sum = sum_of(range);
    auto& transitions = list_.transitions;
    if (!transitions.empty() && transitions.back().end == sum.begin) {
      Transition& last = transitions.back();
      last.end = sum.end;
      last.min_resident = std::min(last.min_resident, sum.min_resident);
      last.max_resident = std::max(last.max_resident, sum.max_resident);
    } else {
      transitions.push_back({sum.begin, sum.end, sum.min_resident, sum.max_resident});
    }
    if (between_) {
      between_->append(sum);
    } else {
      between_ = sum;
    }
  }

  void stretch(Range range) {
    const ResidencyItem sum = sum_of(range);
    if (sum.intervals < kFewestIntervals) {
      for (std::size_t i = range.begin; i < range.end; ++i) is_long(i) ? constant(i) : transition({i, i + 1});
    } else if (!is_phase_long(sum.duration())) {
      transition(range);
    } else {
      stretch_end_ = range.end;
      bands(range, Duration{sum.duration().count / kBandShare});
    }
  }

  /// Adds the longest band and the phases on both sides of it.
  void bands(Range range, Duration shortest) {
    if (range.empty()) return;
    const auto band = longest_band(range, shortest);
    if (!band) {
      slopes(range);
      return;
    }
    bands({range.begin, band->begin}, shortest);
    add(phase_of(sum_of(*band), PhaseShape::band));
    bands({band->end, range.end}, shortest);
  }

  std::optional<Range> longest_band(Range range, Duration shortest) {
    std::optional<Range> longest;
    const auto is_too_short = [&](Range candidate) {
      return candidate.empty() || duration_of(candidate) < shortest ||
             (longest && duration_of(candidate) <= duration_of(*longest));
    };
    BandReach reach(items_, range.end, rules_);
    for (std::size_t begin = range.begin; begin < range.end; ++begin) {
      if (is_too_short({begin, range.end})) break;
      if (is_too_short({begin, reach.max_end(begin)})) continue;
      const std::size_t end = std::min(near_mean_end(begin), range.end);
      if (is_too_short({begin, end})) continue;
      const ResidencyItem sum = sum_of({begin, end});
      if (is_phase_long(sum.duration()) && returns(sum) && is_near_mean(Levels(sum), sum.duration()))
        longest = Range{begin, end};
    }
    return longest;
  }

  /// Returns the end of the longest sequence of items of the stretch, from `begin` on, such that each of its prefixes
  /// is near its mean. The sequence has at least one item. The result is cached for searches in parts of the stretch.
  std::size_t near_mean_end(std::size_t begin) {
    std::size_t& end = near_mean_ends_[begin];
    if (end > 0) return end;
    Levels levels(items_[begin]);
    for (end = begin + 1; end < stretch_end_; ++end) {
      levels.append(items_[end]);
      if (!is_near_mean(levels, duration_of({begin, end + 1}))) break;
    }
    return end;
  }

  bool is_near_mean(const Levels& sum, Duration length) const {
    const auto duration = static_cast<UInt128>(length.count);
    const UInt128 farthest = std::max(sum.time - sum.min * duration, sum.max * duration - sum.time);
    return farthest * rules_.band.denominator <= rules_.contexts * duration * rules_.band.numerator;
  }

  /// Returns true if the count goes up and down by jumps, so that no single jump is a boundary of phases.
  static bool swings(const ResidencyItem& sum) { return kSwingShare * sum.jumps >= sum.intervals && returns(sum); }

  /// Returns true if rises and falls balance each other.
  static bool returns(const ResidencyItem& sum) {
    return sum.risen > 0 && 2 * distance(sum.risen, sum.fallen) <= sum.risen + sum.fallen;
  }

  /// Returns true if the count jumps within the item, or if the item fills the device: if one work-group is dispatched
  /// per clock cycle, a device fills in hundreds of changes within a negligible time, not in one jump.
  bool is_jump(std::size_t i) const {
    const ResidencyItem& item = items_[i];
    const bool is_filled = item.risen > item.fallen && kFilledShare * (item.risen - item.fallen) >= rules_.contexts;
    return item.jumps > 0 || (is_filled && !is_phase_long(item.duration()));
  }

  /// Splits a stretch without bands where the count jumps, unless it swings. Neighbors that are too short are merged.
  void slopes(Range range) {
    if (const ResidencyItem sum = sum_of(range); swings(sum) && is_phase_long(sum.duration())) {
      one_way_slopes(range);
      return;
    }
    Range together{range.begin, range.begin};
    for (std::size_t begin = range.begin; begin < range.end;) {
      Range part{begin, begin + 1};
      while (part.end < range.end && !is_jump(part.end)) ++part.end;
      if (is_phase_long(duration_of(part))) {
        short_slopes(together);
        one_way_slopes(part);
        together.begin = part.end;
      }
      together.end = begin = part.end;
    }
    short_slopes(together);
  }

  void short_slopes(Range range) {
    if (range.empty()) return;
    if (is_phase_long(duration_of(range))) {
      slope(range);
    } else {
      transition(range);
    }
  }

  /// A part at the beginning or the end in which the count only rises or only falls becomes a separate phase.
  void one_way_slopes(Range range) {
    std::size_t first = one_way_end(range);
    std::size_t last = std::max(first, one_way_begin(range));
    const auto is_phase = [this](std::size_t begin, std::size_t end) {
      return begin < end && is_phase_long(duration_of({begin, end}));
    };
    if (!is_phase(range.begin, first)) first = range.begin;
    if (!is_phase(last, range.end)) last = range.end;
    if (!is_phase(first, last)) {  // too short for a phase
      if (last < range.end) {
        last = first;
      } else {
        first = range.end;
      }
    }
    for (const Range part : {Range{range.begin, first}, Range{first, last}, Range{last, range.end}})
      if (!part.empty()) slope(part);
  }

  /// Returns the position after the last item up to which the count only rises or only falls.
  std::size_t one_way_end(Range range) const {
    ResidencyItem sum = items_[range.begin];
    std::size_t end = range.begin;
    while (sum.risen == 0 || sum.fallen == 0) {
      if (++end == range.end) break;
      sum.append(items_[end]);
    }
    return end;
  }

  /// Returns the first item from which the count only rises or only falls to the end.
  std::size_t one_way_begin(Range range) const {
    std::uint64_t risen = 0;
    std::uint64_t fallen = 0;
    std::size_t begin = range.end;
    for (; begin > range.begin; --begin) {
      const ResidencyItem& item = items_[begin - 1];
      risen += item.risen;
      fallen += item.fallen;
      if (risen > 0 && fallen > 0) break;
      // The change to the item itself belongs to the previous item.
      if (begin - 1 > range.begin) {
        risen += item.first > before(begin - 1) ? 1 : 0;
        fallen += item.first < before(begin - 1) ? 1 : 0;
      }
    }
    return begin;
  }

  void slope(Range range) {
    const ResidencyItem sum = sum_of(range);
    add(phase_of(sum, sum.fallen > 0 && sum.fallen / kTailFalls >= sum.risen ? PhaseShape::tail : PhaseShape::ramp));
  }

  std::span<const ResidencyItem> items_;
  const ResidencyRun& run_;
  const PhaseRules& rules_;
  Duration whole_;
  std::size_t stretch_end_ = 0;              ///< the end of the stretch that is searched for bands
  std::vector<std::size_t> near_mean_ends_;  ///< by item, see near_mean_end(); 0: not known
  PhaseList list_;
  std::optional<ResidencyItem> between_;  ///< transitions since the last phase
};

}  // namespace

PhaseList phases_of(std::span<const ResidencyItem> items, const ResidencyRun& run, const PhaseRules& rules) {
  return Shapes(items, run, rules).find();
}

}  // namespace gdsim
