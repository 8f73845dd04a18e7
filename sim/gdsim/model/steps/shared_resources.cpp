#include <gdsim/model/steps/shared_resources.hpp>

#include <algorithm>
#include <set>
#include <span>

namespace gdsim {
namespace {

/// Returns the pipes that programs use, the issue slots first, chains of results last, without L1.
std::vector<std::uint32_t> pipes_of(std::span<const ProgramPlan> plans) {
  std::set<std::uint32_t> used;
  for (const ProgramPlan& plan : plans)
    for (const Op& op : plan.ops()) used.insert(op.pipe);
  used.erase(kL1Pipe);
  used.erase(kIssueSlots);
  std::vector<std::uint32_t> pipes{kIssueSlots};
  pipes.insert(pipes.end(), used.begin(), used.end());
  return pipes;
}

bool uses_l1(std::span<const ProgramPlan> plans) {
  return std::any_of(plans.begin(), plans.end(), [](const ProgramPlan& plan) {
    return std::any_of(plan.ops().begin(), plan.ops().end(), [](const Op& op) { return op.pipe == kL1Pipe; });
  });
}

bool any_has(OpCode kind, std::span<const ProgramPlan> plans) {
  return std::any_of(plans.begin(), plans.end(), [kind](const ProgramPlan& plan) {
    for (std::uint32_t i = 0; i < plan.size(); ++i)
      if (plan.op(i).kind == kind) return true;
    return false;
  });
}

}  // namespace

SharedResources::SharedResources(const DeviceSpec& device, const ClockSchedule& clocks, const Workload& workload,
                                 const ProgramPlans& plans)
    : clocks_(clocks),
      cores_(device.cores),
      engines_per_core_(device.engines_per_core),
      fused_engines_(device.fused_engines),
      issue_pools_((device.engines_per_core + device.fused_engines - 1) / device.fused_engines),
      pipes_(pipes_of(plans.all())),
      number_of_pipe_(device.arithmetic.size()),
      slm_base_(static_cast<std::uint32_t>(pipes_.size()) * device.cores * issue_pools_),
      slm_width_(device.slm_access ? device.slm_access->accesses_per_cycle : 1),
      l1_base_(device.l1 && device.l1->slm == SlmPlace::separate ? device.cores : 0),
      wakes_(atomics_resource() + 1, kNever) {
  for (std::uint32_t engine = 0; engine < engines_per_core_; ++engine)
    pool_of_engine_.push_back(engine / fused_engines_);
  for (std::uint32_t i = 1; i < pipes_.size(); ++i)
    if (pipes_[i] != kChain) number_of_pipe_[pipes_[i]] = i;
  if (any_has(OpCode::issue_parts, plans.all()) || any_has(OpCode::issue, plans.all()))
    for (std::uint32_t i = 0; i < slm_base_; ++i) {
      const auto [first, end] = engines_of(i % issue_pools_);
      issue_.emplace_back(pipe_of(i) == kChain ? std::numeric_limits<std::uint32_t>::max() : end - first);
    }
  if (uses_l1(plans.all()) || any_has(OpCode::slm, plans.all())) {
    slm_.assign(cores_, FairPool<CohortIndex>(slm_width_));
    slm_.resize(std::size_t{l1_base_} + cores_, FairPool<CohortIndex>(1));
  }
  const auto all = plans.all();
  if (std::any_of(all.begin(), all.end(), [](const ProgramPlan& plan) { return plan.has_memory(); }))
    make_memory(device, workload, plans);
  is_changed_.assign(atomics_resource() + 1, 0);
  if (clocks_.changes()) clock_wake_ = static_cast<std::uint64_t>(clocks_.begin_of(1).count);
}

void SharedResources::make_memory(const DeviceSpec& device, const Workload& workload, const ProgramPlans& plans) {
  for (const Kernel& kernel : workload.kernels) working_sets_.push_back(working_set_of(kernel));
  MemorySteps steps = memory_steps_of(device, workload, plans);
  memory_kinds_ = std::move(steps.kind_of);
  std::vector<MemoryRates> rates;
  for (std::size_t i = 0; i < clocks_.count(); ++i) rates.push_back(memory_rates(*device.memory, clocks_.clock(i)));
  memory_.emplace(clocks_, std::move(rates), MemoryDomains(device), steps.kinds, device.cores);
}

FairPool<CohortIndex>& SharedResources::pool(std::uint32_t resource) {
  if (resource == atomics_resource()) return atomics_;
  return resource < slm_base_ ? issue_[resource] : slm_[resource - slm_base_];
}

void SharedResources::use_bank(SimTime now, std::size_t number, CohortIndex cohort, std::uint32_t threads,
                               std::int64_t work, ShareWeight weight) {
  slm_[number].enter(now, cohort, threads, work, gdsim::number_of(weight));
  mark(slm_base_ + static_cast<std::uint32_t>(number));
}

void SharedResources::use_atomics(SimTime now, CohortIndex cohort, std::uint32_t threads, std::int64_t work) {
  atomics_.enter(now, cohort, threads, work);
  mark(atomics_resource());
}

void SharedResources::on_work_group_opened(LaunchId launch, KernelId kernel, CoreId core) {
  if (!counts_working_set(kernel)) return;
  const KernelWorkingSet& bytes = working_sets_[index_of(kernel)];
  if (memory_->on_work_group_opened(core, launch, bytes.of_work_group, bytes.of_launch)) memory_is_changed_ = true;
}

void SharedResources::on_work_group_closed(LaunchId launch, KernelId kernel, CoreId core) {
  if (!counts_working_set(kernel)) return;
  const KernelWorkingSet& bytes = working_sets_[index_of(kernel)];
  if (memory_->on_work_group_closed(core, launch, bytes.of_work_group, bytes.of_launch)) memory_is_changed_ = true;
}

const std::vector<Served>& SharedResources::take_served(std::uint32_t resource, SimTime now) {
  served_.clear();
  if (resource == memory_resource()) {
    memory_->leave_due(now, served_);
    memory_is_changed_ = true;
  } else {
    pool(resource).leave_due(now, [this](CohortIndex cohort) { served_.push_back({cohort, 0, 0, {}}); });
    mark(resource);
  }
  return served_;
}

void SharedResources::follow_clock(SimTime now) {
  clock_ = clocks_.number_at(now);
  clock_wake_ = kNever;
  if (clock_ + 1 < clocks_.count()) clock_wake_ = static_cast<std::uint64_t>(clocks_.begin_of(clock_ + 1).count);
  if (!memory_) return;
  memory_->set_clock(clock_);
  memory_is_changed_ = true;
}

void SharedResources::settle_changed() {
  for (const std::uint32_t resource : changed_) {
    is_changed_[resource] = 0;
    const auto due = pool(resource).settle();
    wakes_.set(resource, due ? static_cast<std::uint64_t>(due->count) : kNever);
  }
  changed_.clear();
}

void SharedResources::settle_memory(SimTime now) {
  memory_is_changed_ = false;
  const auto due = memory_->settle(now);
  memory_wake_ = due ? static_cast<std::uint64_t>(due->count) : kNever;
}

std::vector<SharedResources::WorkLeft> SharedResources::work_left(SimTime now) const {
  std::vector<WorkLeft> left_of_cohorts;
  const auto add = [&](const FairPool<CohortIndex>& pool, std::uint32_t resource) {
    pool.visit_work_left(now, [&](CohortIndex cohort, FixedPoint left) {
      left_of_cohorts.push_back({cohort, resource, left});
    });
  };
  for (std::uint32_t i = 0; i < issue_.size(); ++i) add(issue_[i], i);
  for (std::uint32_t i = 0; i < slm_.size(); ++i) add(slm_[i], slm_base_ + i);
  add(atomics_, atomics_resource());
  return left_of_cohorts;
}

std::vector<Served> SharedResources::memory_served(SimTime now) const {
  std::vector<Served> served;
  if (memory_) memory_->add_served(now, served);
  return served;
}

}  // namespace gdsim
