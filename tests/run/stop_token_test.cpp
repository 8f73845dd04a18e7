#include "support/builders.hpp"

#include <gdsim/run/simulate.hpp>

#include <catch2/catch.hpp>

#include <stop_token>

using namespace gdsim;
using namespace gdsim::testing;

namespace {
/// Counts its copies, and requests the end once `is_over` is set.
struct Counted {
  Counted(int& all, const bool& over) : copies(all), is_over(over) { ++copies; }
  Counted(const Counted& other) : copies(other.copies), is_over(other.is_over) { ++copies; }
  ~Counted() { --copies; }
  bool stop_requested() const { return is_over; }

  int& copies;
  const bool& is_over;
};

/// Requests a stop at the instant of its n-th report.
class StopAt : public Observer {
 public:
  explicit StopAt(int n) : left_(n) {}
  Detail detail() const override { return Detail::everything; }
  void on_instant(const Instant&) override {
    if (--left_ <= 0) stop.request_stop();
  }
  std::stop_source stop;

 private:
  int left_;
};
}  // namespace

TEST_CASE("a token of nothing never ends a run") {
  CHECK_FALSE(StopToken{}.stop_requested());
  const StopToken copy = StopToken{};
  CHECK_FALSE(copy.stop_requested());
}

TEST_CASE("a stop token ends a run as soon as its source requests it, through every copy") {
  std::stop_source source;
  StopToken token = source.get_token();
  const StopToken copy = token;
  CHECK_FALSE(copy.stop_requested());
  source.request_stop();
  CHECK(token.stop_requested());
  CHECK(copy.stop_requested());
  token = StopToken{};
  CHECK_FALSE(token.stop_requested());
  CHECK(copy.stop_requested());
}

TEST_CASE("whatever can be asked ends a run, and is destroyed with its last copy") {
  int copies = 0;
  bool is_over = false;
  {
    RunOptions options;
    options.stop = Counted(copies, is_over);
    RunOptions other = options;
    CHECK(copies == 2);
    options.stop = other.stop;
    CHECK(copies == 2);
    is_over = true;
    CHECK(other.stop.stop_requested());
  }
  CHECK(copies == 0);
}

TEST_CASE("a run that is stopped ends with the instant it is at, its accounts in order") {
  StopAt observer(3);
  InternalRunOptions options;
  options.keep_timeline = KeepTimeline::yes;
  options.observers = {&observer};
  options.stop = observer.stop.get_token();
  const DeviceSpec device = small_device();
  const RunResult result =
      simulate(device, device.dispatch, workload_of({kernel_of(100, 4, {compute(ns(10))})}), options);
  CHECK(result.record.outcome == Outcome::interrupted);
  CHECK(result.record.end == at(ns(20)));
  CHECK(result.record.resident_time == Int128{16} * 20'000);
  CHECK(result.record.deadlock.groups.empty());
  CHECK_FALSE(result.record.launches[0].ended.has_value());
}
