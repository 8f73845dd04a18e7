#include <gdsim/explain/counterfactual_changes.hpp>
#include <gdsim/explain/program_length.hpp>
#include <gdsim/program/program_plan.hpp>
#include <gdsim/workload/launched_kernels.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace gdsim {
namespace {

bool is_longer(const Decimal& a, const Decimal& b) { return compare(a, b) > 0; }

/// The lengths of work-groups with a factor or duration of their own, and of one without: as fractions of the program,
/// or in picoseconds.
struct Lengths {
  std::vector<Decimal> of_factors;
  Decimal of_program = Decimal::whole(1);
};

/// Returns nullopt if a duration does not fit into 63 bits.
std::optional<Lengths> lengths_of(const Kernel& kernel, const DeviceSpec& device) {
  const auto& factors = kernel.variation.factors;
  const auto has_duration = [](const WorkGroupFactor& own) { return own.duration.has_value(); };
  Lengths lengths;
  if (std::none_of(factors.begin(), factors.end(), has_duration)) {
    for (const WorkGroupFactor& own : factors) lengths.of_factors.push_back(own.factor);
    return lengths;
  }
  const auto picoseconds = [&](const StepTime& time, const Decimal& factor) -> std::optional<Decimal> {
    const auto span = resolve(time, clock_of(device), factor);
    if (!span) return std::nullopt;
    return Decimal::whole(static_cast<std::uint64_t>(span->count));
  };
  const StepTime& program = std::get<Compute>(kernel.program.front()).time;
  const auto of_program = picoseconds(program, Decimal::whole(1));
  if (!of_program) return std::nullopt;
  lengths.of_program = *of_program;
  for (const WorkGroupFactor& own : factors) {
    const auto length = own.duration ? picoseconds(*own.duration, Decimal::whole(1)) : picoseconds(program, own.factor);
    if (!length) return std::nullopt;
    lengths.of_factors.push_back(*length);
  }
  return lengths;
}

/// Returns the same factors, longest first: work-groups that are longer than the program come first, shorter ones last.
std::vector<WorkGroupFactor> sorted_factors(const Kernel& kernel, const Lengths& lengths) {
  const auto& factors = kernel.variation.factors;
  std::vector<std::size_t> order(factors.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return is_longer(lengths.of_factors[a], lengths.of_factors[b]);
  });
  const std::uint64_t others = kernel.range.group_count() - factors.size();
  std::vector<WorkGroupFactor> sorted;
  std::uint64_t next = 0;
  bool are_others_placed = false;
  for (const std::size_t i : order) {
    if (!are_others_placed && is_longer(lengths.of_program, lengths.of_factors[i])) {
      next += others;
      are_others_placed = true;
    }
    sorted.push_back(factors[i]);
    sorted.back().work_group = WorkGroupId{next++};
  }
  return sorted;
}

bool are_same(const std::vector<WorkGroupFactor>& a, const std::vector<WorkGroupFactor>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const WorkGroupFactor& one, const WorkGroupFactor& other) {
                      return one.work_group == other.work_group && compare(one.factor, other.factor) == 0 &&
                             one.duration.has_value() == other.duration.has_value() &&
                             (!one.duration || (compare(one.duration->amount, other.duration->amount) == 0 &&
                                                one.duration->unit == other.duration->unit));
                    });
}

/// Returns a kernel whose work-groups have programs of their own, with the same programs and factors, longest first by
/// estimate. Returns nullopt if they are in this order already.
std::optional<Kernel> sorted_programs(const Kernel& kernel, const DeviceSpec& device) {
  std::vector<double> of_program(kernel.program_count());
  for (std::size_t i = 0; i < of_program.size(); ++i)
    of_program[i] = estimated_length(kernel.program_of(i), kernel, device);
  const std::vector<std::uint32_t>& programs = kernel.group_programs.of_group;
  std::vector<const WorkGroupFactor*> own(programs.size(), nullptr);
  std::vector<double> lengths(programs.size());
  for (std::size_t i = 0; i < lengths.size(); ++i) lengths[i] = of_program[programs[i]];
  for (const WorkGroupFactor& factor : kernel.variation.factors) {
    const std::size_t i = number_of(factor.work_group);
    own[i] = &factor;
    lengths[i] *= approximate(factor.factor);
  }
  std::vector<std::size_t> order(programs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return lengths[a] > lengths[b]; });
  if (std::is_sorted(order.begin(), order.end())) return std::nullopt;
  Kernel sorted = kernel;
  sorted.variation.factors.clear();
  for (std::size_t i = 0; i < order.size(); ++i) {
    sorted.group_programs.of_group[i] = programs[order[i]];
    if (own[order[i]] == nullptr) continue;
    sorted.variation.factors.push_back(*own[order[i]]);
    sorted.variation.factors.back().work_group = WorkGroupId{i};
  }
  return sorted;
}

}  // namespace

std::optional<ChangeWords> take_tiles_on_demand(const Baseline&, Scenario& changed) {
  std::string names;
  for (const Kernel* launched : launched_kernels(changed.workload)) {
    Kernel& kernel = changed.workload.kernels[static_cast<std::size_t>(launched - changed.workload.kernels.data())];
    bool is_changed = false;
    for (std::size_t i = 0; i < kernel.program_count(); ++i)
      for (Step& step : kernel.program_of(i)) {
        auto* tiles = std::get_if<Tiles>(&step);
        if (tiles == nullptr || tiles->take == TileTake::on_demand) continue;
        tiles->take = TileTake::on_demand;
        is_changed = true;
      }
    if (is_changed) names += (names.empty() ? "" : ", ") + kernel.name;
  }
  if (names.empty()) return std::nullopt;
  return ChangeWords{"Tiles: those of " + names + " are assigned by number", "with each taken on demand"};
}

std::optional<ChangeWords> dispatch_longest_first(const Baseline& run, Scenario& changed) {
  std::string names;
  for (Kernel& kernel : changed.workload.kernels) {
    if (!kernel.range.is_uniform()) continue;
    if (kernel.differs_by_group()) {
      auto sorted = sorted_programs(kernel, changed.device);
      if (!sorted) continue;
      kernel = std::move(*sorted);
      names += (names.empty() ? "" : ", ") + kernel.name;
      continue;
    }
    if (kernel.variation.factors.empty()) continue;
    const auto lengths = lengths_of(kernel, changed.device);
    if (!lengths) continue;
    std::vector<WorkGroupFactor> sorted = sorted_factors(kernel, *lengths);
    if (are_same(sorted, kernel.variation.factors)) continue;
    kernel.variation.factors = std::move(sorted);
    names += (names.empty() ? "" : ", ") + kernel.name;
  }
  if (names.empty()) return std::nullopt;
  return ChangeWords{
      fmt::format("Order: {}s of {} differ, and are dispatched by number", run.terms().work_group, names),
      "with the longest first"};
}

}  // namespace gdsim
