#include <gdsim/run/drive.hpp>

#include <optional>
#include <utility>

namespace gdsim {
namespace {

/// One device.
class DrivenModel {
 public:
  /// All must outlive this.
  DrivenModel(Model& model, Broadcast& broadcast, const RunControl& control)
      : model_(model), broadcast_(broadcast), control_(control) {}

  bool advance() {
    make_bound_an_instant();
    if (!model_.next_instant([this](std::uint64_t events) { return gives_up(events); })) return false;
    broadcast_.report();
    return true;
  }
  bool is_done() const { return model_.is_done(); }
  SimTime now() const { return model_.now(); }
  std::uint64_t events() const { return model_.events(); }

 private:
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
};

}  // namespace

ModelInput input_of(const CompiledParts& parts, std::uint64_t seed_offset, const FaultInjection& faults,
                    std::vector<WaitSeries*> wait_series, KeepAccounts accounts) {
  return {.device = parts.device,
          .rules = parts.rules,
          .workload = *parts.workload,
          .plans = parts.plans,
          .graph = parts.graph,
          .footprints = parts.footprints,
          .make_placement = parts.policies.maker(parts.rules.placement),
          .seed_offset = seed_offset,
          .faults = faults,
          .wait_series = std::move(wait_series),
          .keep_accounts = accounts};
}

RunEnd drive(Model& model, Listeners& listeners, const RunControl& control) {
  Broadcast broadcast(model, listeners, control.stop);
  DrivenModel driven(model, broadcast, control);
  return run_to_end(driven, control.bounds, control.stop);
}

}  // namespace gdsim
