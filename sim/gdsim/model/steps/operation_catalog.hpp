#pragma once

#include <gdsim/model/steps/asynchronous_load.hpp>
#include <gdsim/model/steps/atomics.hpp>
#include <gdsim/model/steps/barrier.hpp>
#include <gdsim/model/steps/between_groups.hpp>
#include <gdsim/model/steps/compute.hpp>
#include <gdsim/model/steps/end.hpp>
#include <gdsim/model/steps/issue.hpp>
#include <gdsim/model/steps/launch_child.hpp>
#include <gdsim/model/steps/loop.hpp>
#include <gdsim/model/steps/memory.hpp>
#include <gdsim/model/steps/slm.hpp>
#include <gdsim/model/steps/tiles.hpp>

namespace gdsim {

/// Calls `use_any` with the operation of this kind. Each kind has one line.
template <class Use>
constexpr decltype(auto) with_operation(OpKind kind, Use&& use_any) {
  const auto use = [&](Operation auto operation) constexpr->decltype(auto) { return use_any(operation); };
  switch (kind) {
    case OpKind::compute: return use(ComputeOperation{});
    case OpKind::issue: return use(IssueOperation{});
    case OpKind::part: return use(PartOperation{});
    case OpKind::issue_parts: return use(IssuePartsOperation{});
    case OpKind::slm: return use(SlmOperation{});
    case OpKind::atomics: return use(AtomicsOperation{});
    case OpKind::memory: return use(MemoryOperation{});
    case OpKind::load: return use(LoadOperation{});
    case OpKind::store: return use(StoreOperation{});
    case OpKind::wait_memory: return use(WaitMemoryOperation{});
    case OpKind::barrier: return use(BarrierOperation{});
    case OpKind::signal: return use(SignalOperation{});
    case OpKind::wait: return use(WaitOperation{});
    case OpKind::grid_barrier: return use(GridBarrierOperation{});
    case OpKind::trigger: return use(TriggerOperation{});
    case OpKind::wait_dependencies: return use(WaitDependenciesOperation{});
    case OpKind::launch: return use(LaunchChildOperation{});
    case OpKind::take_tile: return use(TakeTileOperation{});
    case OpKind::tile_cost: return use(TileCostOperation{});
    case OpKind::tile_end: return use(TileEndOperation{});
    case OpKind::loop_end: return use(LoopEndOperation{});
    case OpKind::end: break;
  }
  return use(EndOperation{});
}

inline constexpr TimeKind waiting_of(OpKind kind) {
  return with_operation(kind, [](auto operation) { return operation.waiting; });
}
inline constexpr Executing executing_of(OpKind kind) {
  return with_operation(kind, [](auto operation) { return operation.executing; });
}

}  // namespace gdsim
