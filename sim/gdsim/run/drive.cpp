#include <gdsim/run/drive.hpp>

#include <gdsim/run/broadcast.hpp>
#include <gdsim/run/optional_fast_forwarder.hpp>

#include <optional>

namespace gdsim {
namespace {

/// One device, fast-forwarded where that is allowed.
class DrivenModel {
 public:
  /// All must outlive this.
  DrivenModel(Model& model, Broadcast& broadcast, const RunControl& control)
      : model_(model), broadcast_(broadcast), control_(control) {
    // A bound on events needs every event to be counted.
    if (control.fast_forward != FastForward::no && !control.bounds.events &&
        model.state().dispatcher.state().traits.allow_fast_forwarding())
      fast_forwarder_.emplace(model, broadcast, control.bounds.time.value_or(kEndOfTime), control.fast_forward);
  }

  bool advance() {
    if (fast_forwarder_) {
      if (has_begun_ && may_be_over_by_fast_forward()) return true;
      fast_forwarder_->before_instant();
    }
    make_bound_an_instant();
    if (!model_.next_instant([this](std::uint64_t events) { return gives_up(events); })) return false;
    broadcast_.report();
    has_begun_ = true;
    return true;
  }
  bool is_done() const { return model_.is_done(); }
  SimTime now() const { return model_.now(); }
  std::uint64_t events() const { return model_.events(); }
  /// The run is over.
  void finish() {
    if (fast_forwarder_) fast_forwarder_->finish();
  }

 private:
  /// Fast-forwards after an instant. True if that went on until the run may be over.
  bool may_be_over_by_fast_forward() {
    const SimTime before = model_.now();
    fast_forwarder_->on_instant_end();
    return model_.now() != before && (model_.is_done() || control_.stop.stop_requested());
  }
  /// Nothing after the bound happens: the run ends there.
  void make_bound_an_instant() {
    const std::optional<SimTime>& bound = control_.bounds.time;
    if (!bound || model_.now() > *bound) return;
    if (const auto next = model_.next_time(); next && *next > *bound) model_.schedule_empty_instant(*bound);
  }
  bool gives_up(std::uint64_t events) const {
    const auto& all = control_.bounds.events;
    return broadcast_.gives_up(events) || (events >= kMaxEventsAtOnce && all && model_.events() >= *all);
  }

  Model& model_;
  Broadcast& broadcast_;
  const RunControl& control_;
  std::optional<FastForwarder> fast_forwarder_;  ///< none: every instant is simulated
  bool has_begun_ = false;                       ///< an instant is over
};

}  // namespace

RunEnd drive(Model& model, std::span<Observer* const> observers, const RunControl& control, FastForwarded* skipped) {
  Broadcast broadcast(model, observers, control.stop);
  DrivenModel driven(model, broadcast, control);
  const RunEnd end = run_to_end(driven, control.bounds, control.stop);
  driven.finish();
  if (skipped != nullptr) *skipped = broadcast.skipped();
  return end;
}

}  // namespace gdsim
