#include <gdsim/dispatch/turn/completing.hpp>

#include <gdsim/dispatch/turn/granting.hpp>

#include <algorithm>

namespace gdsim {
namespace {

void complete_partial(DispatchState& state, Dispatcher& dispatcher, CoreId core, PartialGroup& partial) {
  const Footprint& footprint = state.progress.full_footprint(partial.launch);
  const std::uint32_t capacity = state.bank.cores[index_of(core)].thread_capacity(footprint);
  const std::uint32_t threads = std::min(capacity, partial.remaining);
  if (threads == 0) return;
  partial.remaining -= threads;
  state.before_change(core);
  grant_threads(state, dispatcher, partial, core, threads);
  if (partial.remaining > 0) return;
  if (partial.holds_port) state.ports.release();
  state.progress.close_partial(partial.launch);
  dispatcher.partials.on(index_of(core)).reset();
}

}  // namespace

/// Further threads of a partial work-group can fit only on cores with a release.
void complete_partials(DispatchState& state, Dispatcher& dispatcher) {
  for (auto core = dispatcher.released.next(0); core && !dispatcher.is_busy();
       core = dispatcher.released.next(*core + 1)) {
    dispatcher.released.erase(*core);
    const auto id = static_cast<CoreId>(dispatcher.cores.first + *core);
    complete_partial(state, dispatcher, id, *dispatcher.partials.on(index_of(id)));
    release_if_empty(state, id);
    dispatcher.search.on_release(id);
  }
}

}  // namespace gdsim
