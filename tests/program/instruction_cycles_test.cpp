#include <gdsim/program/instruction_cycles.hpp>

#include <catch2/catch.hpp>

#include <string>
#include <utility>

using namespace gdsim;

namespace {

DeviceSpec device_with(ArithmeticRule arithmetic) {
  DeviceSpec device;
  device.arithmetic = std::move(arithmetic);
  return device;
}

const ArithmeticRule kRates{{"fp32", Decimal::whole(16)},
                            {"fp64", Decimal{5, -1}},
                            {"fp16", Decimal::whole(64)},
                            {"sfu", Decimal::whole(3)},
                            {"tensor_fp16", Decimal::whole(256)}};

Kernel kernel_with(std::uint32_t sub_group) {
  Kernel kernel;
  kernel.sub_group = sub_group;
  return kernel;
}

std::string cycles(const std::vector<InstructionCount>& instructions, std::uint32_t sub_group = 32) {
  const StepTime time = longest_work_of(instructions, device_with(kRates), kernel_with(sub_group));
  CHECK(time.unit == StepTime::Unit::cycles);
  return to_text(time.amount);
}

}  // namespace

TEST_CASE("instructions of a warp take its lanes over the rate of the engine") {
  CHECK(cycles({{"fp32", 1024}}) == "2048");
  CHECK(cycles({{"fp64", 1}}) == "64");
  CHECK(cycles({{"fp32", 1024}}, 16) == "1024");
}

TEST_CASE("an engine issues one instruction per cycle, however high its rate") {
  CHECK(cycles({{"fp16", 10}}) == "10");
  CHECK(cycles({{"fp32", 4}}, 1) == "4");
}

TEST_CASE("several kinds overlap: the slowest counts, or all their instructions") {
  CHECK(cycles({{"fp32", 100}, {"fp16", 10}}) == "200");
  CHECK(cycles({{"fp32", 100}, {"fp16", 150}}) == "250");
  CHECK(cycles({{"fp32", 100}, {"fp64", 10}}) == "640");
}

TEST_CASE("multiply-adds of tensor cores are a thread's, and are no instructions") {
  CHECK(cycles({{"tensor_fp16", 65'536}}) == "256");
  CHECK(cycles({{"tensor_fp16", 65'536}}, 8) == "256");
  CHECK(cycles({{"tensor_fp16", 65'536}, {"fp16", 300}}) == "300");
}

TEST_CASE("cycles that are no whole number are rounded up to a millionth") {
  CHECK(cycles({{"sfu", 1}}) == "10.666667");
  CHECK(cycles({{"tensor_fp16", 1}}) == "0.003907");
}

TEST_CASE("the largest numbers of instructions stay in range") {
  const ArithmeticRule slowest{{"x", Decimal{1, -6}}};
  CHECK(to_text(longest_work_of({{"x", kMaxInstructions}}, device_with(slowest), kernel_with(1'024)).amount) ==
        "1125899906842624000000");
}

TEST_CASE("kinds of one pipe follow each other, and a pipe as fast as the issue slots is no work of its own") {
  ArithmeticRule rates = kRates;
  rates[0].pipe = rates[1].pipe = "vector";
  DeviceSpec device = device_with(rates);
  device.sub_group_sizes = {32};
  CHECK(to_text(longest_work_of({{"fp32", 100}, {"fp64", 10}}, device, kernel_with(32)).amount) == "840");
  const std::vector<PipeCycles> works = works_of({{"fp32", 100}, {"fp16", 10}}, device, 32);
  REQUIRE(works.size() == 2);
  CHECK((works[0].pipe == 0 && to_text(works[0].cycles.amount) == "200"));
  CHECK((works[1].pipe == kIssueSlots && to_text(works[1].cycles.amount) == "110"));
}
