#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/diagnostic.hpp>

#include <optional>
#include <string>

namespace gdsim::cli {

/// `METRIC > X %`: b's metric exceeds a's by more than X percent of a's. `METRIC < -X %`: b's metric is lower than a's
/// by more than X percent of a's.
class FailCondition {
 public:
  /// Throws UsageError if the text is not a condition.
  explicit FailCondition(std::string text);

  /// Compares two texts of `summary.json`. Returns the failure if the condition holds for `b` against `a`, else
  /// nullopt. Throws UsageError if the metric is not a number of both.
  std::optional<std::string> failure(const SourceText& a, const SourceText& b) const;

 private:
  std::string text_;
  std::string metric_;  ///< a key of summary.json
  bool is_less_ = false;
  Decimal percent_;
};

}  // namespace gdsim::cli
