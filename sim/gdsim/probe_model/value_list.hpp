#pragma once

#include <gdsim/probe_model/probed_model.hpp>

#include <string>
#include <utility>
#include <vector>

namespace gdsim {

/// Gathers the values of a probed model.
class ValueList {
 public:
  explicit ValueList(std::vector<ProbedValue>& values) : values_(values) {}

  /// A value of samples: their median, rounded to four digits, with its unit (`cycles`).
  void measured(std::string path, const SampleSummary& samples, const std::string& unit, std::string how) {
    const auto text = [&](std::int64_t thousandths) {
      return rounded_thousandths(thousandths, 4) + (unit.empty() ? "" : " " + unit);
    };
    values_.push_back({std::move(path), text(samples.median), ValueOrigin::measured, samples.count, text(samples.low),
                       text(samples.high), std::move(how)});
  }
  /// A value that is no median of samples.
  void measured(std::string path, std::string value, std::uint64_t samples, std::string how) {
    values_.push_back({std::move(path), std::move(value), ValueOrigin::measured, samples, "", "", std::move(how)});
  }
  void reported(std::string path, std::string value, std::string how) {
    values_.push_back({std::move(path), std::move(value), ValueOrigin::reported, 0, "", "", std::move(how)});
  }
  void assumed(std::string path, std::string value, std::string why) {
    values_.push_back({std::move(path), std::move(value), ValueOrigin::assumed, 0, "", "", std::move(why)});
  }
  /// The tables do not show it: the family's value stands, for this reason.
  void unknown(std::string path, std::string why) {
    values_.push_back({std::move(path), "", ValueOrigin::family, 0, "", "", std::move(why)});
  }

 private:
  std::vector<ProbedValue>& values_;
};

}  // namespace gdsim
