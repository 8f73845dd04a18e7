#include <gdsim/scenario/case_problems.hpp>

#include <algorithm>
#include <set>
#include <tuple>

namespace gdsim {
namespace {

auto key(const Diagnostic& problem) { return std::tie(problem.file, problem.line, problem.column, problem.message); }

bool is_same(const Diagnostic& a, const Diagnostic& b) { return key(a) == key(b); }

}  // namespace

bool CaseProblems::empty() const {
  return of_file_.empty() &&
         std::all_of(cases_.begin(), cases_.end(), [](const OfCase& one) { return one.problems.empty(); });
}

/// ` (case n44)`, or nothing if all cases have it.
std::string CaseProblems::cases_with(const Diagnostic& problem) const {
  constexpr std::size_t few = 5;
  std::string names;
  std::size_t count = 0;
  for (const OfCase& one : cases_) {
    const auto& problems = one.problems;
    if (std::none_of(problems.begin(), problems.end(), [&](const Diagnostic& p) { return is_same(p, problem); }))
      continue;
    if (++count <= few) names += (names.empty() ? "" : ", ") + one.name;
  }
  if (count == 0 || count == cases_.size()) return {};
  return (count == 1 ? " (case " : " (cases ") + names + (count > few ? ", ..." : "") + ")";
}

std::vector<Diagnostic> CaseProblems::merged() const {
  std::vector<Diagnostic> all = of_file_.problems();
  for (const OfCase& one : cases_) all.insert(all.end(), one.problems.begin(), one.problems.end());
  // Stable, so that problems of one place keep the order in which they were found; equal ones come once.
  std::stable_sort(all.begin(), all.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.file, a.line, a.column) < std::tie(b.file, b.line, b.column);
  });
  std::set<std::tuple<std::string, std::uint32_t, std::uint32_t, std::string>> seen;
  std::vector<Diagnostic> once;
  for (const Diagnostic& problem : all)
    if (seen.emplace(key(problem)).second) once.push_back(problem);
  for (Diagnostic& problem : once) problem.message += cases_with(problem);
  return once;
}

}  // namespace gdsim
