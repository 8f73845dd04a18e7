#include <gdsim/model/memory/memory_steps.hpp>

#include <algorithm>
#include <map>
#include <optional>

namespace gdsim {
namespace {

/// What the memory steps of one kernel have in common.
struct KernelAccess {
  std::optional<Bytes> working_set;  ///< of a work-group alone
  std::optional<Bytes> in_flight;
  bool has_precedence = false;
};

KernelAccess access_of(const Kernel& kernel, const MemoryRule& memory) {
  KernelAccess access;
  if (kernel.working_set || kernel.shared_working_set) {
    const KernelWorkingSet bytes = working_set_of(kernel);
    access.working_set = Bytes{bytes.of_work_group + bytes.of_launch};
  }
  access.in_flight = kernel.in_flight ? kernel.in_flight : memory.in_flight;
  access.has_precedence = draw_in_force(kernel).has_value();
  return access;
}

MemoryKind kind_of(const KernelAccess& access, const ProgramPlan& plan, std::uint32_t op_index) {
  const Op& op = plan.op(op_index);
  MemoryKind kind{op.chunk, plan.amount_without_factors(op_index), access.working_set};
  kind.written = op.written;
  kind.unmerged = op.unmerged;
  kind.written_with = op.written == 0 ? 1 : op.chunk;
  kind.is_store = op.kind == OpKind::store;
  kind.multicast = op.multicast;
  if (access.in_flight && op.kind == OpKind::memory) kind.chunk = std::min(kind.chunk, access.in_flight->count);
  return kind;
}

/// Returns true if the op's threads are served first or last.
bool has_precedence(const Op& op) { return gdsim::has_precedence(op.kind) && !op.is_repeated; }

/// Numbers kinds in the order in which steps first have them.
class KindNumbers {
 public:
  explicit KindNumbers(std::vector<MemoryKind>& kinds) : kinds_(kinds) {}

  std::uint32_t number_of(const MemoryKind& kind) {
    const auto [known, is_new] = numbers_.try_emplace(kind, static_cast<std::uint32_t>(kinds_.size()));
    if (is_new) kinds_.push_back(kind);
    return known->second;
  }
  /// The numbers of a step whose threads are served last, and first.
  std::array<std::uint32_t, 2> numbers_of(MemoryKind kind, bool has_precedence) {
    if (has_precedence) kind.weight = ShareWeight::last;
    const std::uint32_t last = number_of(kind);
    if (has_precedence) kind.weight = ShareWeight::first;
    return {last, number_of(kind)};
  }

 private:
  std::vector<MemoryKind>& kinds_;
  std::map<MemoryKind, std::uint32_t> numbers_;
};

}  // namespace

KernelWorkingSet working_set_of(const Kernel& kernel) {
  return {kernel.working_set.value_or(Bytes{}).count, kernel.shared_working_set.value_or(Bytes{}).count};
}

MemorySteps memory_steps_of(const DeviceSpec& device, const Workload& workload, const ProgramPlans& plans) {
  MemorySteps steps;
  KindNumbers numbers(steps.kinds);
  for (std::size_t k = 0; k < workload.kernels.size(); ++k) {
    const KernelAccess access = access_of(workload.kernels[k], *device.memory);
    for (const ProgramPlan& plan : plans.all(static_cast<KernelId>(k))) {
      auto& by_op = steps.kind_of.emplace_back(plan.size());
      for (std::uint32_t i = 0; i < plan.size(); ++i)
        if (is_memory(plan.op(i).kind))
          by_op[i] = numbers.numbers_of(kind_of(access, plan, i), access.has_precedence && has_precedence(plan.op(i)));
    }
  }
  return steps;
}

}  // namespace gdsim
