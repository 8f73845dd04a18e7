#include <gdsim/explain/mean_program.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gdsim {
namespace {

constexpr int kDigits = 6;  // behind the point
constexpr double kUnit = 1e6;

Decimal decimal_of(double value) { return {static_cast<UInt128>(std::max(1.0, std::round(value * kUnit))), -kDigits}; }
std::uint64_t count_of(double value) { return static_cast<std::uint64_t>(std::max(1.0, std::round(value))); }

/// The programs of a kernel, step by step side by side, and how often each is executed.
class Mean {
 public:
  /// `executed`: by program, how many work-groups execute it, times the iterations that they are in. The result is
  /// executed `all` times.
  Program of(const std::vector<const Program*>& programs, const std::vector<double>& executed, double all) {
    Program mean = *programs.front();
    for (std::size_t at = 0; at < mean.size(); ++at) {
      std::vector<const Step*> steps;
      for (const Program* program : programs) steps.push_back(&(*program)[at]);
      set(mean[at], steps, executed, all);
    }
    return mean;
  }

 private:
  template <class Amount>
  static double sum(const std::vector<const Step*>& steps, const std::vector<double>& executed, Amount amount) {
    double sum = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) sum += executed[i] * amount(*steps[i]);
    return sum;
  }

  void set(Step& mean, const std::vector<const Step*>& steps, const std::vector<double>& executed, double all) {
    const auto mean_of = [&](auto amount) { return sum(steps, executed, amount) / all; };
    if (auto* compute = std::get_if<Compute>(&mean))
      compute->time.amount =
          decimal_of(mean_of([](const Step& step) { return approximate(std::get<Compute>(step).time.amount); }));
    if (auto* issue = std::get_if<IssueSlots>(&mean)) {
      issue->slots.amount =
          decimal_of(mean_of([](const Step& step) { return approximate(std::get<IssueSlots>(step).slots.amount); }));
      for (std::size_t kind = 0; kind < issue->by_kind.size(); ++kind)
        issue->by_kind[kind].count = count_of(mean_of(
            [&](const Step& step) { return static_cast<double>(std::get<IssueSlots>(step).by_kind[kind].count); }));
    }
    if (auto* memory = std::get_if<Memory>(&mean))
      memory->bytes.count = static_cast<std::int64_t>(
          count_of(mean_of([](const Step& step) { return static_cast<double>(std::get<Memory>(step).bytes.count); })));
    if (auto* slm = std::get_if<Slm>(&mean))
      slm->accesses =
          count_of(mean_of([](const Step& step) { return static_cast<double>(std::get<Slm>(step).accesses); }));
    if (auto* atomic = std::get_if<Atomic>(&mean))
      atomic->accesses =
          count_of(mean_of([](const Step& step) { return static_cast<double>(std::get<Atomic>(step).accesses); }));
    if (auto* only = std::get_if<Only>(&mean)) only->body = of(bodies_of<Only>(steps), executed, all);
    if (auto* loop = std::get_if<Loop>(&mean)) set_loop(*loop, steps, executed, all);
  }

  void set_loop(Loop& mean, const std::vector<const Step*>& steps, const std::vector<double>& executed, double all) {
    std::vector<double> iterations(executed);
    for (std::size_t i = 0; i < steps.size(); ++i)
      iterations[i] *= static_cast<double>(std::get<Loop>(*steps[i]).count);
    const double count = std::ceil(
        sum(steps, executed, [](const Step& step) { return static_cast<double>(std::get<Loop>(step).count); }) / all);
    mean.count = static_cast<std::uint64_t>(count);
    if (mean.count > 0) mean.body = of(bodies_of<Loop>(steps), iterations, all * count);
  }

  template <class Nested>
  static std::vector<const Program*> bodies_of(const std::vector<const Step*>& steps) {
    std::vector<const Program*> bodies;
    for (const Step* step : steps) bodies.push_back(&std::get<Nested>(*step).body);
    return bodies;
  }
};

}  // namespace

Program mean_program(const Kernel& kernel) {
  std::vector<const Program*> programs;
  for (std::size_t i = 0; i < kernel.program_count(); ++i) programs.push_back(&kernel.program_of(i));
  std::vector<double> executed(programs.size(), 0);
  for (const std::uint32_t number : kernel.group_programs.of_group) executed[number] += 1;
  return Mean().of(programs, executed, static_cast<double>(kernel.group_programs.of_group.size()));
}

}  // namespace gdsim
