#include <gdsim/scenario/cases/case_problems.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

namespace gdsim {
namespace {

/// Two problems with equal keys are the same problem.
using Key = std::tuple<std::string_view, std::uint32_t, std::uint32_t, std::string_view>;

Key key(const Diagnostic& problem) { return {problem.file, problem.line, problem.column, problem.message}; }

/// ` (case n44)`; empty if the problem is in no case or in all.
std::string cases_text(const std::vector<std::string_view>& cases, std::size_t all) {
  constexpr std::size_t few = 5;
  if (cases.empty() || cases.size() == all) return {};
  std::string names;
  for (std::size_t i = 0; i < std::min(few, cases.size()); ++i) names.append(i == 0 ? "" : ", ").append(cases[i]);
  return (cases.size() == 1 ? " (case " : " (cases ") + names + (cases.size() > few ? ", ..." : "") + ")";
}

}  // namespace

bool CaseProblems::empty() const {
  return of_file_.empty() &&
         std::all_of(cases_.begin(), cases_.end(), [](const OfCase& one) { return one.problems.empty(); });
}

std::vector<Diagnostic> CaseProblems::merged() const {
  std::vector<Diagnostic> all = of_file_.problems();
  for (const OfCase& one : cases_) all.insert(all.end(), one.problems.begin(), one.problems.end());
  // Stable, so that problems of one place keep the order in which they were found. Equal problems are listed once.
  std::stable_sort(all.begin(), all.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.file, a.line, a.column) < std::tie(b.file, b.line, b.column);
  });
  std::map<Key, std::vector<std::string_view>> cases;
  for (const OfCase& one : cases_)
    for (const Diagnostic& problem : one.problems)
      if (auto& names = cases[key(problem)]; names.empty() || names.back() != one.name) names.push_back(one.name);
  std::vector<Diagnostic> once;
  std::set<Key> seen;
  for (const Diagnostic& problem : all) {
    if (!seen.insert(key(problem)).second) continue;
    once.push_back(problem);
    const auto found = cases.find(key(problem));
    if (found != cases.end()) once.back().message += cases_text(found->second, cases_.size());
  }
  return once;
}

}  // namespace gdsim
