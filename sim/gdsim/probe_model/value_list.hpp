#pragma once

#include <gdsim/probe_model/probed_model.hpp>

#include <string>
#include <utility>
#include <vector>

namespace gdsim {

/// Collects the values of a probed model.
class ValueList {
 public:
  explicit ValueList(std::vector<ProbedValue>& values) : values_(values) {}

  /// Adds a value of samples: their median, rounded to four digits, with its unit (`cycles`).
  void add_measured(std::string path, const SampleSummary& samples, const std::string& unit, std::string how) {
    const auto text = [&](std::int64_t thousandths) {
      return rounded_thousandths(thousandths, 4) + (unit.empty() ? "" : " " + unit);
    };
    values_.push_back({std::move(path), text(samples.median), ValueOrigin::measured, samples.count, text(samples.low),
                       text(samples.high), std::move(how)});
  }
  /// Adds a value that is not a median of samples.
  void add_measured(std::string path, std::string value, std::uint64_t samples, std::string how) {
    values_.push_back({std::move(path), std::move(value), ValueOrigin::measured, samples, "", "", std::move(how)});
  }
  void add_reported(std::string path, std::string value, std::string how) {
    values_.push_back({std::move(path), std::move(value), ValueOrigin::reported, 0, "", "", std::move(how)});
  }
  void add_assumed(std::string path, std::string value, std::string why) {
    values_.push_back({std::move(path), std::move(value), ValueOrigin::assumed, 0, "", "", std::move(why)});
  }
  /// Keeps the family's value, for this reason: the tables do not show it.
  void add_unknown(std::string path, std::string why) {
    values_.push_back({std::move(path), "", ValueOrigin::family, 0, "", "", std::move(why)});
  }

 private:
  std::vector<ProbedValue>& values_;
};

}  // namespace gdsim
