#include <gdsim/check/timeless_loops.hpp>

#include <algorithm>
#include <limits>

namespace gdsim {
namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

bool waits_for_others(OpKind kind) {
  return kind == OpKind::barrier || kind == OpKind::wait || kind == OpKind::grid_barrier;
}

/// Returns true if threads pass the op at once, or wait there once, or for other work-groups, as is not followed here.
bool is_passed(const Op& op) {
  return op.is_of_flag || op.kind == OpKind::store || op.kind == OpKind::wait_memory || op.kind == OpKind::trigger ||
         op.kind == OpKind::wait_dependencies;
}

/// Returns true if the op takes time by itself. An asynchronous load does: the number of outstanding loads is limited.
bool takes_time(const Op& op) {
  return !is_arrival(op.kind) && op.kind != OpKind::wait && !is_passed(op) && op.kind != OpKind::loop_end;
}

std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::uint64_t>::max() : product;
}

/// A loop of a path, and the findings about it so far.
struct LoopState {
  std::size_t begin = 0;  ///< the first op of its body
  std::uint32_t line = 0;
  std::uint64_t iterations = 0;  ///< with those of the longest loop inside it
  std::uint64_t count = 0;
  std::size_t around = kNone;  ///< the loop that contains it
  bool takes_time = false;
};

/// An op at a barrier.
struct BarrierVisit {
  std::uint32_t barrier = 0;
  OpKind kind{};
  std::size_t loop = kNone;  ///< the innermost loop around it
};

/// The loops of a path, outer before inner ones, and the path's visits to barriers.
class PathLoops {
 public:
  explicit PathLoops(const Path& path) {
    std::size_t loop = kNone;
    for (std::size_t at = path.size(); at-- > 0;) {
      const Op& op = path[at].op;
      while (loop != kNone && at < loops_[loop].begin) loop = loops_[loop].around;
      if (op.kind == OpKind::loop_end) {
        loops_.push_back({op.target, op.line, op.count, op.count, loop, false});
        loop = loops_.size() - 1;
      } else if (gdsim::takes_time(op)) {
        set_takes_time(loop);
      } else if (!is_passed(op)) {
        visits_.push_back({op.barrier, op.kind, loop});
      }
    }
    for (std::size_t inner = loops_.size(); inner-- > 0;)
      if (const std::size_t outer = loops_[inner].around; outer != kNone)
        loops_[outer].iterations =
            std::max(loops_[outer].iterations, saturating_product(loops_[outer].count, loops_[inner].iterations));
  }

  std::span<const BarrierVisit> visits() const { return visits_; }

  /// Marks the loop, and the loops around it, as taking time. Returns true if the loop was not marked before.
  bool set_takes_time(std::size_t loop) {
    bool is_new = false;
    for (; loop != kNone && !loops_[loop].takes_time; loop = loops_[loop].around)
      is_new = loops_[loop].takes_time = true;
    return is_new;
  }

  /// Returns true if the contents of this loop happen more often at one instant than is allowed.
  bool repeats_at_one_instant(std::size_t loop) const {
    std::uint64_t times = 1;
    for (; loop != kNone && !loops_[loop].takes_time; loop = loops_[loop].around)
      times = saturating_product(times, loops_[loop].count);
    return times > kMaxTimelessIterations;
  }

  /// Returns the loop with too many iterations that ends first; null if there is none.
  const LoopState* first_too_long() const {
    const auto found = std::find_if(loops_.rbegin(), loops_.rend(), [](const LoopState& loop) {
      return !loop.takes_time && loop.iterations > kMaxTimelessIterations;
    });
    return found == loops_.rend() ? nullptr : &*found;
  }

 private:
  std::vector<LoopState> loops_;
  std::vector<BarrierVisit> visits_;
};

/// Finds the loops that take time because their threads wait for others.
class Pace {
 public:
  Pace(std::span<const Path> paths, bool barriers_cost_time) : barriers_cost_time_(barriers_cost_time) {
    for (const Path& path : paths) paths_.emplace_back(path);
    for (const PathLoops& path : paths_)
      for (const BarrierVisit& visit : path.visits()) {
        if (visit.barrier >= barriers_.size()) barriers_.resize(visit.barrier + std::size_t{1});
        barriers_[visit.barrier].has_any |= is_arrival(visit.kind);
      }
    while (find_more()) {
    }
  }

  std::optional<TimelessLoop> first_too_long() const {
    for (std::size_t i = 0; i < paths_.size(); ++i)
      if (const LoopState* loop = paths_[i].first_too_long()) return TimelessLoop{i, loop->line, loop->iterations};
    return std::nullopt;
  }

 private:
  /// The arrivals at a barrier, and their pace.
  struct Arrivals {
    bool has_any = false;
    std::size_t slow_paths = 0;     ///< paths that do not arrive repeatedly at one instant
    std::size_t slow_path = kNone;  ///< the last of these paths
  };

  void find_slow_paths() {
    for (Arrivals& barrier : barriers_) barrier = {barrier.has_any, 0, kNone};
    std::vector<std::size_t> fast(barriers_.size(), kNone);  // by barrier: the last path that is not slow there
    for (std::size_t path = 0; path < paths_.size(); ++path) {
      for (const BarrierVisit& visit : paths_[path].visits())
        if (is_arrival(visit.kind) && paths_[path].repeats_at_one_instant(visit.loop)) fast[visit.barrier] = path;
      for (const BarrierVisit& visit : paths_[path].visits()) {
        Arrivals& barrier = barriers_[visit.barrier];
        if (!is_arrival(visit.kind) || fast[visit.barrier] == path || barrier.slow_path == path) continue;
        ++barrier.slow_paths;
        barrier.slow_path = path;
      }
    }
  }

  /// Returns true if threads of this path wait there for other paths, or for the barrier's cost, which no `wait` takes.
  bool takes_time(const BarrierVisit& visit, std::size_t path) const {
    const Arrivals& barrier = barriers_[visit.barrier];
    if (!barrier.has_any || (barriers_cost_time_ && visit.kind == OpKind::barrier)) return true;
    return barrier.slow_paths > 1 || (barrier.slow_paths == 1 && barrier.slow_path != path);
  }

  /// Returns true if another loop was found to take time.
  bool find_more() {
    find_slow_paths();
    bool found = false;
    for (std::size_t path = 0; path < paths_.size(); ++path)
      for (const BarrierVisit& visit : paths_[path].visits())
        if (waits_for_others(visit.kind) && takes_time(visit, path)) found |= paths_[path].set_takes_time(visit.loop);
    return found;
  }

  bool barriers_cost_time_;
  std::vector<PathLoops> paths_;
  std::vector<Arrivals> barriers_;
};

}  // namespace

bool may_be_timeless(const Path& path) { return PathLoops(path).first_too_long() != nullptr; }

std::optional<TimelessLoop> first_timeless_loop(std::span<const Path> paths, bool barriers_cost_time) {
  return Pace(paths, barriers_cost_time).first_too_long();
}

}  // namespace gdsim
