#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/probe_model/probe_logs.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gdsim {

/// The result of `read(table, problems)` for the table TABLE.TABLE. Nothing, and in `why` the reason, if the table is
/// missing or unusable; its problems are added to `left_out`.
template <class Read>
auto read_usable(const ProbeLogs& logs, const std::string& name, Read read, std::string& why,
                 std::vector<Diagnostic>& left_out) {
  Diagnostics problems;
  const ProbeTable* table = logs.find(name, name);
  using Answer = std::optional<decltype(read(*table, problems))>;
  why = "the table " + name + "." + name + " is not there";
  if (table == nullptr) return Answer();
  auto found = read(*table, problems);
  left_out.insert(left_out.end(), problems.problems().begin(), problems.problems().end());
  why = "the table " + name + "." + name + " cannot be used";
  return problems.empty() && !found.empty() ? Answer(std::move(found)) : Answer();
}

}  // namespace gdsim
