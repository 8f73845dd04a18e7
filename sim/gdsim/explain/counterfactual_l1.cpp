#include <gdsim/explain/counterfactual_changes.hpp>

#include <fmt/format.h>

#include <limits>
#include <vector>

namespace gdsim {
namespace {

/// Lines per request, with one decimal where they are no whole number.
std::string per_request(std::uint64_t lines, std::uint64_t requests) {
  const Ratio mean{UInt128{lines}, UInt128{requests}};
  return lines % requests == 0 ? std::to_string(lines / requests) : to_fixed(mean, 1);
}

/// `77, 81, 85 and 2 more`
std::string lines_text(const std::vector<ScatteredAccess>& accesses) {
  constexpr std::size_t max = 3;
  std::string text;
  for (std::size_t i = 0; i < accesses.size() && i < max; ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", accesses[i].source_line);
  if (accesses.size() > max) text += fmt::format(" and {} more", accesses.size() - max);
  return text;
}

}  // namespace

std::optional<ChangeWords> coalesce_accesses(const Baseline& run, Scenario& changed, const ScatteredAccess& access) {
  Kernel& kernel = changed.workload.kernels[index_of(access.kernel)];
  if (!coalesce(kernel, access)) return std::nullopt;
  const std::string instruction = access.instruction.empty() ? std::string() : " (" + access.instruction + ")";
  const std::string of = run.scenario().workload.kernels.size() > 1 ? " of " + kernel.name : std::string();
  return ChangeWords{
      fmt::format("Coalescing: line {}{}{} occupies {} lines of L1 per request, and {} with neighbouring "
                  "addresses, if traffic beyond L1 stays as it is",
                  access.source_line, instruction, of, per_request(access.lines, access.requests),
                  per_request(access.coalesced, access.requests)),
      "with these"};
}

std::optional<ChangeWords> coalesce_all_accesses(const Baseline& run, Scenario& changed) {
  const std::vector<ScatteredAccess> all = scattered_accesses(run.scenario(), std::numeric_limits<std::size_t>::max());
  if (all.size() < 2) return std::nullopt;
  Ratio lines{0, 0};
  for (const ScatteredAccess& access : all) {
    coalesce(changed.workload.kernels[index_of(access.kernel)], access);
    lines.numerator += access.lines;
    lines.denominator += access.coalesced;
  }
  return ChangeWords{fmt::format("Coalescing: lines {} occupy {} times as many lines of L1 as with neighbouring "
                                 "addresses, if traffic beyond L1 stays as it is",
                                 lines_text(all), to_fixed(lines, 1)),
                     "with these"};
}

}  // namespace gdsim
