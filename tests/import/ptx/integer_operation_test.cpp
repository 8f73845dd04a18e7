#include <gdsim/import/ptx/integer_operation.hpp>

#include <catch2/catch.hpp>

#include <string>
#include <vector>

// What integer instructions of PTX compute, by their definitions in the Parallel Thread Execution ISA.

using namespace gdsim;

namespace {

/// The value of all lanes.
std::uint64_t computed(const std::string& opcode, const std::vector<std::uint64_t>& operands) {
  INFO(opcode);
  PtxInstruction instruction;
  instruction.opcode = opcode;
  const auto operation = integer_operation_of(instruction);
  REQUIRE(operation);
  std::vector<LaneValues> values;
  for (const std::uint64_t operand : operands) values.push_back(LaneValues::all(operand));
  std::array<const LaneValues*, 4> in{};
  for (std::size_t i = 0; i < values.size(); ++i) in.at(i) = &values[i];
  LaneValues out;
  evaluate(*operation, in, 0, out);
  REQUIRE(out.is_known(kAllLanes));
  CHECK(out.bits.front() == out.bits.back());
  return out.bits.front();
}

std::uint64_t negative(std::uint64_t value, unsigned bits = 32) {
  const std::uint64_t all = std::uint64_t{0} - value;
  return bits == 64 ? all : all & ((std::uint64_t{1} << bits) - 1);
}

}  // namespace

TEST_CASE("the larger and the smaller of two numbers are no less than 0 with .relu") {
  CHECK(computed("max.s32", {negative(5), negative(3)}) == negative(3));
  CHECK(computed("max.relu.s32", {negative(5), negative(3)}) == 0);
  CHECK(computed("max.relu.s32", {negative(5), 3}) == 3);
  CHECK(computed("min.relu.s32", {negative(5), 3}) == 0);
  CHECK(computed("min.u32", {negative(5), 3}) == 3);
}

TEST_CASE("a conversion to a narrow signed number fills its register with the sign") {
  const std::uint64_t narrow = computed("cvt.s8.s32", {0x80});
  CHECK(computed("add.s32", {narrow, 1}) == negative(127));
  CHECK(computed("add.s64", {narrow, 1}) == negative(127, 64));
  CHECK(computed("cvt.u32.s32", {computed("cvt.s16.u32", {0xFFFF})}) == negative(1));
  CHECK(computed("cvt.u8.u32", {0x1FF}) == 0xFF);
  CHECK(computed("cvt.s64.s32", {negative(7)}) == negative(7, 64));
  CHECK(computed("cvt.u64.u32", {negative(7)}) == 0xFFFFFFF9U);
}

TEST_CASE("absolute values, reversed bits, and permuted bytes are those of the definitions") {
  CHECK(computed("abs.s32", {negative(7)}) == 7);
  CHECK(computed("abs.s64", {negative(7, 64)}) == 7);
  CHECK(computed("abs.s32", {0x80000000U}) == 0x80000000U);
  CHECK(computed("brev.b32", {0x1}) == 0x80000000U);
  CHECK(computed("brev.b64", {0x3}) == 0xC000000000000000U);
  CHECK(computed("prmt.b32", {0x44332211, 0x88776655, 0x7531}) == 0x88664422U);
  CHECK(computed("prmt.b32", {0x80, 0, 0x0008}) == 0x808080FFU);  // the sign of a byte, and the byte
}

TEST_CASE("shifts of two registers and fields of bits are those of the definitions") {
  CHECK(computed("shf.l.clamp.b32", {0xF0000000U, 0x1, 4}) == 0x1F);
  CHECK(computed("shf.l.wrap.b32", {0xF0000000U, 0x1, 36}) == 0x1F);
  CHECK(computed("shf.l.clamp.b32", {0xF0000000U, 0x1, 36}) == 0xF0000000U);
  CHECK(computed("shf.r.clamp.b32", {0x10, 0xF, 4}) == 0xF0000001U);
  CHECK(computed("bfe.s32", {0xF0, 4, 4}) == negative(1));
  CHECK(computed("bfe.s32", {0x70, 4, 4}) == 7);
  CHECK(computed("bfe.s32", {0x80000000U, 24, 32}) == negative(128));
  CHECK(computed("bfe.u32", {0xF0, 4, 4}) == 0xF);
}

TEST_CASE("products of negative numbers have their sign in all bits") {
  CHECK(computed("mul.hi.s32", {negative(1), 5}) == negative(1));
  CHECK(computed("mul.hi.u32", {negative(1), 5}) == 4);
  CHECK(computed("mul.hi.s64", {negative(1, 64), 5}) == negative(1, 64));
  CHECK(computed("mul.wide.s32", {negative(3), 4}) == negative(12, 64));
  CHECK(computed("mul.wide.u32", {negative(3), 4}) == 0x3FFFFFFF4U);
  CHECK(computed("mul.wide.s16", {negative(3, 16), 4}) == negative(12));
  CHECK(computed("mad.wide.s32", {negative(3), 4, 100}) == 88);
  CHECK(computed("mad.lo.s32", {negative(3), 4, 2}) == negative(10));
}

TEST_CASE("a comparison is combined with a predicate") {
  CHECK(computed("setp.lt.and.s32", {negative(1), 0, 1}) == 1);
  CHECK(computed("setp.lt.and.s32", {negative(1), 0, 0}) == 0);
  CHECK(computed("setp.lt.or.u32", {negative(1), 0, 1}) == 1);
  CHECK(computed("setp.lt.or.u32", {negative(1), 0, 0}) == 0);
  CHECK(computed("setp.ne.xor.s32", {1, 2, 1}) == 0);
}
