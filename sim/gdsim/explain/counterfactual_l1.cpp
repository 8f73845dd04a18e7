#include <gdsim/explain/counterfactual_changes.hpp>

#include <fmt/format.h>

namespace gdsim {
namespace {

/// Lines per request, with one decimal where they are no whole number.
std::string per_request(std::uint64_t lines, std::uint64_t requests) {
  const Ratio mean{UInt128{lines}, UInt128{requests}};
  return lines % requests == 0 ? std::to_string(lines / requests) : to_fixed(mean, 1);
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
      "so"};
}

}  // namespace gdsim
