#include <gdsim/run/drive.hpp>

#include <gdsim/run/broadcast.hpp>
#include <gdsim/run/optional_fast_forwarder.hpp>

#include <limits>
#include <optional>

namespace gdsim {

namespace {

RunEnd drive_to_end(Model& model, Broadcast& broadcast, const RunControl& control) {
  const RunBounds& bounds = control.bounds;
  const auto stop_requested = [&] { return control.stop.stop_requested(); };
  const auto has_all_events = [&] { return bounds.events && model.events() >= *bounds.events; };
  const auto gives_up = [&](std::uint64_t events) {
    return broadcast.gives_up(events) || (events >= kMaxEventsAtOnce && has_all_events());
  };
  constexpr SimTime never{std::numeric_limits<std::int64_t>::max()};
  std::optional<FastForwarder> fast_forwarder;
  // A bound on events needs every event to be counted.
  if (control.fast_forward != FastForward::no && !bounds.events &&
      model.state().dispatcher.state().traits.allow_fast_forwarding())
    fast_forwarder.emplace(model, broadcast, bounds.time.value_or(never), control.fast_forward);
  const auto ends = [&](RunEnd end) {
    if (fast_forwarder) fast_forwarder->finish();
    return end;
  };
  while (true) {
    if (fast_forwarder) fast_forwarder->before_instant();
    // Nothing after the bound happens: the run ends there.
    if (bounds.time && model.now() <= *bounds.time)
      if (const auto next = model.next_time(); next && *next > *bounds.time) model.schedule_empty_instant(*bounds.time);
    if (!model.next_instant(gives_up)) return ends(RunEnd::nothing_pending);
    broadcast.report();
    if (model.is_done()) return ends(RunEnd::nothing_pending);  // pending recoveries do not matter any more
    if (stop_requested()) return ends(RunEnd::stop_requested);
    if (has_all_events() || (bounds.time && model.now() >= *bounds.time)) return ends(RunEnd::bound_reached);
    if (!fast_forwarder) continue;
    const SimTime before = model.now();
    fast_forwarder->on_instant_end();
    if (model.now() == before) continue;
    // Both may have become true during the fast-forward.
    if (model.is_done()) return ends(RunEnd::nothing_pending);
    if (stop_requested()) return ends(RunEnd::stop_requested);
  }
}

}  // namespace

RunEnd drive(Model& model, std::span<Observer* const> observers, const RunControl& control, FastForwarded* skipped) {
  Broadcast broadcast(model, observers, control.stop);
  const RunEnd end = drive_to_end(model, broadcast, control);
  if (skipped != nullptr) *skipped = broadcast.skipped();
  return end;
}

}  // namespace gdsim
