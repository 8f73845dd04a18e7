#include <gdsim/check/barrier_phases.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace gdsim {
namespace {

/// Returns the first op of the body of tiles that ends with op `end`: the op after its take cost.
std::size_t begin_of_body(const Path& path, std::size_t end) {
  while (path[end].op.kind != OpKind::tile_cost) --end;
  return end + 1;
}

/// Returns the number of executions of each op of the path, at most kMaxPhases + 1.
std::vector<std::uint64_t> executions(const Path& path) {
  std::vector<std::uint64_t> times(path.size(), 1);
  for (std::size_t end = 0; end < path.size(); ++end) {
    const Op& op = path[end].op;
    if (op.kind != OpKind::loop_end && op.kind != OpKind::tile_end) continue;
    for (std::size_t i = op.kind == OpKind::loop_end ? op.target : begin_of_body(path, end); i < end; ++i)
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
    if (!is_arrival(op.kind) && op.kind != OpKind::wait) continue;
    std::uint64_t& sum = phases[{op.barrier, op.kind == OpKind::wait}];
    if (times[i] > kMaxPhases - sum) return op.line;
    sum += times[i];
  }
  return std::nullopt;
}

}  // namespace gdsim
