#include <gdsim/model/fast_forward_port/launch_effect.hpp>

#include <gdsim/base/check.hpp>

#include <cstddef>
#include <span>

namespace gdsim {
namespace {

/// Reads or sets a state that consists of plain words only.
class CursorVisitor : public StateVisitor {
 public:
  void instant(SimTime&) override { is_plain_ = false; }
  void dispatched(LaunchId, std::uint64_t&, std::uint64_t&) override { is_plain_ = false; }
  void counted(LaunchId, std::uint64_t&) override { is_plain_ = false; }
  void ordinal(LaunchId, std::uint64_t&) override { is_plain_ = false; }
  void phases(LaunchId, std::uint64_t&) override { is_plain_ = false; }
  void iterations(LaunchId, std::span<std::uint64_t>, std::span<const std::uint64_t>, std::uint64_t) override {
    is_plain_ = false;
  }
  bool wants_totals() const override { return false; }
  void total(Int128&) override {}
  void integral(TimeIntegral&) override { is_plain_ = false; }

  bool is_plain() const { return is_plain_; }

 protected:
  /// The number of the following words depends on the state, so it is not a list of cursors.
  void on_shape(std::uint64_t) override { is_plain_ = false; }

 private:
  bool is_plain_ = true;
};

class CursorReader : public CursorVisitor {
 public:
  explicit CursorReader(std::vector<std::uint64_t>& words) : words_(words) {}

 private:
  void on_plain(std::uint64_t& word) override { words_.push_back(word); }

  std::vector<std::uint64_t>& words_;
};

class CursorSetter : public CursorVisitor {
 public:
  explicit CursorSetter(std::span<const std::uint64_t> words) : words_(words) {}

  bool has_set_all() const { return next_ == words_.size(); }

 private:
  void on_plain(std::uint64_t& word) override { word = words_[next_++]; }

  std::span<const std::uint64_t> words_;
  std::size_t next_ = 0;
};

/// Copies the effect's record to `record`. Its times are moved by the arrival time `at` of the launch.
void copy_record(const LaunchEffect& effect, SimTime at, LaunchRecord& record) {
  const auto moved = [at](OptionalTime time) { return at + since_start(*time); };
  record.begun = moved(effect.record.begun);
  record.fully_dispatched = moved(effect.record.fully_dispatched);
  record.resident_time = effect.record.resident_time;
  record.core_time = effect.record.core_time;
  record.resident_time_when_dispatched = effect.record.resident_time_when_dispatched;
  for (const auto& [reason, time] : effect.waited) record.waited.add(reason, time);
}

}  // namespace

bool is_quiet(const ModelState& state) {
  return state.launches.present().empty() && state.events.instant_is_over() && state.recoveries.is_empty() &&
         state.residents.count() == 0 && !state.resources.next() && state.dispatching.state().is_quiet();
}

bool read_cursors(ModelState& state, std::vector<std::uint64_t>& words) {
  CursorReader reader(words);
  return state.dispatching.state().visit_cursors(reader) && reader.is_plain();
}

void skip_launch(ModelState& state, LaunchId launch, SimTime at, const LaunchEffect& effect) {
  const SimTime quiet = at + effect.quiet;
  DispatchState& dispatch = state.dispatching.state();
  state.events.move_to(at);
  state.events.pop_rank();
  state.launches.arrive(launch);
  state.arrivals.on_arrived(launch);
  dispatch.progress.take(launch, effect.work_groups);
  state.dispatching.accounts().pass_over(at, quiet);
  CursorSetter setter(effect.cursors);
  GDSIM_CHECK(dispatch.visit_cursors(setter) && setter.has_set_all(), "a dispatcher has other cursors than before");
  state.launches.begin(launch, at + since_start(*effect.record.first_dispatched));
  state.launches.add_completions(launch, effect.completions);
  state.launches.end(launch, at + since_start(*effect.record.ended));
  copy_record(effect, at, state.launches.record(launch));
  dispatch.begun_launches.pass_over(launch);
  state.arrivals.on_begun(launch);
  state.arrivals.on_ended(launch);
  for (WaitSpan span : effect.waits) {
    span.begin = at + since_start(span.begin);
    span.end = at + since_start(span.end);
    state.waits.add(span);
  }
  state.events.move_to(quiet);
}

}  // namespace gdsim
