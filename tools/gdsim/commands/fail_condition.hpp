#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/diagnostic.hpp>

#include <optional>
#include <string>

namespace gdsim::cli {

/// `METRIC > X %`: b's is greater than a's by more than X percent of a's. `METRIC < -X %`: it is less by more than
/// that.
class FailCondition {
 public:
  /// Throws UsageError if the text is no condition.
  explicit FailCondition(std::string text);

  /// What is wrong with `b` against `a`, both the text of a `summary.json`; nothing if all is well. Throws UsageError
  /// if one of them has no such number.
  std::optional<std::string> failure(const SourceText& a, const SourceText& b) const;

 private:
  std::string text_;
  std::string metric_;  ///< a key of summary.json
  bool is_less_ = false;
  Decimal percent_;
};

}  // namespace gdsim::cli
