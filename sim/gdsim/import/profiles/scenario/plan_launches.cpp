#include <gdsim/import/profiles/scenario/plan_launches.hpp>

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

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
        fail_at(profile_, launch.place, counted(kMaxProfiledLaunches, "launch") + "es are more than a scenario has");
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
    return number == 1 ? stem : stem + "#" + std::to_string(number);
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

}  // namespace gdsim
