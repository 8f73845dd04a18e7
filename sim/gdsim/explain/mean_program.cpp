#include <gdsim/explain/mean_program.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gdsim {
namespace {

constexpr int kDigits = 6;  // after the decimal point
constexpr double kUnit = 1e6;

Decimal decimal_of(double value) { return {static_cast<UInt128>(std::max(1.0, std::round(value * kUnit))), -kDigits}; }
std::uint64_t count_of(double value) { return static_cast<std::uint64_t>(std::max(1.0, std::round(value))); }

/// One step of all programs, and by program the number of its executions: the number of work-groups times the
/// iterations of the loops around it. The mean is executed `all` times.
struct SideBySide {
  std::vector<const Step*> steps;
  const std::vector<double>& executed;
  double all;

  template <class Amount>
  double mean(Amount amount) const {
    double sum = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) sum += executed[i] * amount(*steps[i]);
    return sum / all;
  }
  template <class Nested>
  std::vector<const Program*> bodies() const {
    std::vector<const Program*> bodies;
    for (const Step* step : steps) bodies.push_back(&std::get<Nested>(*step).body);
    return bodies;
  }
};

Program mean_of(const std::vector<const Program*>& programs, const std::vector<double>& executed, double all);

void set_mean(Loop& loop, const SideBySide& side) {
  std::vector<double> iterations(side.executed);
  for (std::size_t i = 0; i < iterations.size(); ++i)
    iterations[i] *= static_cast<double>(std::get<Loop>(*side.steps[i]).count);
  const double count =
      std::ceil(side.mean([](const Step& step) { return static_cast<double>(std::get<Loop>(step).count); }));
  loop.count = static_cast<std::uint64_t>(count);
  if (loop.count > 0) loop.body = mean_of(side.bodies<Loop>(), iterations, side.all * count);
}

/// Sets the access of this number in the step to the mean.
void set_mean(L1Access& mean, std::size_t number, const SideBySide& side) {
  const auto mean_of_lines = [&](auto lines_of) {
    return count_of(side.mean(
        [&](const Step& step) { return static_cast<double>(lines_of(std::get<IssueSlots>(step).l1[number])); }));
  };
  mean.lines = mean_of_lines([](const L1Access& access) { return access.lines; });
  if (mean.excess_sectors > 0)
    mean.excess_sectors = mean_of_lines([](const L1Access& access) { return access.excess_sectors; });
  if (mean.coalesced)
    mean.coalesced = std::min(mean.lines, mean_of_lines([](const L1Access& access) { return *access.coalesced; }));
}

void set_mean(Step& mean, const SideBySide& side) {
  if (auto* compute = std::get_if<Compute>(&mean))
    compute->time.amount =
        decimal_of(side.mean([](const Step& step) { return approximate(std::get<Compute>(step).time.amount); }));
  if (auto* issue = std::get_if<IssueSlots>(&mean)) {
    issue->slots.amount =
        decimal_of(side.mean([](const Step& step) { return approximate(std::get<IssueSlots>(step).slots.amount); }));
    for (std::size_t kind = 0; kind < issue->by_kind.size(); ++kind)
      issue->by_kind[kind].count = count_of(side.mean(
          [&](const Step& step) { return static_cast<double>(std::get<IssueSlots>(step).by_kind[kind].count); }));
    for (std::size_t access = 0; access < issue->l1.size(); ++access) set_mean(issue->l1[access], access, side);
  }
  if (auto* memory = std::get_if<Memory>(&mean))
    memory->bytes.count = static_cast<std::int64_t>(
        count_of(side.mean([](const Step& step) { return static_cast<double>(std::get<Memory>(step).bytes.count); })));
  if (auto* slm = std::get_if<Slm>(&mean))
    slm->accesses =
        count_of(side.mean([](const Step& step) { return static_cast<double>(std::get<Slm>(step).accesses); }));
  if (auto* atomic = std::get_if<Atomic>(&mean))
    atomic->accesses =
        count_of(side.mean([](const Step& step) { return static_cast<double>(std::get<Atomic>(step).accesses); }));
  if (auto* only = std::get_if<Only>(&mean)) only->body = mean_of(side.bodies<Only>(), side.executed, side.all);
  if (auto* loop = std::get_if<Loop>(&mean)) set_mean(*loop, side);
}

Program mean_of(const std::vector<const Program*>& programs, const std::vector<double>& executed, double all) {
  Program mean = *programs.front();
  for (std::size_t at = 0; at < mean.size(); ++at) {
    SideBySide side{{}, executed, all};
    for (const Program* program : programs) side.steps.push_back(&(*program)[at]);
    set_mean(mean[at], side);
  }
  return mean;
}

}  // namespace

Program mean_program(const Kernel& kernel) {
  std::vector<const Program*> programs;
  for (std::size_t i = 0; i < kernel.program_count(); ++i) programs.push_back(&kernel.program_of(i));
  std::vector<double> executed(programs.size(), 0);
  for (const std::uint32_t number : kernel.group_programs.of_group) executed[number] += 1;
  return mean_of(programs, executed, static_cast<double>(kernel.group_programs.of_group.size()));
}

}  // namespace gdsim
