#include <gdsim/check/checks.hpp>

#include <gdsim/base/keys.hpp>
#include <gdsim/device/device_rules.hpp>
#include <gdsim/fit/limits.hpp>

#include <algorithm>
#include <vector>

namespace gdsim {

std::vector<std::string> faults_of_cv(const Draw& draw) {
  std::vector<std::string> faults;
  const auto above = [&](std::uint64_t thousandths) { return compare(draw.cv, Decimal{thousandths, -3}) > 0; };
  if (draw.cv.is_zero()) faults.emplace_back("must be more than 0");
  if (draw.distribution == Distribution::normal && above(300))
    faults.emplace_back("is more than 0.3: a normal factor could be 0 or less; use lognormal");
  if (draw.distribution == Distribution::uniform && above(577))
    faults.emplace_back("is more than 0.577: a uniform factor could be 0 or less; use lognormal");
  if (above(10'000)) faults.emplace_back("is more than 10");
  return faults;
}

namespace {

Issues check_range(const Kernel& kernel, std::size_t index) {
  const std::string at = item_path("kernels", index) + ".";
  Issues found;
  if (!volume(kernel.range.global)) found.push_back({at + "global", "has more than 2^64 work-items"});
  if (!volume(kernel.range.local)) found.push_back({at + "local", "has more than 2^64 work-items"});
  if (found.empty())
    for (const Refusal& refusal : edge_refusals(kernel))
      found.push_back(
          {at + std::string(refusal.field),
           refusal.message + "; `non_uniform: true` allows smaller work-groups at the edges, as OpenCL does",
           std::string(refusal.code)});
  if (found.empty())
    for (const Refusal& refusal : cluster_shape_refusals(kernel))
      found.push_back({at + std::string(refusal.field), refusal.message, std::string(refusal.code)});
  return found;
}

/// Checks SLM, barriers, registers and sub-group of a work-group against the device.
Issues check_needs(const Kernel& kernel, std::size_t index, const DeviceSpec& device) {
  const std::string at = item_path("kernels", index) + ".";
  Issues found;
  for (const Refusal& refusal : core_refusals(kernel, device))
    found.push_back({at + std::string(refusal.field), refusal.message, std::string(refusal.code)});
  return found;
}

bool is_one_compute(const Program& program) {
  return program.size() == 1 && std::holds_alternative<Compute>(program.front());
}

/// Checks declared factors and durations, and draws.
Issues check_variation(const Kernel& kernel, std::size_t index) {
  const std::string at = item_path("kernels", index) + ".variation.";
  const std::string list = at + "work_groups";
  Issues found;
  if (kernel.variation.first_wave && kernel.variation.first_wave->is_zero())
    found.push_back({at + "first_wave", "a factor must be more than 0"});
  const std::uint64_t groups = kernel.range.group_count();
  for (const WorkGroupFactor& entry : kernel.variation.factors) {
    const std::string path = item_path(list, number_of(entry.work_group));
    if (number_of(entry.work_group) >= groups)
      found.push_back({path, "there is no work-group " + std::to_string(number_of(entry.work_group)) +
                                 "; the kernel has " + std::to_string(groups) + ", numbered from 0"});
    if (entry.factor.is_zero()) found.push_back({path, "a factor must be more than 0"});
    if (entry.duration && !is_one_compute(kernel.program))
      found.push_back({path,
                       "a duration is for a kernel whose program is one `compute` and nothing else, as in "
                       "`program: [compute: 1 us]`; give a factor, such as 1.5"});
  }
  return found;
}

}  // namespace

Issues check_kernel(const Kernel& kernel, std::size_t index, const DeviceSpec* device, KnownParts known) {
  Issues found = check_range(kernel, index);
  if (device == nullptr || !kernel.range.is_countable()) return found;
  if (known.needs) append(found, check_needs(kernel, index, *device));
  if (!known.program) return found;
  append(found, check_program(kernel, index, *device));
  append(found, check_variation(kernel, index));
  return found;
}

namespace {

/// The maximum depth of nested bodies of loops and divergent parts.
constexpr std::size_t kMaxNesting = 64;

class ProgramValues {
 public:
  ProgramValues(std::size_t kernels, ValueChecker& out) : kernels_(kernels), out_(out) {}

  void check(const Program& program, const std::string& path, std::size_t depth) {
    if (depth > kMaxNesting) {
      out_.fail(path, "is nested more than " + std::to_string(kMaxNesting) + " deep");
      return;
    }
    for (std::size_t i = 0; i < program.size(); ++i) {
      const std::string at = item_path(path, i);
      if (program[i].valueless_by_exception()) {
        out_.fail(at, "is no step: an exception took its value");
        continue;
      }
      std::visit([&](const auto& step) { check_step(step, at, depth); }, static_cast<const Step::variant&>(program[i]));
    }
  }

 private:
  void check_step(const Compute& step, const std::string& at, std::size_t) {
    out_.step_time(at + ".compute", step.time);
  }
  void check_step(const IssueSlots& step, const std::string& at, std::size_t) {
    if (step.by_kind.empty()) out_.step_time(at + ".issue", step.slots);
    for (std::size_t i = 0; i < step.by_kind.size(); ++i) {
      const InstructionCount& instructions = step.by_kind[i];
      if (!is_kind_name(instructions.kind)) out_.fail(item_path(at + ".issue", i), std::string(kKindNameFault));
      out_.count(at + ".issue." + instructions.kind, instructions.count, 1, kMaxInstructions);
      for (std::size_t other = 0; other < i; ++other)
        if (step.by_kind[other].kind == instructions.kind)
          out_.fail(at + ".issue." + instructions.kind, "stands there twice");
    }
    if (step.l1.size() > kMaxL1Accesses)
      out_.fail(at + ".issue.l1",
                "has " + std::to_string(step.l1.size()) + " accesses; it may have " + std::to_string(kMaxL1Accesses));
    for (std::size_t i = 0; i < step.l1.size(); ++i) check_access(step.l1[i], item_path(at + ".issue.l1", i));
  }
  void check_access(const L1Access& access, const std::string& at) {
    const std::size_t before = out_.size();
    out_.keys(at, keys::kStepIssueL1, access);
    if (access.coalesced && out_.size() == before) out_.count(at + ".coalesced", *access.coalesced, 1, access.lines);
  }
  void check_step(const Memory& step, const std::string& at, std::size_t) {
    out_.bytes(at + ".memory", step.bytes);
    out_.keys(at + ".memory", keys::kStepMemory, step);
    if (step.multicast > 1 && (is_store(step) || step.written))
      out_.fail(at + ".memory.multicast", "is only for loads: no store is served for several work-groups at once");
  }
  void check_step(const WaitMemory& step, const std::string& at, std::size_t) {
    out_.keys(at + ".wait_memory", keys::kStepWaitMemory, step);
  }
  void check_step(const Fence&, const std::string&, std::size_t) {}
  void check_step(const Slm& step, const std::string& at, std::size_t) { out_.keys(at + ".slm", keys::kStepSlm, step); }
  void check_step(const Atomic& step, const std::string& at, std::size_t) {
    out_.keys(at + ".atomic", keys::kStepAtomic, step);
  }
  void check_step(const Barrier&, const std::string&, std::size_t) {}
  void check_step(const Signal& step, const std::string& at, std::size_t) {
    out_.count(at + ".signal.initially", step.initially, 0, step.index ? 0 : kMaxPassedWaits);
  }
  void check_step(const Wait&, const std::string&, std::size_t) {}
  void check_step(const GridBarrier& step, const std::string& at, std::size_t) {
    out_.step_time(at + ".grid_barrier", step.cost);
  }
  void check_step(const Trigger&, const std::string&, std::size_t) {}
  void check_step(const WaitDependencies&, const std::string&, std::size_t) {}
  void check_step(const LaunchChild& step, const std::string& at, std::size_t) {
    out_.id(at + ".launch.kernel", index_of(step.kernel), kernels_, "kernel");
    out_.enumerator(at + ".launch.wait", step.wait, ChildWait::yes);
  }
  void check_step(const Tiles& step, const std::string& at, std::size_t depth) {
    const std::string tiles = at + ".tiles";
    out_.keys(tiles, keys::kStepTiles, step);
    if (step.body_count() > kMaxTileBodies)
      out_.fail(tiles, "tiles have more than " + std::to_string(kMaxTileBodies) + " bodies");
    const std::size_t before = out_.size();
    for (std::size_t body = 0; body < step.body_count() && out_.size() == before; ++body)
      check(step.body_of(body), tiles + ".body", depth + 1);
    if (out_.size() > before) return;
    if (!step.of_tile.empty() && step.of_tile.size() != step.count)
      out_.fail(tiles, "`of_tile` says of " + std::to_string(step.of_tile.size()) +
                           " tiles which body they have; there are " + std::to_string(step.count));
    if (step.of_tile.empty() && !step.others.empty()) out_.fail(tiles, "`others` has bodies, but `of_tile` is empty");
    if (!std::all_of(step.others.begin(), step.others.end(),
                     [&](const Program& other) { return have_same_steps(step.body, other); }))
      out_.fail(tiles, "has a body with other steps than `body`; only counts and amounts may differ");
    std::vector<bool> is_used(step.body_count(), step.body_count() == 1);
    for (const std::uint32_t number : step.of_tile) {
      if (number < is_used.size())
        is_used[number] = true;
      else
        return out_.fail(tiles, "`of_tile` has the number of a body that does not exist");
    }
    if (!std::all_of(is_used.begin(), is_used.end(), [](bool used) { return used; }))
      out_.fail(tiles, "has a body that no tile has");
  }
  void check_step(const Loop& step, const std::string& at, std::size_t depth) {
    out_.count(at + ".loop.count", step.count, 0, kMaxIterations);
    check(step.body, at + ".loop.body", depth + 1);
  }
  void check_step(const Only& step, const std::string& at, std::size_t depth) {
    check(step.body, at + ".only.body", depth + 1);
  }

  std::size_t kernels_;
  ValueChecker& out_;
};

/// Checks all programs. Of those of single work-groups, reports only the first wrong one.
void check_programs(const Kernel& kernel, std::size_t kernels, const std::string& at, ValueChecker& out) {
  const GroupPrograms& groups = kernel.group_programs;
  ProgramValues values(kernels, out);
  const std::size_t before = out.size();
  values.check(kernel.program, at + "program", 0);
  if (kernel.program_count() > kMaxGroupPrograms)
    out.fail(at + "group_programs", "work-groups have more than " + std::to_string(kMaxGroupPrograms) + " programs");
  for (std::size_t i = 0; i < groups.others.size() && out.size() == before; ++i)
    values.check(groups.others[i], at + "program", 0);
  if (out.size() > before) return;
  if (!kernel.differs_by_group() && !groups.others.empty())
    out.fail(at + "group_programs", "`others` has programs, but `of_group` is empty");
  if (!std::all_of(groups.others.begin(), groups.others.end(),
                   [&](const Program& other) { return have_same_steps(kernel.program, other); }))
    out.fail(at + "group_programs",
             "has a program with other steps than `program`; only counts and amounts may differ");
  if (std::any_of(groups.of_group.begin(), groups.of_group.end(),
                  [&](std::uint32_t number) { return number >= kernel.program_count(); }))
    out.fail(at + "group_programs", "`of_group` has the number of a program that does not exist");
}

/// Limits the number of bodies of tiles: their totals are stored per program, and per factor of a work-group.
void check_tile_bodies(const Kernel& kernel, const std::string& at, ValueChecker& out) {
  constexpr std::size_t max = std::size_t{1} << 22;
  std::size_t bodies = 0;
  for (const Step& step : kernel.program)
    if (const auto* tiles = std::get_if<Tiles>(&step)) bodies += tiles->body_count();
  const std::size_t kinds = kernel.program_count() + kernel.variation.factors.size();
  if (bodies > 1 && kinds > 1 && bodies > max / kinds)
    out.fail(at + "program", "tiles have " + std::to_string(bodies) + " different bodies, and work-groups have " +
                                 std::to_string(kinds) + " programs and factors: more than " + std::to_string(max) +
                                 " together");
}

/// Checks that each work-group has a program.
void check_group_count(const Kernel& kernel, const std::string& at, ValueChecker& out) {
  if (!kernel.differs_by_group() || !kernel.range.is_countable()) return;
  if (kernel.group_programs.of_group.size() != kernel.range.group_count())
    out.fail(at + "group_programs", "says of " + std::to_string(kernel.group_programs.of_group.size()) +
                                        " work-groups which program they have; the kernel has " +
                                        std::to_string(kernel.range.group_count()));
}

void check_slm(const SlmRequest& slm, const std::string& at, ValueChecker& out) {
  out.amount(at + ".dynamic", slm.dynamic.count, 0, std::max<std::int64_t>(slm.total.count, 0));
  out.enumerator(at + ".opt_in", slm.opt_in, SlmOptIn::yes);
  if (slm.max_dynamic) out.bytes(at + ".max_dynamic", *slm.max_dynamic);
}

void check_draw(const Draw& draw, const std::string& at, ValueChecker& out) {
  const std::size_t before = out.size();
  out.keys(at, keys::kKernelVariation, draw);
  out.enumerator(at + ".origin", draw.origin, DrawOrigin::by_default);
  if (out.size() > before) return;
  for (const std::string& fault : faults_of_cv(draw)) out.fail(at + ".cv", fault);
}

void check_factors(const std::vector<WorkGroupFactor>& factors, const std::string& at, ValueChecker& out) {
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const std::string path = item_path(at, number_of(factors[i].work_group));
    out.decimal(path, factors[i].factor);
    if (factors[i].duration) out.step_time(path, *factors[i].duration);
    if (i > 0 && factors[i].work_group <= factors[i - 1].work_group)
      out.fail(path, "stands behind work-group " + std::to_string(number_of(factors[i - 1].work_group)) +
                         "; factors must ascend by work-group, each once");
  }
}

}  // namespace

Issues check_kernel_keys(const Kernel& kernel, std::size_t index) {
  ValueChecker out;
  out.keys(item_path("kernels", index), keys::kKernel, kernel);
  return out.take();
}

Issues check_kernel_values(const Kernel& kernel, std::size_t index, std::size_t kernels) {
  ValueChecker out;
  const std::string at = item_path("kernels", index) + ".";
  for (std::size_t d = 0; d < kernel.range.global.size(); ++d) {
    if (kernel.range.global[d] == 0) out.fail(item_path(at + "global", d), "is 0; every dimension must be at least 1");
    if (kernel.range.local[d] == 0) out.fail(item_path(at + "local", d), "is 0; every dimension must be at least 1");
  }
  out.key({item_path("kernels", index), "sub_group"}, keys::kKernel.facts_of("sub_group"), kernel.sub_group);
  for (const auto* cluster : {&kernel.cluster, &kernel.preferred_cluster}) {
    if (cluster->size() > 3) out.fail(at + "cluster", "has more than 3 dimensions");
    for (std::size_t d = 0; d < cluster->size(); ++d)
      if ((*cluster)[d] == 0) out.fail(item_path(at + "cluster", d), "is 0; every dimension must be at least 1");
  }
  out.enumerator(at + "non_uniform", kernel.edge_groups, EdgeGroups::smaller);
  check_slm(kernel.needs.slm, at + "slm", out);
  check_programs(kernel, kernels, at, out);
  if (out.size() == 0) check_group_count(kernel, at, out);
  check_tile_bodies(kernel, at, out);
  check_factors(kernel.variation.factors, at + "variation.work_groups", out);
  out.keys(at + "variation", keys::kKernelVariation, kernel.variation);
  if (kernel.variation.draw) check_draw(*kernel.variation.draw, at + "variation", out);
  Issues found = check_kernel_keys(kernel, index);
  append(found, out.take());
  return found;
}

}  // namespace gdsim
