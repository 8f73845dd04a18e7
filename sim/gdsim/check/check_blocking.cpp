#include <gdsim/check/checks.hpp>

#include <gdsim/base/text.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace gdsim {
namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

bool waits_for_others(OpCode kind) {
  return kind == OpCode::barrier || kind == OpCode::wait || kind == OpCode::grid_barrier;
}

/// Returns true if threads pass the op at once, or wait there once, or for other work-groups, as is not followed here.
bool is_passed(const Op& op) {
  return op.is_of_flag || op.kind == OpCode::store || op.kind == OpCode::wait_memory || op.kind == OpCode::trigger ||
         op.kind == OpCode::wait_dependencies;
}

/// Returns true if the op takes time by itself. An asynchronous load does: the number of outstanding loads is limited.
bool takes_time(const Op& op) {
  return !is_arrival(op.kind) && op.kind != OpCode::wait && !is_passed(op) && op.kind != OpCode::loop_end;
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
  OpCode kind{};
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
      if (op.kind == OpCode::loop_end) {
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
    if (!barrier.has_any || (barriers_cost_time_ && visit.kind == OpCode::barrier)) return true;
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

namespace {

/// Returns the first op of the body of tiles that ends with op `end`: the op after its take cost.
std::size_t begin_of_body(const Path& path, std::size_t end) {
  while (path[end].op.kind != OpCode::tile_cost) --end;
  return end + 1;
}

/// Returns the number of executions of each op of the path, at most kMaxPhases + 1.
std::vector<std::uint64_t> executions(const Path& path) {
  std::vector<std::uint64_t> times(path.size(), 1);
  for (std::size_t end = 0; end < path.size(); ++end) {
    const Op& op = path[end].op;
    if (op.kind != OpCode::loop_end && op.kind != OpCode::tile_end) continue;
    for (std::size_t i = op.kind == OpCode::loop_end ? op.target : begin_of_body(path, end); i < end; ++i)
      times[i] = static_cast<std::uint64_t>(std::min<UInt128>(UInt128{times[i]} * op.count, kMaxPhases + 1));
  }
  return times;
}

}  // namespace

std::optional<std::uint32_t> first_with_too_many_phases(const Path& path) {
  const std::vector<std::uint64_t> times = executions(path);
  std::map<std::pair<std::uint32_t, bool>, std::uint64_t> phases;  // by barrier and by whether threads wait for them
  for (std::size_t i = 0; i < path.size(); ++i) {
    const Op& op = path[i].op;
    if (!is_arrival(op.kind) && op.kind != OpCode::wait) continue;
    std::uint64_t& sum = phases[{op.barrier, op.kind == OpCode::wait}];
    if (times[i] > kMaxPhases - sum) return op.line;
    sum += times[i];
  }
  return std::nullopt;
}

namespace {

/// Checks the steps of a program in the order of writing.
class SignalCheck {
 public:
  explicit SignalCheck(const Program& program) {
    for_each_step(program, [&](const Step& step) {
      if (const auto* signal = std::get_if<Signal>(&step); signal != nullptr && signal->index)
        signalled_.insert(signal->name);
    });
  }

  void check(const Program& program, const std::string& field) {
    for (std::size_t i = 0; i < program.size(); ++i) {
      const std::string at = item_path(field, i);
      if (const auto* signal = std::get_if<Signal>(&program[i])) check(*signal, at + ".signal");
      if (const auto* wait = std::get_if<Wait>(&program[i])) check(*wait, at + ".wait");
      if (const auto* loop = std::get_if<Loop>(&program[i])) check(loop->body, at + ".loop.body");
      if (const auto* only = std::get_if<Only>(&program[i])) check(only->body, at + ".only.body");
      if (const auto* tiles = std::get_if<Tiles>(&program[i])) check(tiles->body, at + ".tiles.body");
    }
  }

  Issues take() { return std::move(found_); }

 private:
  void check(const Signal& signal, const std::string& at) {
    if (signal.index || signal.initially == 0) return;
    const auto [known, is_new] = initially_.try_emplace(signal.name, signal.initially);
    if (!is_new && known->second != signal.initially)
      found_.push_back({at + ".initially", "lets " + std::to_string(signal.initially) + " waits for " +
                                               in_quotes(signal.name) + " pass, an earlier signal " +
                                               std::to_string(known->second) +
                                               "; write the same number, or leave it out here"});
  }
  void check(const Wait& wait, const std::string& at) {
    if (wait.index && !signalled_.contains(wait.name))
      found_.push_back({at, "no step of the kernel signals the flag " + in_quotes(wait.name) +
                                " of the launch; add one, as in `- signal: {name: " + printable(wait.name) +
                                ", scope: launch, index: = group}`"});
  }

  std::set<std::string> signalled_;                 ///< flags of the launch, by name
  std::map<std::string, std::uint64_t> initially_;  ///< by name of the signal
  Issues found_;
};

}  // namespace

Issues check_signals(const Program& program) {
  SignalCheck check(program);
  check.check(program, "program");
  return check.take();
}

std::string fault_of_multicast(std::uint64_t multicast, std::uint64_t cluster) {
  return "serves " + std::to_string(multicast) + " work-groups of a cluster, but " +
         (cluster == 1 ? "the kernel has no `cluster`" : "the kernel's cluster has " + std::to_string(cluster)) +
         "; write `cluster: " + std::to_string(multicast) + "`";
}

}  // namespace gdsim
