#include <gdsim/import/profiles/scenario/plan_times.hpp>

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

namespace gdsim {
namespace {

constexpr Int128 kLongestScenario = Int128{1} << 61;  ///< picoseconds: 26 days

class LaunchPlanner {
 public:
  LaunchPlanner(const Profile& profile, const std::vector<std::size_t>& kernels, ProfilePlan& plan)
      : profile_(profile), kernels_(kernels), plan_(plan) {}

  void plan() {
    if (plan_.has_starts) base_ = *profile_.launches.front().start;
    for (std::size_t i = 0; i < profile_.launches.size(); ++i)
      if (profile_.launches[i].work != ProfiledWork::kernel || kernels_[i] != kNoKernel) add(i);
    for (std::size_t i = 0; i < plan_.workload.queues.size(); ++i)
      if (overlaps_[i]) {
        plan_.workload.queues[i].order = QueueOrder::out_of_order;
        plan_.notes.push_back(plan_.workload.queues[i].name +
                              ": its launches overlap in the file, so it is out of order here");
      }
    if (follows_itself_)
      plan_.notes.push_back(
          "rows that stand for several launches have one start: that these follow each other is assumed");
    if (plan_.has_durations && !plan_.has_starts)
      plan_.notes.push_back(
          "the file holds no starts: that each launch begins when the one before has ended is assumed");
  }

 private:
  void add(std::size_t number) {
    const ProfiledLaunch& launch = profile_.launches[number];
    const QueueId queue = queue_of(launch);
    if (!plan_.has_durations) return add_without_times(number, queue);
    for (std::uint64_t i = 0; i < launch.count; ++i) {
      if (plan_.launches.size() == kMaxProfiledLaunches)
        fail_at(profile_, launch.place, counted(kMaxProfiledLaunches, "launch") + " are more than a scenario has");
      add_with_times(number, queue, i);
    }
    if (launch.count > 1 && plan_.has_starts) follows_itself_ = true;
  }

  /// Equal launches in one row follow each other without a gap, because the row has only the first start.
  void add_with_times(std::size_t number, QueueId queue, std::uint64_t before) {
    const ProfiledLaunch& launch = profile_.launches[number];
    const Int128 at = plan_.has_starts ? *launch.start - base_ + Int128{*launch.duration} * Int128{before} : next_;
    const Int128 end = at + *launch.duration;
    if (end > kLongestScenario)
      fail_at(profile_, launch.place, "the launch ends more than 26 days after the first one starts");
    next_ = std::max(next_, end);
    Int128& queue_end = queue_ends_[index_of(queue)];
    if (at < queue_end) overlaps_[index_of(queue)] = true;
    queue_end = std::max(queue_end, end);
    PlannedLaunch planned;
    const SimTime begins{static_cast<std::int64_t>(at)};
    if (plan_.has_starts) planned.begun = begins;
    planned.duration = Duration{*launch.duration};
    push(number, queue, begins, planned);
  }

  void add_without_times(std::size_t number, QueueId queue) {
    const ProfiledLaunch& launch = profile_.launches[number];
    if (!plan_.launches.empty() && last_ != kNoKernel && kernels_[number] == last_ &&
        plan_.workload.launches.back().queue == queue) {
      plan_.launches.back().count += launch.count;
      return;
    }
    PlannedLaunch planned;
    planned.count = launch.count;
    push(number, queue, SimTime{}, planned);
  }

  void push(std::size_t number, QueueId queue, SimTime at, PlannedLaunch planned) {
    planned.row = number;
    const ProfiledLaunch& launch = profile_.launches[number];
    last_ = launch.work == ProfiledWork::kernel ? kernels_[number] : kNoKernel;
    Launch made;
    made.at = at;
    made.queue = queue;
    if (launch.work == ProfiledWork::kernel) {
      made.work = KernelId{static_cast<std::uint32_t>(kernels_[number])};
    } else {
      made.work = Copy{Bytes{static_cast<std::int64_t>(*launch.bytes)}, launch.work == ProfiledWork::host_to_device
                                                                            ? CopyDirection::host_to_device
                                                                            : CopyDirection::device_to_host};
    }
    made.name = name_of_next(made);
    plan_.workload.launches.push_back(std::move(made));
    plan_.launches.push_back(planned);
  }

  /// Returns the name that the reader of scenarios gives a launch without `name:`.
  std::string name_of_next(const Launch& launch) {
    const std::string stem = !launch.is_kernel() ? "copy" : plan_.workload.kernel_of(launch).name;
    const std::uint64_t number = ++uses_[stem];
    return number == 1 ? stem : fmt::format("{}#{}", stem, number);
  }

  QueueId queue_of(const ProfiledLaunch& launch) {
    const auto [known, is_new] = queues_.emplace(launch.queue, plan_.workload.queues.size());
    if (is_new) {
      const std::string& text = profile_.texts[launch.queue];
      Queue queue;
      queue.name = text.empty() ? "stream" : "stream " + printable(text.substr(0, 100));
      // Different texts may look alike after shortening or after escapes of unprintable characters.
      if (!queue_names_.insert(queue.name).second) queue.name += fmt::format(" ({})", known->second);
      queue_names_.insert(queue.name);
      queue.order = QueueOrder::in_order;
      plan_.workload.queues.push_back(std::move(queue));
      queue_ends_.push_back(0);
      overlaps_.push_back(false);
    }
    return static_cast<QueueId>(known->second);
  }

  const Profile& profile_;
  const std::vector<std::size_t>& kernels_;
  ProfilePlan& plan_;
  Int128 base_ = 0;
  Int128 next_ = 0;  ///< latest end of all launches so far
  bool follows_itself_ = false;
  std::size_t last_ = kNoKernel;
  std::map<std::uint32_t, std::size_t> queues_;
  std::vector<Int128> queue_ends_;
  std::vector<bool> overlaps_;
  std::map<std::string, std::uint64_t> uses_;
  std::set<std::string> queue_names_;
};

}  // namespace

void plan_launches(const Profile& profile, const std::vector<std::size_t>& kernel_of_launch, ProfilePlan& plan) {
  LaunchPlanner(profile, kernel_of_launch, plan).plan();
}

namespace {

constexpr unsigned kMaxRounds = 10;
constexpr std::uint64_t kMaxRefinedGroups = 3'000'000;  ///< work-groups of all rounds: some two seconds

/// Derives the names of launches from those of their kernels, as the reader of scenarios does.
void name_launches(Workload& workload) {
  std::map<std::string, std::uint64_t> uses;
  for (Launch& launch : workload.launches) {
    const std::string stem = !launch.is_kernel() ? std::string("copy") : workload.kernel_of(launch).name;
    const std::uint64_t number = ++uses[stem];
    launch.name = number == 1 ? stem : fmt::format("{}#{}", stem, number);
  }
}

class PlanRefiner {
 public:
  explicit PlanRefiner(ProfilePlan& plan) : plan_(plan) {
    for (const Kernel& kernel : plan.workload.kernels) taken_.insert(kernel.name);
  }

  /// Scales the computing of launches whose durations differ from the measured ones. Returns true if any changed.
  bool scale() {
    bool has_changed = false;
    constexpr Int128 nearly = 200;  // 1 / 200 of the measured time: a launch this close only begins late
    for (std::size_t i = 0; i < plan_.launches.size(); ++i) {
      const PlannedLaunch& planned = plan_.launches[i];
      if (!planned.is_gap || !plan_.workload.launches[i].is_kernel() || planned.simulated->count <= 0) continue;
      const std::int64_t measured = planned.duration->count;
      const std::int64_t off = planned.simulated->count - measured;
      if (std::abs(off) * nearly <= measured) continue;
      const std::size_t kernel = own_kernel(i);
      const std::int64_t before = plan_.kernels[kernel].fitted.compute.count;
      const std::int64_t fixed =
          std::min(plan_.kernels[kernel].fitted.fixed.count, std::min(measured, planned.simulated->count) / 2);
      // Waiting for others does not scale with computing, so the factor is limited to the range from a half to two.
      const Int128 scaled = Int128{before} * (measured - fixed) / (planned.simulated->count - fixed);
      const Int128 bounded = std::clamp<Int128>(scaled, std::max<Int128>(before / 2, 1), Int128{before} * 2 + 1);
      set(kernel, Duration{static_cast<std::int64_t>(bounded)});
      has_changed = has_changed || bounded != before;
    }
    name_launches(plan_.workload);
    return has_changed;
  }

 private:
  void set(std::size_t kernel, Duration compute) {
    plan_.kernels[kernel].fitted.compute = compute;
    plan_.kernels[kernel].is_fitted_among_others = true;
    const Decimal picoseconds = Decimal::whole(static_cast<std::uint64_t>(compute.count));
    plan_.workload.kernels[kernel].program = {Compute{StepTime{picoseconds, StepTime::Unit::picoseconds}}};
  }

  /// Returns the launch's kernel if no other launch has it, else a new copy of it.
  std::size_t own_kernel(std::size_t launch) {
    KernelLaunch& work = plan_.workload.launches[launch].as_kernel();
    const std::size_t shared = static_cast<std::size_t>(work.kernel);
    if (plan_.kernels[shared].launches == 1) return shared;
    --plan_.kernels[shared].launches;
    PlannedKernel planned = plan_.kernels[shared];
    planned.launches = 1;
    planned.shortest = planned.longest = planned.fitted_to = *plan_.launches[launch].duration;
    Kernel kernel = plan_.workload.kernels[shared];
    kernel.name = free_name(kernel.name);
    plan_.kernels.push_back(std::move(planned));
    plan_.workload.kernels.push_back(std::move(kernel));
    work.kernel = KernelId{static_cast<std::uint32_t>(plan_.workload.kernels.size() - 1)};
    return plan_.workload.kernels.size() - 1;
  }

  std::string free_name(const std::string& name) {
    std::size_t& number = last_[name];
    std::string unique;
    do {
      unique = fmt::format("{} (overlapped {})", name, ++number);
    } while (!taken_.insert(unique).second);
    return unique;
  }

  ProfilePlan& plan_;
  std::set<std::string> taken_;
  std::map<std::string, std::size_t> last_;
};

}  // namespace

namespace {

/// Returns the launches in those measured busy periods of the device that have a launch with a wrong duration.
std::vector<std::size_t> launches_near_gaps(const DeviceSpec& device, const ProfilePlan& plan) {
  std::vector<std::size_t> near;
  const std::vector<std::size_t> periods = busy_periods(device, plan);
  for (std::size_t period = 0; period < periods.size(); ++period) {
    const std::size_t last = period + 1 < periods.size() ? periods[period + 1] : plan.launches.size();
    bool has_gap = false;
    for (std::size_t i = periods[period]; i < last; ++i) has_gap = has_gap || plan.launches[i].is_gap;
    for (std::size_t i = periods[period]; has_gap && i < last; ++i) near.push_back(i);
  }
  return near;
}

/// Returns a plan of only these launches, with all kernels.
ProfilePlan part_of(const ProfilePlan& plan, const std::vector<std::size_t>& launches) {
  ProfilePlan part = plan;
  part.launches.clear();
  part.workload.launches.clear();
  for (const std::size_t i : launches) {
    part.launches.push_back(plan.launches[i]);
    part.workload.launches.push_back(plan.workload.launches[i]);
  }
  return part;
}

/// Scales the computing of these launches by simulating only them. Keeps the result if the whole plan has fewer gaps.
void refine_among(const std::vector<std::size_t>& launches, ProfilePlan& plan, PlanSimulator& simulator,
                  Reaching reaching) {
  const std::uint64_t most = simulator.groups() + kMaxRefinedGroups;
  ProfilePlan tried = part_of(plan, launches);
  check_plan(tried, simulator, reaching);
  ProfilePlan best = tried;
  PlanRefiner refiner(tried);
  for (unsigned round = 0; round < kMaxRounds && tried.gaps > 0 && simulator.groups() < most; ++round) {
    if (!refiner.scale()) break;
    check_plan(tried, simulator, reaching);
    if (tried.gaps < best.gaps) best = tried;
  }
  ProfilePlan refined = plan;
  refined.kernels = std::move(best.kernels);
  refined.workload.kernels = std::move(best.workload.kernels);
  for (std::size_t i = 0; i < launches.size(); ++i)
    refined.workload.launches[launches[i]].work = best.workload.launches[i].work;
  name_launches(refined.workload);
  check_plan(refined, simulator, reaching);
  if (refined.gaps < plan.gaps) plan = std::move(refined);
}

}  // namespace

void refine_plan(const DeviceSpec& device, ProfilePlan& plan, PlanSimulator& simulator) {
  refine_among(launches_near_gaps(device, plan), plan, simulator, Reaching::ignored);
  check_plan(plan, simulator, Reaching::simulated);
  if (plan.gaps == 0) return;
  // The remaining gaps are caused by launches further away.
  std::vector<std::size_t> all(plan.launches.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  refine_among(all, plan, simulator, Reaching::simulated);
}

}  // namespace gdsim
