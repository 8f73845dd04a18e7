#include <gdsim/report/html/dispatch_changes.hpp>

#include <gdsim/report/html/script_json.hpp>
#include <gdsim/report/markup.hpp>

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

constexpr std::size_t kMaxAnimatedChanges = 600;
constexpr std::uint32_t kMaxAnimatedCores = 32;

/// Tracks which work-group holds which port after each change.
class HeldPorts {
 public:
  explicit HeldPorts(const RunView& view) : view_(view) {}

  /// Returns where the work-group is held after this change, as dispatch_changes() writes it.
  std::uint64_t after(const GroupChange& change) {
    const PartialsAt where = view_.launches[index_of(change.launch)].partials;
    const bool is_partial =
        change.kind != GroupChange::Kind::leaves && change.state.placement == GroupPlacement::partial;
    if (where == PartialsAt::core) return is_partial ? 1 : 0;
    if (where == PartialsAt::unknown || !view_.ports) return 0;
    return is_partial ? 2 + hold({change.launch, change.work_group}) : release({change.launch, change.work_group});
  }

 private:
  using Group = std::pair<LaunchId, WorkGroupId>;

  std::uint64_t hold(const Group& group) {
    auto port = std::find(held_.begin(), held_.end(), group);
    if (port == held_.end()) port = std::find(held_.begin(), held_.end(), std::nullopt);
    if (port == held_.end()) port = held_.emplace(port);
    *port = group;
    return static_cast<std::uint64_t>(port - held_.begin());
  }
  std::uint64_t release(const Group& group) {
    std::replace(held_.begin(), held_.end(), std::optional(group), std::optional<Group>());
    return 0;
  }

  const RunView& view_;
  std::vector<std::optional<Group>> held_;  ///< by port
};

/// The number of all threads of a work-group; 0: not known.
std::uint64_t size_of(const GroupChange& change, const RunView& view) {
  if (view.workload == nullptr) return 0;
  return view.workload->kernel_of(view.workload->launches[index_of(change.launch)]).threads_of(change.work_group);
}

}  // namespace

bool is_animated(const RunView& view) {
  if (view.group_points.empty() || view.group_points.size() > kMaxAnimatedChanges) return false;
  std::set<CoreId> cores;
  for (const GroupPoint& point : view.group_points) cores.insert(point.change.core);
  return view.cores <= kMaxAnimatedCores || cores.size() <= kMaxAnimatedCores;
}

std::string dispatch_changes(const RunView& view) {
  // If every work-group is placed whole, ports and sizes carry no information.
  const bool has_partial = std::any_of(view.group_points.begin(), view.group_points.end(), [](const GroupPoint& point) {
    return point.change.state.placement == GroupPlacement::partial;
  });
  HeldPorts ports(view);
  const auto flat = [&](std::string& to, const GroupPoint& point) {
    const GroupChange& change = point.change;
    append_picoseconds(to, view.record.first_dispatch, point.time);
    for (const std::uint64_t value :
         {static_cast<std::uint64_t>(change.kind), static_cast<std::uint64_t>(index_of(change.launch)),
          number_of(change.work_group), static_cast<std::uint64_t>(index_of(change.core)),
          std::uint64_t{change.state.threads}, std::uint64_t{change.state.waiting}, std::uint64_t{change.state.ended},
          std::uint64_t{change.state.placement == GroupPlacement::partial}, ports.after(change),
          has_partial ? size_of(change, view) : 0}) {
      to.push_back(',');
      append_count(to, value);
    }
  };
  std::string exchanges;  // launches that wait for other devices where others wait at a barrier
  for (std::size_t i = 0; i < view.launches.size(); ++i)
    if (view.launches[i].exchanges) exchanges += (exchanges.empty() ? "" : ",") + std::to_string(i);
  if (!exchanges.empty()) exchanges = ",\"exchanges\":[" + exchanges + "]";
  const auto name = [](std::string& to, const LaunchRow& row) { to += script_string(shortened(row.name, 80)); };
  return script_column("changes", view.group_points, flat) +
         ",\"ports\":" + (view.ports && has_partial ? std::to_string(*view.ports) : "null") + "," +
         script_column("names", view.launches, name) + exchanges;
}

}  // namespace gdsim
