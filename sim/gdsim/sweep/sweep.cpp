#include <gdsim/sweep/sweep.hpp>

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/points/point_notes.hpp>
#include <gdsim/points/run_point.hpp>

#include <algorithm>
#include <exception>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace gdsim {
namespace {

/// The number of points that are looked up and distributed together; memory is proportional to it.
constexpr std::size_t kBatch = 4'096;
/// The maximum number of points that are read for their notes.
constexpr std::size_t kMaxPointsWithNotes = 256;

PointRules with_constants(PointRules rules, std::vector<std::pair<std::string, double>> constants) {
  rules.constants = std::move(constants);
  return rules;
}

/// Returns the data that determine results, besides the scenario.
std::string program_and_bounds(const SweepRequest& request) {
  std::string text = request.program;
  if (request.run.bounds.events) text += " events " + std::to_string(*request.run.bounds.events);
  if (request.of) text += " of " + to_text(*request.of);
  if (request.run.bounds.time) text += " time " + std::to_string(request.run.bounds.time->count);
  return text;
}

/// Stores in the identity the notes of the first point with each value of an axis, each note once; then figures under
/// whole work-groups of the first point that has some; then further differences of the points. Points that cannot be
/// read have no notes. Stores whether all points do the same work.
void compare_points(PointMaker& maker, const PointSpace& space, const StopToken& stop, StudyIdentity& identity) {
  std::vector<std::string>& notes = identity.notes;
  std::vector<std::set<std::size_t>> seen(space.axes().size());
  std::size_t looked_at = 0;
  std::size_t points_read = 0;
  bool has_figures = false;
  ComparabilityNotes unlike;
  for (auto next = space.next(0); next && looked_at < kBatch && points_read < kMaxPointsWithNotes;
       next = space.next(*next + 1)) {
    ++looked_at;
    bool is_new = seen.empty();
    for (std::size_t axis = 0; axis < seen.size(); ++axis)
      is_new = seen[axis].insert(space.index(*next, axis)).second || is_new;
    if (!is_new) continue;
    ++points_read;
    try {
      const Scenario point = maker.make(space, *next);
      for (const Scenario& device_scenario : devices_of(point)) unlike.add(device_scenario);
      for (std::string& note : study_notes(point))
        if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(std::move(note));
      if (has_figures || !is_placed_in_part(point)) continue;
      has_figures = true;  // or none: it is not tried again
      if (auto figures = placement_note_of_point(point, stop)) notes.push_back(std::move(*figures));
    } catch (const InputError&) {  // it is refused as a point
    }
  }
  for (std::string& note : unlike.notes()) notes.push_back(std::move(note));
  identity.has_equal_work = unlike.is_work_equal();
}

void require_one_run(const Scenario& scenario) {
  if (scenario.repeat == 1) return;
  throw InputError("the scenario says `repeat: " + std::to_string(scenario.repeat) +
                   "`, and a point of a sweep is one run; add --set repeat=1, and vary the seed instead: --vary "
                   "kernels.NAME.variation.seed=1..20+1");
}

/// Throws InputError if the metric is a figure of a core and the scenario has several devices, or if it is of times and
/// a placeholder has none.
void require_metric(const Scenario& scenario, const Metric* metric) {
  if (metric != nullptr && (metric->name == "duration" || metric->name == "mean_occupancy") && !has_durations(scenario))
    throw InputError("--metric " + std::string(metric->name) +
                     " is of times, and the program of a kernel is a placeholder, so that there are none; rank what "
                     "fits: --metric fit_occupancy, or work_groups_per_core, or waves");
  if (scenario.devices.empty() || metric == nullptr) return;
  for (const std::string_view of_all : {"duration", "peak_occupancy", "mean_occupancy"})
    if (metric->name == of_all) return;
  throw InputError("--metric " + std::string(metric->name) +
                   " is of one device; points of several are ranked by duration, peak_occupancy or mean_occupancy");
}

/// Throws InputError if there is no such launch.
void require_launch(const LaunchFigure& figure, const Scenario& scenario) {
  RunRecord empty_record;
  for (const Launch& launch : devices_of(scenario).front().workload.launches)
    if (scenario.devices.empty() || launch.parent() == nullptr) empty_record.launches.emplace_back();
  time_of(figure, scenario, empty_record);
}

}  // namespace

Sweep::Sweep(SweepRequest request)
    : request_(std::move(request)),
      maker_(request_.scenario, request_.text, request_.read, request_.axes),
      space_(request_.axes, with_constants(request_.rules, maker_.constants())),
      identity_{maker_.title(),   maker_.content_hash(program_and_bounds(request_)),
                request_.program, maker_.own_values(),
                maker_.words(),   {}},
      store_(prepare_and_get_store()) {
  store_.open_study(identity_, space_, request_.shard);
}

const std::filesystem::path& Sweep::prepare_and_get_store() {
  require_sound_scenario();
  compare_points(maker_, space_, request_.run.stop, identity_);
  if (request_.of) identity_.notes.push_back("Durations are of launches: " + to_text(*request_.of) + ".");
  if (request_.check_outputs) request_.check_outputs(maker_.inputs());
  return request_.store;
}

void Sweep::require_sound_scenario() {
  const auto first = space_.next(0);
  if (!first)
    throw InputError("--where " + in_quotes(space_.rules().where) + " drops all " + std::to_string(space_.size()) +
                     " points");
  maker_.require_known_keys();
  const auto mistake_of = [this](const auto& make) -> std::exception_ptr {
    try {
      const Scenario scenario = make();
      require_one_run(scenario);
      require_metric(scenario, request_.metric);
      if (request_.of) require_launch(*request_.of, scenario);
    } catch (const InputError& error) {
      if (is_mistake(error)) return std::current_exception();
    }
    return nullptr;
  };
  const std::exception_ptr of_first = mistake_of([&] { return maker_.make(space_, *first); });
  if (!of_first || !mistake_of([&] { return maker_.make_own(); })) return;
  std::size_t tried = 1;
  for (auto next = space_.next(*first + 1); next && tried < kBatch; next = space_.next(*next + 1), ++tried)
    if (!mistake_of([&] { return maker_.make(space_, *next); })) return;
  std::rethrow_exception(of_first);
}

std::uint64_t Sweep::points_of_shard() const { return points_of(request_.shard, space_.count()); }

SweepEnd Sweep::run() {
  all_ = points_of_shard();
  std::uint64_t position = 0;
  std::vector<std::uint64_t> batch;
  for (auto next = space_.next(0); next && !is_stopped_; next = space_.next(*next + 1)) {
    const std::uint64_t ordinal = *next;
    if (shard_of(position++, request_.shard.count) != request_.shard.number) continue;
    if (request_.resume == Resume::yes &&
        (store_.has(ordinal) || store_.adopt(ordinal, maker_.point_text(space_, ordinal)))) {
      ++done_;
      continue;
    }
    batch.push_back(ordinal);
    if (batch.size() < kBatch) continue;
    run_batch(batch);
    batch.clear();
  }
  if (!is_stopped_) run_batch(batch);
  if (defect_) std::rethrow_exception(defect_);
  return is_stopped_ ? SweepEnd::interrupted : SweepEnd::complete;
}

void Sweep::run_batch(const std::vector<std::uint64_t>& ordinals) {
  struct Attempt {
    PointResult result;
    std::exception_ptr failure;
  };
  std::vector<Attempt> attempts(ordinals.size());
  const auto is_stop_requested = [&] { return request_.run.stop.stop_requested(); };
  const auto work = [&](std::size_t i) {
    if (request_.started) request_.started(space_.name_of(ordinals[i]));
    try {
      const Scenario scenario = maker_.make(space_, ordinals[i]);
      require_one_run(scenario);
      attempts[i].result = run_point(scenario, request_.run, request_.of);
    } catch (const InputError& error) {
      attempts[i].result = refused_point(error);
    } catch (...) {
      attempts[i].failure = std::current_exception();
    }
  };
  const auto take = [&](std::size_t i) {
    const Attempt& attempt = attempts[i];
    is_stopped_ = is_stop_requested();
    const bool was_cut_off = is_stopped_ && attempt.result.status == PointStatus::interrupted;
    if (attempt.failure) {
      defect_ = defect_ ? defect_ : attempt.failure;
    } else if (!was_cut_off) {
      store_.add(ordinals[i], maker_.point_text(space_, ordinals[i]), attempt.result);
    }
    ++done_;
    if (request_.progress) request_.progress(done_, all_);
    attempts[i] = {};
    return is_stopped_ ? Proceed::no : Proceed::yes;
  };
  parallel_for_in_order(ordinals.size(), request_.jobs, work, take);
}

}  // namespace gdsim
