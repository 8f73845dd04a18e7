#include <gdsim/explain/counterfactual_changes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace gdsim {
namespace {

/// Lines per request, with one decimal if that is not a whole number.
std::string per_request(std::uint64_t lines, std::uint64_t requests) {
  const Ratio mean{UInt128{lines}, UInt128{requests}};
  return lines % requests == 0 ? std::to_string(lines / requests) : to_fixed(mean, 1);
}

/// `77 (ld.global.f32), 81, 85 and 2 more`
std::string lines_text(const std::vector<ScatteredAccess>& accesses) {
  constexpr std::size_t max = 3;
  std::string text;
  for (std::size_t i = 0; i < accesses.size() && i < max; ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(accesses[i].source_line) +
            (accesses[i].instruction.empty() ? "" : " (" + accesses[i].instruction + ")");
  if (accesses.size() > max) text += fmt::format(" and {} more", accesses.size() - max);
  return text;
}

/// Returns true if the access's lines are cycles of the banks of shared memory.
bool is_of_banks(const ScatteredAccess& access) { return access.instruction.find(".shared") != std::string::npos; }

/// Traffic beyond L1 stays the same unless it is known to fall with the lines. Less traffic would save more.
constexpr const char* kTogether = "with these, and as much traffic beyond L1,";
constexpr const char* kLessTraffic = "with these";
constexpr const char* kWithoutConflicts = "without conflicts";

const char* condition_of(const ScatteredAccess& access) {
  return is_of_banks(access) ? kWithoutConflicts : access.excess_sectors > 0 ? kLessTraffic : kTogether;
}

std::string words_of(const ScatteredAccess& access, const std::string& of) {
  const std::string instruction = access.instruction.empty() ? std::string() : " (" + access.instruction + ")";
  const std::string line = std::to_string(access.source_line) + instruction + of;
  const std::string lines = per_request(access.lines, access.requests);
  const std::string fewer = per_request(access.coalesced, access.requests);
  const std::string traffic =
      access.excess_sectors > 0
          ? fmt::format("; {} sectors per request less leave L1", per_request(access.excess_sectors, access.requests))
          : std::string();
  if (is_of_banks(access))
    return fmt::format(
        "Bank conflicts: line {} takes {} cycles of the banks of shared memory per request, and {} "
        "without conflicts",
        line, lines, fewer);
  return fmt::format("Coalescing: line {} occupies {} lines of L1 per request, and {} with neighbouring addresses{}",
                     line, lines, fewer, traffic);
}

std::string words_of(const std::vector<ScatteredAccess>& all, const Ratio& lines) {
  const auto banks = std::count_if(all.begin(), all.end(), is_of_banks);
  const std::string where = lines_text(all);
  const std::string times = to_fixed(lines, 1);
  if (banks == 0)
    return fmt::format("Coalescing: lines {} occupy {} times as many lines of L1 as with neighbouring addresses", where,
                       times);
  if (static_cast<std::size_t>(banks) == all.size())
    return fmt::format(
        "Bank conflicts: lines {} take {} times as many cycles of the banks of shared memory as without "
        "conflicts",
        where, times);
  return fmt::format(
      "Coalescing and bank conflicts: lines {} occupy L1 and shared memory {} times as long as with "
      "neighbouring addresses and without conflicts",
      where, times);
}

}  // namespace

std::optional<ChangeWords> coalesce_accesses(const Baseline& run, Scenario& changed, const ScatteredAccess& access) {
  Kernel& kernel = changed.workload.kernels[index_of(access.kernel)];
  if (!coalesce(kernel, access, changed.device)) return std::nullopt;
  const std::string of = run.scenario().workload.kernels.size() > 1 ? " of " + kernel.name : std::string();
  return ChangeWords{words_of(access, of), condition_of(access)};
}

std::optional<ChangeWords> coalesce_all_accesses(const Baseline& run, Scenario& changed) {
  const std::vector<ScatteredAccess> all = scattered_accesses(run.scenario(), std::numeric_limits<std::size_t>::max());
  if (all.size() < 2) return std::nullopt;
  Ratio lines{0, 0};
  for (const ScatteredAccess& access : all) {
    coalesce(changed.workload.kernels[index_of(access.kernel)], access, changed.device);
    lines.numerator += access.lines;
    lines.denominator += access.coalesced;
  }
  const auto worst = std::max_element(all.begin(), all.end(), [](const ScatteredAccess& a, const ScatteredAccess& b) {
    return std::pair(!is_of_banks(a), a.excess_sectors) < std::pair(!is_of_banks(b), b.excess_sectors);
  });
  return ChangeWords{words_of(all, lines), condition_of(*worst)};
}

}  // namespace gdsim
