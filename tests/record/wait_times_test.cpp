#include <gdsim/record/launch_record.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;

TEST_CASE("a launch keeps its waits apart by reason, however many reasons there are") {
  WaitTimes waits;
  for (const int factor : {1, 10})
    for (std::size_t i = 0; i < kWaitReasonCount; ++i)
      waits.add(static_cast<WaitReason>(i), Duration{static_cast<std::int64_t>(i + 1) * factor});
  for (std::size_t i = 0; i < kWaitReasonCount; ++i)
    CHECK(waits[static_cast<WaitReason>(i)].count == static_cast<std::int64_t>(i + 1) * 11);
  CHECK(WaitTimes{}[WaitReason::ports].count == 0);
}
