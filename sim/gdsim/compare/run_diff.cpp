#include <gdsim/compare/run_diff.hpp>

#include <gdsim/analysis/run_view.hpp>
#include <gdsim/report/number_format.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace gdsim {
namespace {

/// The maximum number of comparisons, which take memory. Beyond it, phases in the middle of both runs have no partners.
constexpr std::size_t kMaxComparisons = 16'000'000;

/// Returns true if both are the same share of their devices, up to `tolerance`.
bool is_same_share(std::uint64_t a, std::uint64_t contexts_a, std::uint64_t b, std::uint64_t contexts_b,
                   const Ratio& tolerance) {
  const UInt128 of_a = UInt128{a} * contexts_b, of_b = UInt128{b} * contexts_a;
  const UInt128 difference = of_a > of_b ? of_a - of_b : of_b - of_a;
  return difference * tolerance.denominator <= tolerance.numerator * contexts_a * contexts_b;
}

class PhasePairing {
 public:
  PhasePairing(const PhasesOfRun& a, const PhasesOfRun& b) : a_(a), b_(b) {}

  std::vector<PhasePair> pairs() {
    std::size_t begin = 0, end_a = a_.phases.size(), end_b = b_.phases.size();
    while (begin < end_a && begin < end_b && is_same(begin, begin)) ++begin;
    while (end_a > begin && end_b > begin && is_same(end_a - 1, end_b - 1)) --end_a, --end_b;
    for (std::size_t i = 0; i < begin; ++i) pairs_.push_back({i, i});
    middle(begin, end_a, end_b);
    pair_by_time();
    for (std::size_t i = 0; end_a + i < a_.phases.size(); ++i) pairs_.push_back({end_a + i, end_b + i});
    return std::move(pairs_);
  }

 private:
  bool is_same(std::size_t in_a, std::size_t in_b) const {
    return is_same_phase(a_.phases[in_a], a_.contexts, b_.phases[in_b], b_.contexts);
  }

  /// Finds the longest common subsequence of the part that differs.
  void middle(std::size_t begin, std::size_t end_a, std::size_t end_b) {
    const std::size_t rows = end_a - begin, columns = end_b - begin;
    std::vector<std::uint32_t> longest;
    const bool is_small = rows < kMaxComparisons / (columns + 1);
    if (is_small) longest.resize((rows + 1) * (columns + 1));
    const auto at = [&](std::size_t row, std::size_t column) -> std::uint32_t& {
      return longest[row * (columns + 1) + column];
    };
    for (std::size_t row = is_small ? rows : 0; row-- > 0;)
      for (std::size_t column = columns; column-- > 0;)
        at(row, column) = is_same(begin + row, begin + column) ? at(row + 1, column + 1) + 1
                                                               : std::max(at(row + 1, column), at(row, column + 1));
    std::size_t row = 0, column = 0;
    while (row < rows || column < columns) {
      if (is_small && row < rows && column < columns && is_same(begin + row, begin + column)) {
        pairs_.push_back({begin + row++, begin + column++});
      } else if (row < rows && (column == columns || !is_small || at(row + 1, column) >= at(row, column + 1))) {
        pairs_.push_back({begin + row++, std::nullopt});
      } else {
        pairs_.push_back({std::nullopt, begin + column++});
      }
    }
  }

  /// Begin and end of a phase, and the time of all phases.
  struct Place {
    Int128 begin, end, whole;
  };
  static Place place_of(const PhasesOfRun& run, std::size_t at) {
    const SimTime first = run.phases.front().begin;
    return {(run.phases[at].begin - first).count, (run.phases[at].end - first).count,
            (run.phases.back().end - first).count};
  }
  bool is_at_same_time(std::size_t in_a, std::size_t in_b) const {
    if (a_.phases[in_a].kind != b_.phases[in_b].kind) return false;
    const Place a = place_of(a_, in_a), b = place_of(b_, in_b);
    return a.begin * b.whole < b.end * a.whole && b.begin * a.whole < a.end * b.whole;
  }
  /// The phase of `a` does not end later than that of `b`.
  bool ends_first(std::size_t in_a, std::size_t in_b) const {
    const Place a = place_of(a_, in_a), b = place_of(b_, in_b);
    return a.end * b.whole <= b.end * a.whole;
  }

  /// Pairs what is left between same phases.
  void pair_by_time() {
    std::vector<PhasePair> same = std::exchange(pairs_, {});
    std::vector<std::size_t> of_a, of_b;
    for (const PhasePair& pair : same) {
      if (pair.a && pair.b) {
        pair_by_time(of_a, of_b);
        pairs_.push_back(pair);
      } else if (pair.a) {
        of_a.push_back(*pair.a);
      } else {
        of_b.push_back(*pair.b);
      }
    }
    pair_by_time(of_a, of_b);
  }
  void pair_by_time(std::vector<std::size_t>& of_a, std::vector<std::size_t>& of_b) {
    std::size_t i = 0, j = 0;
    while (i < of_a.size() || j < of_b.size()) {
      const bool has_both = i < of_a.size() && j < of_b.size();
      if (has_both && is_at_same_time(of_a[i], of_b[j])) {
        pairs_.push_back({of_a[i++], of_b[j++]});
      } else if (j == of_b.size() || (has_both && ends_first(of_a[i], of_b[j]))) {
        pairs_.push_back({of_a[i++], std::nullopt});
      } else {
        pairs_.push_back({std::nullopt, of_b[j++]});
      }
    }
    of_a.clear();
    of_b.clear();
  }

  const PhasesOfRun& a_;
  const PhasesOfRun& b_;
  std::vector<PhasePair> pairs_;
};

}  // namespace

bool is_same_phase(const Phase& a, std::uint64_t contexts_a, const Phase& b, std::uint64_t contexts_b) {
  if (a.kind != b.kind) return false;
  const auto is_same = [&](std::uint64_t of_a, std::uint64_t of_b, const Ratio& tolerance) {
    return is_same_share(of_a, contexts_a, of_b, contexts_b, tolerance);
  };
  const Ratio band = PhaseRules{}.band;
  switch (a.kind) {
    case PhaseShape::constant: return is_same(a.resident, b.resident, {0, 1});
    case PhaseShape::band: return is_same(a.resident, b.resident, band);
    default: return is_same(a.min_resident, b.min_resident, band) && is_same(a.max_resident, b.max_resident, band);
  }
}

std::vector<PhasePair> pair_phases(const PhasesOfRun& a, const PhasesOfRun& b) { return PhasePairing(a, b).pairs(); }

namespace {

using Measure = DiffValue::Measure;

/// A SimTime or a Duration, or none.
template <class Time>
DiffValue time_value(CompactOptional<Time> time) {
  return time ? DiffValue{Measure::time, time->count, {}} : DiffValue{};
}
DiffValue count_value(std::uint64_t count) { return {Measure::count, static_cast<std::int64_t>(count), {}}; }
DiffValue word_value(std::string words) {
  return words.empty() ? DiffValue{} : DiffValue{Measure::words, 0, std::move(words)};
}
DiffValue percent_value(UInt128 part, UInt128 whole) {
  if (whole == 0) return {};
  return {Measure::percent, static_cast<std::int64_t>((part * 2'000'000 + whole) / (2 * whole)), {}};
}

/// Returns the limiters by kernel: `registers+slm (3)`.
std::map<std::string, std::string> limiters_of(const RunView& view) {
  std::map<std::string, std::string> limiters;
  std::map<std::string, std::uint64_t> counts;
  for (const LimitRow& row : view.limits) {
    if (!row.is_limiting) continue;
    std::string& words = limiters[row.kernel];
    words += (words.empty() ? "" : "+") + row.resource;
    counts[row.kernel] = row.work_groups;
  }
  for (auto& [kernel, words] : limiters) words += " (" + std::to_string(counts[kernel]) + ")";
  return limiters;
}

std::string path_of(const RunView& view) {
  constexpr std::size_t max = 20;
  std::string words;
  for (std::size_t i = 0; i < view.record.critical_path.size() && i < max; ++i)
    words += (i > 0 ? " -> " : "") + view.launches[index_of(view.record.critical_path[i])].name;
  return words + (view.record.critical_path.size() > max ? " -> ..." : "");
}

class RunDiff {
 public:
  RunDiff(const RunView& a, const RunView& b) : a_(a), b_(b) {}

  std::vector<DiffRow> rows() {
    run();
    time_use();
    phases();
    limiters();
    launches();
    return std::move(rows_);
  }

 private:
  void add(std::string section, std::string name, DiffValue a, DiffValue b, std::string about = {}) {
    if (a.kind != Measure::none || b.kind != Measure::none)
      rows_.push_back({std::move(section), std::move(name), std::move(a), std::move(b), std::move(about)});
  }
  /// Adds a row with `value` of both runs.
  template <class Value>
  void both(const std::string& section, const std::string& name, Value value) {
    add(section, name, value(a_), value(b_));
  }

  void run() {
    both("run", "title", [](const RunView& view) { return word_value(view.title); });
    both("run", "device", [](const RunView& view) { return word_value(view.device); });
    both("run", "outcome", [](const RunView& view) { return word_value(std::string(name_of(view.record.outcome))); });
    both("run", "duration", [](const RunView& view) { return time_value(OptionalDuration(view.record.duration())); });
    if (a_.record.active() != a_.record.duration() || b_.record.active() != b_.record.duration())
      both("run", "active", [](const RunView& view) { return time_value(OptionalDuration(view.record.active())); });
    both("run", "peak occupancy",
         [](const RunView& view) { return percent_value(view.record.peak_resident, view.record.contexts_total); });
    both("run", "mean occupancy", [](const RunView& view) {
      if (view.record.first_dispatch >= view.record.end) return DiffValue{};
      const TimeAccount account = time_account(view);
      return percent_value(account.running + account.stalled, account.whole());
    });
    both("run", "work-groups", [](const RunView& view) { return count_value(view.record.work_groups_total); });
    both("run", "threads", [](const RunView& view) { return count_value(view.record.threads_total); });
    both("run", "critical path", [](const RunView& view) { return word_value(path_of(view)); });
  }

  void time_use() {
    for (std::size_t kind = 0; kind < kActivityCount; ++kind) {
      const auto share = [kind](const RunView& view) {
        return view.time_use ? percent_value(static_cast<UInt128>(view.time_use->in_files(static_cast<Activity>(kind))),
                                             static_cast<UInt128>(view.time_use->sum()))
                             : DiffValue{};
      };
      const DiffValue of_a = share(a_), of_b = share(b_);
      if (of_a.number != 0 || of_b.number != 0) add("time of threads", std::string(kActivityNames[kind]), of_a, of_b);
    }
  }

  void phases() {
    const std::vector<Phase>&of_a = a_.record.phases.phases, &of_b = b_.record.phases.phases;
    for (const PhasePair& pair : pair_phases({of_a, a_.record.contexts_total}, {of_b, b_.record.contexts_total}))
      phase(pair, pair.a ? &of_a[*pair.a] : nullptr, pair.b ? &of_b[*pair.b] : nullptr);
  }

  void phase(const PhasePair& pair, const Phase* a, const Phase* b) {
    const std::string section = section_of(pair);
    const Phase& any = a != nullptr ? *a : *b;
    const std::string about =
        std::string(name_of(any.kind)) + ", " + phase_threads_text(any, "-") + " " + thread_word(a_, b_) + "s";
    const auto row = [&](const std::string& name, auto value) {
      add(section, name, a != nullptr ? value(*a) : DiffValue{}, b != nullptr ? value(*b) : DiffValue{}, about);
    };
    row("kind", [](const Phase& phase) { return word_value(std::string(name_of(phase.kind))); });
    row("threads", [](const Phase& phase) {
      return phase.kind == PhaseShape::constant ? count_value(phase.resident)
                                                : word_value(phase_threads_text(phase, "-"));
    });
    row("duration", [](const Phase& phase) { return time_value(OptionalDuration(phase.duration())); });
  }

  static std::string section_of(const PhasePair& pair) {
    const auto number = [](const std::optional<std::size_t>& at) { return "phase " + std::to_string(*at + 1); };
    if (!pair.b) return number(pair.a) + " only in a";
    if (!pair.a) return number(pair.b) + " only in b";
    return number(pair.a) + (pair.a == pair.b ? "" : " of a and " + std::to_string(*pair.b + 1) + " of b");
  }

  void limiters() {
    auto of_a = limiters_of(a_), of_b = limiters_of(b_);
    for (const auto& [kernel, words] : of_a)
      add("kernel " + kernel, "limiter", word_value(words), word_value(of_b[kernel]));
    for (const auto& [kernel, words] : of_b)
      if (!of_a.contains(kernel)) add("kernel " + kernel, "limiter", {}, word_value(words));
  }

  void launches() {
    std::map<std::string, std::size_t> rows_of_b;
    for (std::size_t i = 0; i < b_.launches.size(); ++i) rows_of_b.emplace(b_.launches[i].name, i);
    for (std::size_t i = 0; i < a_.launches.size(); ++i) {
      const auto found = rows_of_b.find(a_.launches[i].name);
      launch(a_.launches[i].name, &a_.record.launches[i],
             found != rows_of_b.end() ? &b_.record.launches[found->second] : nullptr);
      if (found != rows_of_b.end()) rows_of_b.erase(found);
    }
    for (std::size_t i = 0; i < b_.launches.size(); ++i)
      if (rows_of_b.contains(b_.launches[i].name)) launch(b_.launches[i].name, nullptr, &b_.record.launches[i]);
  }

  void launch(const std::string& launch_name, const LaunchRecord* a, const LaunchRecord* b) {
    const std::string section = "launch " + launch_name;
    const auto time = [&](const std::string& name, auto value) {
      add(section, name, a != nullptr ? time_value(value(*a)) : DiffValue{},
          b != nullptr ? time_value(value(*b)) : DiffValue{});
    };
    time("duration", [](const LaunchRecord& row) { return row.duration(); });
    const auto had_cost = [](const LaunchRecord* row) { return row != nullptr && row->active() != row->duration(); };
    if (had_cost(a) || had_cost(b)) time("active", [](const LaunchRecord& row) { return row.active(); });
    time("first dispatch", [](const LaunchRecord& row) { return row.first_dispatched; });
    time("end", [](const LaunchRecord& row) { return row.ended; });
    time("slack", [](const LaunchRecord& row) { return row.slack; });
    for (const WaitReason reason : kWaitReasons) {
      const auto waited = [reason](const LaunchRecord* row) { return row != nullptr ? row->waited[reason].count : 0; };
      if (waited(a) != 0 || waited(b) != 0)
        time("waited for " + std::string(name_of(reason)),
             [reason](const LaunchRecord& row) { return OptionalDuration(row.waited[reason]); });
    }
  }

  const RunView& a_;
  const RunView& b_;
  std::vector<DiffRow> rows_;
};

OptionalDuration time_in(const RunView& view, const LaunchFigure& figure) {
  std::vector<std::string> names;
  for (const LaunchRow& launch : view.launches) names.push_back(launch.name);
  return time_of(figure, names, view.record.launches);
}

}  // namespace

std::optional<std::int64_t> DiffRow::change() const {
  if (a.kind != b.kind || a.kind == Measure::words || a.kind == Measure::none || a.number == 0) return std::nullopt;
  const Int128 more = Int128{b.number - a.number} * 1'000'000;
  const Int128 half = a.number / 2;
  return static_cast<std::int64_t>((more >= 0 ? more + half : more - half) / a.number);
}

std::string thread_word(const RunView& a, const RunView& b) {
  return a.terms.thread == b.terms.thread ? a.terms.thread : Terms{}.thread;
}

std::vector<DiffRow> diff_runs(const RunView& a, const RunView& b, const std::optional<LaunchFigure>& figure) {
  std::vector<DiffRow> rows = RunDiff(a, b).rows();
  if (figure)
    rows.insert(rows.begin(),
                {"run", to_text(*figure), time_value(time_in(a, *figure)), time_value(time_in(b, *figure))});
  return rows;
}

}  // namespace gdsim
