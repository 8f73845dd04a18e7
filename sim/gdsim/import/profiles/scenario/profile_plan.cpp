#include <gdsim/import/profiles/scenario/profile_plan.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/device/core_blocks.hpp>
#include <gdsim/import/profiles/scenario/launch_selection.hpp>
#include <gdsim/import/profiles/scenario/plan_devices.hpp>
#include <gdsim/import/profiles/scenario/plan_times.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

namespace gdsim {
namespace {

/// A shape, what is needed to fit its durations, and its kernel.
struct FittedShape {
  LaunchShape shape;
  Kernel kernel;
  std::unique_ptr<DurationFit> fit;
};

/// The state of one call of plan_profile().
class Planner {
 public:
  Planner(Profile& profile, DeviceSpec& device, const ProfiledTimes& times, Merging merging, const StopToken& stop,
          const PlanProgress& show)
      : profile_(profile), device_(device), merging_(merging), stop_(stop), show_(show) {
    plan_.file = profile.file;
    plan_.has_durations = times.has_durations;
    plan_.has_starts = times.has_starts;
  }

  ProfilePlan plan() {
    drop_host_times(profile_, device_, plan_.overrides);
    fit_copies(profile_, device_, plan_.overrides);
    use_measured_clock();
    make_shapes();
    if (plan_.has_durations) respect_shortest_launch();
    make_kernels();
    plan_launches(profile_, kernel_of_launch_, plan_);
    plan_occupancy();
    if (!plan_.has_durations) return std::move(plan_);
    if (merging_ == Merging::by_shape) expect_no_single_durations();
    PlanSimulator simulator(device_, stop_);
    if (merging_ != Merging::by_shape && !plan_.has_counted_work()) {
      check_plan(plan_, simulator, Reaching::ignored);
      if (plan_.gaps > 0) refine_plan(device_, plan_, simulator);
    }
    check_plan(plan_, simulator, Reaching::simulated);  // simulates again only what an earlier one has not
    find_occupancy(device_, plan_, stop_);
    note_loose_copies();
    return std::move(plan_);
  }

 private:
  /// A merged kernel represents different launches, so no single launch is expected to take its measured time.
  void expect_no_single_durations() {
    std::size_t merged = 0;
    for (std::size_t i = 0; i < plan_.launches.size(); ++i) {
      const Launch& launch = plan_.workload.launches[i];
      if (!launch.is_kernel()) continue;
      const PlannedKernel& kernel = plan_.kernels[index_of(launch.as_kernel().kernel)];
      plan_.launches[i].is_merged = kernel.shortest != kernel.longest;
      merged += plan_.launches[i].is_merged ? 1 : 0;
    }
    if (merged > 0)
      plan_.notes.push_back(fmt::format(
          "--merge: one kernel stands for all launches of a shape, so that neither begins nor durations are "
          "expected of {} of {} launches; without it, they are",
          merged, plan_.launches.size()));
  }

  /// If work is counted, a launch must take its measured cycles at the clock that the profiler had set. Only the device
  /// of the file has that clock.
  void use_measured_clock() {
    const ProfiledDevice* device = device_of(profile_, profile_.texts[profile_.launches.front().device]);
    const bool counts = std::any_of(profile_.launches.begin(), profile_.launches.end(),
                                    [&](const ProfiledLaunch& launch) { return counters_of(launch) != nullptr; });
    if (!counts || device == nullptr || !device->clock || device->cores != device_.cores) return;
    if (device->clock == device_.clock && !clock_may_change(device_)) return;
    if (device_.power)
      plan_.overrides.push_back(
          {"power", "none", "the file's launches ran at one clock, by which their work was counted"});
    device_ = under_clock(device_, Hertz{device->clock->count / 1'000'000 * 1'000'000});
    plan_.overrides.push_back({"clock", to_text(*device_.clock), "the file's launches ran at this clock, to 1 MHz"});
  }

  /// Returns the counters of a launch if its work follows from them, else null.
  const ProfiledCounters* counters_of(const ProfiledLaunch& launch) const {
    const bool is_used = plan_.has_durations && launch.counters > 0 && merging_ != Merging::by_shape;
    return is_used ? &profile_.counters[launch.counters - 1] : nullptr;
  }

  void plan_occupancy() {
    if (!plan_.has_counted_work() || plan_.launches.size() != 1 || plan_.launches.front().count != 1) return;
    const ProfiledCounters& counters = profile_.counters[profile_.launches.front().counters - 1];
    if (counters.achieved_hundredths) plan_.occupancy = PlannedOccupancy{*counters.achieved_hundredths, 0};
  }

  void note_loose_copies() {
    const auto is_loose = [](const PlannedLaunch& launch) { return launch.is_loose; };
    const auto loose = std::count_if(plan_.launches.begin(), plan_.launches.end(), is_loose);
    if (loose == 0) return;
    plan_.notes.push_back(fmt::format(
        "copies that take more than 1 % less here than measured: {}; all use the highest measured bandwidth, "
        "and their durations are not expected",
        loose));
  }

  void make_shapes() {
    const ProfiledDevice* device = device_of(profile_, profile_.texts[profile_.launches.front().device]);
    sub_group_ = device != nullptr && device->sub_group ? *device->sub_group : usual_sub_group(device_);
    // A size that every device of this kind has is no assumption.
    sub_group_is_assumed_ = (device == nullptr || !device->sub_group) && device_.sub_group_sizes.size() > 1;
    std::set<std::string> refusals;
    for (LaunchShape& shape : launch_shapes(profile_, merging_)) {
      FittedShape made{std::move(shape), {}, nullptr};
      made.kernel = shape_kernel(profile_.launches[made.shape.first], sub_group_);
      made.fit = std::make_unique<DurationFit>(device_, made.kernel, stop_);
      if (!made.fit->refusals().empty()) keep_without_unknown(made);
      if (made.fit->refusals().empty()) {
        compare_with_driver(made);
        shapes_.push_back(std::move(made));
      } else {
        refusals.insert(leave_out(made));
      }
    }
    note_driver();
    if (!shapes_.empty()) return;
    std::vector<Diagnostic> problems;
    for (const std::string& refusal : refusals) problems.push_back({"profile", refusal, profile_.file, 0, 0, {}});
    throw InputError(std::move(problems));
  }

  void compare_with_driver(const FittedShape& fitted) {
    DriverFigures figures;
    for (const LaunchClass& launch_class : fitted.shape.classes)
      for (const std::size_t launch : launch_class.launches) figures.add(profile_.launches[launch]);
    for (const std::string& note : driver_notes(figures, fitted.kernel, device_))
      driver_notes_[note].insert(profile_.texts[profile_.launches[fitted.shape.first].name]);
  }

  /// One note stands for all kernels of which the driver says the same.
  void note_driver() {
    for (const auto& [note, names] : driver_notes_)
      plan_.notes.push_back(printable(*names.begin()) +
                            (names.size() > 1 ? " and " + counted(names.size() - 1, "more kernel") : "") + ": " + note);
  }

  /// Takes from a refused kernel what the device's model does not have: the launch was measured, so the device can run
  /// it.
  void keep_without_unknown(FittedShape& fitted) {
    Kernel& kernel = fitted.kernel;
    std::string taken;
    const auto take = [&](bool is_unknown, const char* key) {
      if (is_unknown) taken += (taken.empty() ? "`" : ", `") + std::string(key) + "`";
      return is_unknown;
    };
    if (take(!kernel.cluster.empty() && !device_.clusters, "cluster")) kernel.cluster.clear();
    if (take(kernel.needs.grf == GrfMode::large && !device_.large_grf_contexts, "large_grf"))
      kernel.needs.grf = GrfMode::normal;
    if (take(kernel.needs.scalar_registers > 0 && !device_.scalar_registers, "scalar_registers"))
      kernel.needs.scalar_registers = 0;
    if (taken.empty()) return;
    fitted.fit = std::make_unique<DurationFit>(device_, kernel, stop_);
    if (fitted.fit->refusals().empty())
      plan_.notes.push_back(fmt::format("{}: simulated without {}, which the model of {} does not have",
                                        printable(profile_.texts[profile_.launches[fitted.shape.first].name]), taken,
                                        device_.id));
  }

  /// Counts the launches as left out. Returns why the device refuses the kernel.
  std::string leave_out(const FittedShape& refused) {
    std::uint64_t launches = 0;
    for (const LaunchClass& launch_class : refused.shape.classes) launches += launch_class.launches.size();
    const std::string name = profile_.texts[profile_.launches[refused.shape.first].name];
    const std::string why =
        fmt::format("{} refuses {}: {}", device_.id, in_quotes(name), refused.fit->refusals().front().message);
    profile_.left_out["launches, for " + why] += launches;
    return why;
  }

  /// Lowers the model's launch cost if a launch took less time than that cost.
  void respect_shortest_launch() {
    const Duration cost = launch_cost_of(device_);
    Duration most = cost;
    Duration shown;
    for (FittedShape& shape : shapes_) {
      const Duration shortest = shortest_of(shape.shape);
      const Duration lasts = shape.fit->fit(shortest).lasts;
      if (lasts <= shortest) continue;
      const Duration dispatching = lasts - cost;
      const Duration left{shortest.count / 10 * 9 - dispatching.count};
      if (left.count <= 0 || left >= most) continue;
      most = left;
      shown = shortest;
    }
    if (most >= cost) return;
    lower_launch_cost(device_, most,
                      fmt::format("{} of the model is more than launches of the file allow: one lasts {}; that a tenth "
                                  "of it is its work-groups' is assumed",
                                  to_text(cost), to_text(shown)),
                      plan_.overrides);
    for (FittedShape& shape : shapes_) shape.fit = std::make_unique<DurationFit>(device_, shape.kernel, stop_);
  }

  static Duration shortest_of(const LaunchShape& shape) {
    const auto least = std::min_element(shape.classes.begin(), shape.classes.end(),
                                        [](const auto& a, const auto& b) { return a.shortest < b.shortest; });
    return {least->shortest};
  }

  void make_kernels() {
    struct Made {
      FittedShape* shape;
      const LaunchClass* launches;
    };
    std::vector<Made> all;
    for (FittedShape& shape : shapes_)
      for (const LaunchClass& launch_class : shape.shape.classes) all.push_back({&shape, &launch_class});
    std::sort(all.begin(), all.end(),
              [](const Made& a, const Made& b) { return a.launches->launches.front() < b.launches->launches.front(); });
    kernel_of_launch_.assign(profile_.launches.size(), kNoKernel);
    std::vector<std::string> names;
    for (const Made& fitted : all) names.push_back(profile_.texts[profile_.launches[fitted.shape->shape.first].name]);
    const std::vector<std::string> keys = profile_keys(names);
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (const std::size_t launch : all[i].launches->launches) kernel_of_launch_[launch] = i;
      add_kernel(*all[i].shape, *all[i].launches, keys[i], names[i]);
      if (show_) show_(i + 1, all.size());
    }
  }

  void add_kernel(FittedShape& shape, const LaunchClass& launches, const std::string& key, const std::string& name) {
    const ProfiledLaunch& first = profile_.launches[shape.shape.first];
    PlannedKernel planned;
    planned.full_name = name;
    planned.shortest = Duration{launches.shortest};
    planned.longest = Duration{launches.longest};
    for (const std::size_t launch : launches.launches) planned.launches += profile_.launches[launch].count;
    planned.sub_group_is_assumed = !first.sub_group && sub_group_is_assumed_;
    planned.registers_are_known = first.registers.has_value();
    planned.slm_is_known = first.static_slm || first.dynamic_slm;
    Kernel kernel = shape.kernel;
    kernel.name = key;
    kernel.has_placeholder = !plan_.has_durations;
    if (plan_.has_durations) {
      // No launch may take longer than measured: it would delay the next one of its stream. If all are merged, their
      // total is as measured.
      const bool is_merged = merging_ == Merging::by_shape;
      const LaunchSpread spread = is_merged ? spread_of(profile_, launches.launches) : LaunchSpread{};
      planned.fitted_to = Duration{is_merged ? spread.mean : launches.shortest};
      planned.fitted = shape.fit->fit(planned.fitted_to);
      kernel.program = {Compute{StepTime{Decimal::whole(static_cast<std::uint64_t>(planned.fitted.compute.count)),
                                         StepTime::Unit::picoseconds}}};
      if (is_merged) draw_spread(spread, planned, kernel);
      if (const ProfiledCounters* counters = counters_of(profile_.launches[launches.launches.front()]))
        count_work(*counters, is_merged ? planned.fitted_to : Duration{launches.median}, planned, kernel);
    }
    plan_.kernels.push_back(std::move(planned));
    plan_.workload.kernels.push_back(std::move(kernel));
  }

  /// Sets the kernel's program to the counted work, as far as this device defines its cost, times one factor.
  void count_work(const ProfiledCounters& counters, Duration measured, PlannedKernel& planned, Kernel& kernel) {
    planned.work = counted_work(counters, kernel, device_);
    if (!planned.work) {
      plan_.notes.push_back(
          fmt::format("{}: its counters are not used: {} has no clock or no memory, or there are more "
                      "than {} {}s",
                      printable(kernel.name), device_.id, kMaxCountedThreads, device_.terms.thread));
      return;
    }
    planned.fitted_work = WorkFit(device_, kernel, *planned.work, stop_).fit(measured);
    set_counted_work(*planned.work, planned.fitted_work.millionths, kernel);
    plan_.notes.push_back(fmt::format("{}: what was counted, times {}, lasts {}; measured were {}",
                                      printable(kernel.name), to_text(Decimal{planned.fitted_work.millionths, -6}),
                                      to_text(planned.fitted_work.lasts), to_text(measured)));
  }

  void draw_spread(const LaunchSpread& spread, PlannedKernel& planned, Kernel& kernel) {
    if (is_too_wide(spread, launch_cost_of(device_)))
      plan_.notes.push_back(
          fmt::format("--merge: launches of {} last {} on average with a standard deviation of {}, "
                      "which is more than can be drawn: it is drawn as ten times the mean",
                      printable(kernel.name), to_text(Duration{spread.mean}), to_text(Duration{spread.deviation})));
    kernel.variation.draw = draw_of_spread(spread, launch_cost_of(device_));
    if (kernel.variation.draw)
      planned.spread = fmt::format("{{distribution: lognormal, cv: {}, per: launch, seed: {}}}",
                                   to_text(kernel.variation.draw->cv), kernel.variation.draw->seed);
  }

  Profile& profile_;
  DeviceSpec& device_;
  Merging merging_;
  ProfilePlan plan_;
  std::uint32_t sub_group_ = 0;
  bool sub_group_is_assumed_ = false;
  const StopToken& stop_;
  const PlanProgress& show_;
  std::vector<FittedShape> shapes_;
  std::map<std::string, std::set<std::string>> driver_notes_;  ///< names of kernels by what the driver says of them
  std::vector<std::size_t> kernel_of_launch_;
};

}  // namespace

ProfilePlan plan_profile(Profile& profile, DeviceSpec& device, const ProfiledTimes& times, Merging merging,
                         const StopToken& stop, const PlanProgress& show) {
  return Planner(profile, device, times, merging, stop, show).plan();
}

}  // namespace gdsim
