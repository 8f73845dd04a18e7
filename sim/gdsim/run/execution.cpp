#include <gdsim/run/execution.hpp>

#include <gdsim/base/check.hpp>

#include <algorithm>
#include <tuple>

namespace gdsim {

Execution::Execution(const DeviceSpec& device, const Workload& workload, GpuQueue& queue, EngineSets& engine_sets,
                     std::vector<Fact>& facts)
    : workload_(workload), queue_(queue), engine_sets_(engine_sets), facts_(facts), filling_(device.cores) {
  durations_.reserve(workload.kernels.size());
  for (const Kernel& kernel : workload.kernels) durations_.emplace_back(kernel, device);
}

const Program& Execution::program_of(const ActiveGroup& group) const {
  return workload_.kernel_of(workload_.launches[index_of(group.launch)]).program;
}

Fact Execution::fact(FactKind kind, const ActiveGroup& group, const Part& part) const {
  Fact fact;
  fact.kind = kind;
  fact.core = part.core;
  fact.threads = part.threads;
  fact.launch = group.launch;
  fact.work_group = group.number;
  fact.slm = group.slm;
  return fact;
}

void Execution::start(const Grant& grant, Bytes slm) {
  GroupIndex& filling = filling_[index_of(grant.core)];
  if (grant.opens_group) {
    ActiveGroup opened;
    opened.launch = grant.launch;
    opened.number = grant.work_group;
    opened.core = grant.core;
    opened.threads = grant.group_threads;
    opened.slm = slm;
    opened.durations = durations_[index_of(workload_.launches[index_of(grant.launch)].kernel)].of(grant.work_group);
    opened_ = groups_.add(opened);
  }
  if (grant.opens_core) filling = opened_;
  if (grant.opens_core && !grant.opens_group) add_core(opened_, grant.core);
  ActiveGroup& group = groups_[filling];
  GDSIM_CHECK(group.number == grant.work_group && group.launch == grant.launch,
              "a grant is for another work-group than the one that its core fills");
  group.placed += grant.threads;
  const Part part{grant.core, grant.threads, grant.engines};
  Fact placed = fact(FactKind::placed, group, part);
  placed.opens_core = grant.opens_core;
  placed.opens_group = grant.opens_group;
  placed.fills_group = grant.fills_group;
  facts_.push_back(placed);
  enter({filling, part, 0});
}

void Execution::add_core(GroupIndex group, CoreId core) {
  const auto index = static_cast<std::size_t>(group);
  if (more_cores_.size() <= index) more_cores_.resize(index + 1);
  more_cores_[index].push_back(core);
}

std::span<const CoreId> Execution::more_cores(GroupIndex group) const {
  const auto index = static_cast<std::size_t>(group);
  return index < more_cores_.size() ? std::span<const CoreId>(more_cores_[index]) : std::span<const CoreId>();
}

void Execution::enter(const Cohort& cohort) {
  const ActiveGroup& group = groups_[cohort.group];
  const Program& program = program_of(group);
  if (cohort.step < program.size() && std::holds_alternative<Barrier>(program[cohort.step])) {
    wait(cohort);
    return;
  }
  const CohortIndex index = cohorts_.add(cohort);
  if (cohort.step == program.size()) {
    queue_.schedule(queue_.now(), Event::threads_end(index));
    return;
  }
  const bool is_last = cohort.step + 1 == program.size();
  queue_.schedule(queue_.now() + group.durations[cohort.step],
                  is_last ? Event::threads_end(index) : Event::step_ends(index));
}

void Execution::wait(const Cohort& cohort) {
  ActiveGroup& group = groups_[cohort.group];
  GDSIM_CHECK(group.waiting == 0 || group.waiting_step == cohort.step,
              "threads of one work-group wait at different barriers");
  group.waiting += cohort.part.threads;
  group.waiting_step = cohort.step;
  group.waiting_engines = engine_sets_.merge(group.waiting_engines, cohort.part.engines);
  facts_.push_back(fact(FactKind::waiting, group, cohort.part));
  if (group.waiting == group.threads) queue_.schedule(queue_.now(), Event::barrier_opens(cohort.group));
}

void Execution::end_step(CohortIndex index) {
  Cohort cohort = cohorts_[index];
  cohorts_.remove(index);
  ++cohort.step;
  enter(cohort);
}

void Execution::open_barrier(GroupIndex index) {
  ActiveGroup& group = groups_[index];
  const Cohort released{index, {group.core, group.waiting, group.waiting_engines}, group.waiting_step + 1};
  facts_.push_back(fact(FactKind::resumed, group, released.part));
  group.waiting = 0;
  group.waiting_engines = EngineSet::none;
  enter(released);
}

Cohort Execution::end_threads(CohortIndex index) {
  const Cohort cohort = cohorts_[index];
  cohorts_.remove(index);
  ActiveGroup& group = groups_[cohort.group];
  group.ended += cohort.part.threads;
  facts_.push_back(fact(FactKind::ended, group, cohort.part));
  return cohort;
}

void Execution::remove_group(GroupIndex index) {
  groups_[index].threads = 0;
  if (const auto i = static_cast<std::size_t>(index); i < more_cores_.size()) more_cores_[i].clear();
  groups_.remove(index);
}

std::vector<ActiveGroup> Execution::active_groups() const {
  std::vector<ActiveGroup> active;
  for (const ActiveGroup& group : groups_)
    if (group.threads > 0) active.push_back(group);
  std::sort(active.begin(), active.end(), [](const ActiveGroup& a, const ActiveGroup& b) {
    return std::tie(a.launch, a.number) < std::tie(b.launch, b.number);
  });
  return active;
}

}  // namespace gdsim
