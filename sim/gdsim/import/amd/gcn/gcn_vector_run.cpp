#include <gdsim/import/amd/gcn/gcn_wave.hpp>

#include <gdsim/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>

namespace gdsim {
namespace {

using Word = std::uint32_t;
constexpr std::uint64_t kEveryLane = ~std::uint64_t{0};

bool is_in(std::uint64_t lanes, Word lane) { return ((lanes >> lane) & 1) != 0; }

/// Returns true if a modifier changes what is read or written, which is not followed.
bool changes_values(const GcnInstruction& instruction) {
  for (const std::string_view name : {"clamp", "mul", "div", "op_sel", "op_sel_hi", "neg_lo", "neg_hi", "byte_sel"})
    if (instruction.has(name)) return true;
  return instruction.has(kGcnUnordered);
}

Word with_sign(Word bits, const GcnOperand& operand) {
  constexpr Word sign = Word{1} << 31;
  if (operand.is_absolute) bits &= ~sign;
  return operand.is_negated ? bits ^ sign : bits;
}

}  // namespace

GcnWave::Source GcnWave::source(const GcnOperand& operand, std::uint32_t word) const {
  if (operand.is_vector()) {
    if (word >= operand.count) return {nullptr, 0, kEveryLane, 0};
    const GcnLaneValues& lanes = vectors_[operand.first + word - kGcnScalars];
    return {&lanes, 0, lanes.known, lanes.origin};
  }
  const GcnScalar value = scalar(operand, word);
  return {nullptr, value.bits, value.is_known() ? kEveryLane : 0, value.origin};
}

/// Where data decide whether a lane is active, its value is the new one until `exec` changes, and unknown then.
void GcnWave::write_lanes(std::uint32_t reg, const GcnLaneValues& values) {
  if (reg < kGcnScalars || reg >= kGcnRegisters) return;
  GcnLaneValues& to = vectors_[reg - kGcnScalars];
  const std::uint64_t lanes = active();
  for (std::uint64_t lanes_left = lanes; lanes_left != 0; lanes_left &= lanes_left - 1) {
    const auto lane = static_cast<Word>(std::countr_zero(lanes_left));
    to.bits[lane] = values.bits[lane];
  }
  to.known = (to.known & ~lanes) | (values.known & lanes);
  if (to.known != kEveryLane && values.origin != 0) to.origin = values.origin;
  if (const std::uint64_t unsure = lanes & ~surely_active(); unsure != 0) unsure_writes_.emplace_back(reg, unsure);
}

/// Lanes that are not active have a known 0.
void GcnWave::write_mask(const GcnOperand& operand, std::uint64_t bits, std::uint64_t known, std::uint32_t origin) {
  for (Word word = 0; word < lanes_ / 32; ++word) {
    GcnScalar half{static_cast<Word>((bits & known) >> (32 * word)), static_cast<Word>(known >> (32 * word)), 0};
    if (!half.is_known()) half.origin = origin;
    write_word(operand, word, half);
  }
}

void GcnWave::forget_results(std::uint32_t at) {
  GcnLaneValues unknown;
  unknown.origin = at + 1;
  for (const Word reg : gcn_writes(instruction_at(at), execution_.program.classes[at]))
    if (reg >= kGcnScalars)
      write_lanes(reg, unknown);
    else
      write_scalar(reg, {0, 0, at + 1});
}

bool GcnWave::is_vector_destination(std::uint32_t at, const GcnOperand& operand, std::uint32_t words) {
  if (operand.is_vector() && operand.count == words) return true;
  execution_.inputs.refuse(
      at, fmt::format("{} writes {}, and {} is none", printable(instruction_at(at).opcode),
                      words == 1 ? "one vector register" : "a pair of vector registers", in_quotes(operand.text)));
  return false;
}

bool GcnWave::is_scalar_destination(std::uint32_t at, const GcnOperand& operand, std::uint32_t words) {
  if (operand.is_scalar() && (operand.count >= words || operand.first == kGcnNull)) return true;
  execution_.inputs.refuse(
      at, fmt::format("{} writes {}, and {} is none", printable(instruction_at(at).opcode),
                      words == 1 ? "a scalar register" : "a pair of scalar registers", in_quotes(operand.text)));
  return false;
}

void GcnWave::execute_vector(std::uint32_t at) {
  const std::string_view suffix = instruction_at(at).suffix;
  const bool moves_lanes = suffix == "sdwa" || suffix == "dpp" || suffix == "dpp8" || suffix == "e64_dpp";
  if (move_pair(at)) return;
  if (!moves_lanes && !changes_values(instruction_at(at)) &&
      (compare_lanes(at) || add_lanes(at) || multiply_wide(at) || select_lanes(at) || read_lane(at) || count_mask(at) ||
       apply_lanes(at)))
    return;
  forget_results(at);
}

bool GcnWave::compare_lanes(std::uint32_t at) {
  const GcnInstruction& instruction = instruction_at(at);
  std::string_view name = instruction.opcode;
  const bool sets_exec = name.starts_with("v_cmpx_");
  if ((!name.starts_with("v_cmp_") && !sets_exec) || instruction.operands.size() < 2) return false;
  name.remove_prefix(sets_exec ? 7 : 6);
  const std::size_t first = instruction.operands.size() > 2 ? 1 : 0;
  std::array<Source, 2> low{source(instruction.operands[first]), source(instruction.operands[first + 1])};
  const bool has_mask = first == 1 && !(sets_exec && instruction.operands.front().first == kGcnExec);
  if (has_mask && !is_scalar_destination(at, instruction.operands.front(), lanes_ / 32)) return true;
  const bool is_wide = name.ends_with("64");
  std::array<Source, 2> high{is_wide ? source(instruction.operands[first], 1) : Source{nullptr, 0, kEveryLane, 0},
                             is_wide ? source(instruction.operands[first + 1], 1) : Source{nullptr, 0, kEveryLane, 0}};
  const std::uint64_t lanes = active();
  const std::uint64_t known_sources = low[0].known & low[1].known & high[0].known & high[1].known;
  std::uint64_t bits = 0;
  std::uint64_t known = ~lanes;
  for (std::uint64_t lanes_left = lanes & known_sources; lanes_left != 0; lanes_left &= lanes_left - 1) {
    const auto lane = static_cast<Word>(std::countr_zero(lanes_left));
    const auto value = [&](std::size_t i) { return low[i].in(lane) | (std::uint64_t{high[i].in(lane)} << 32); };
    bool is_known = false;
    const bool result = gcn_compare(name, value(0), value(1), is_known);
    if (!is_known) break;
    known |= std::uint64_t{1} << lane;
    if (result) bits |= std::uint64_t{1} << lane;
  }
  Word origin = at + 1;
  for (const Source& half : {low[0], low[1], high[0], high[1]})
    if (half.origin != 0 && (half.known & lanes) != lanes) origin = half.origin;
  GcnOperand to;
  to.type = GcnOperand::Type::registers;
  to.first = kGcnExec;
  to.count = 2;
  if (has_mask) write_mask(instruction.operands.front(), bits, known, origin);
  if (sets_exec) {
    mask_.reset();
    write_mask(to, bits, known, origin);
  }
  return true;
}

/// Sums and differences of lanes with a carry in a mask.
bool GcnWave::add_lanes(std::uint32_t at) {
  const GcnInstruction& instruction = instruction_at(at);
  const std::string_view name = instruction.opcode;
  const bool is_sum = name == "v_add_co_u32" || name == "v_addc_co_u32" || name == "v_add_co_ci_u32";
  const bool is_reverse = name.starts_with("v_subrev_co") || name.starts_with("v_subbrev_co");
  const bool is_difference = is_reverse || name.starts_with("v_sub_co") || name.starts_with("v_subb_co");
  if ((!is_sum && !is_difference) || instruction.operands.size() < 4) return false;
  if (!is_vector_destination(at, instruction.operands[0], 1) ||
      !is_scalar_destination(at, instruction.operands[1], lanes_ / 32))
    return true;
  const Source a = source(instruction.operands[is_reverse ? 3 : 2]);
  const Source b = source(instruction.operands[is_reverse ? 2 : 3]);
  const bool has_carry = instruction.operands.size() > 4;
  std::uint64_t carries = 0;
  std::uint64_t known = a.known & b.known;
  Word origin = a.origin != 0 ? a.origin : b.origin;
  for (Word word = 0; has_carry && word < lanes_ / 32; ++word) {
    const GcnScalar carry = scalar(instruction.operands[4], word);
    carries |= std::uint64_t{carry.bits} << (32 * word);
    known &= (std::uint64_t{carry.known} << (32 * word)) | (word == 0 ? kEveryLane << 32 : kEveryLane >> 32);
    if (origin == 0) origin = carry.origin;
  }
  GcnLaneValues result;
  std::uint64_t overflow = 0;
  const std::uint64_t lanes = active();
  for (std::uint64_t lanes_left = lanes & known; lanes_left != 0; lanes_left &= lanes_left - 1) {
    const auto lane = static_cast<Word>(std::countr_zero(lanes_left));
    const std::uint64_t more = std::uint64_t{b.in(lane)} + (is_in(carries, lane) ? 1 : 0);
    const std::uint64_t value = is_sum ? a.in(lane) + more : a.in(lane)-more;
    result.bits[lane] = static_cast<Word>(value);
    if (is_sum ? (value >> 32) != 0 : more > a.in(lane)) overflow |= std::uint64_t{1} << lane;
  }
  result.known = known;
  result.origin = origin != 0 ? origin : at + 1;
  write_lanes(instruction.operands[0].first, result);
  write_mask(instruction.operands[1], overflow, ~lanes | known, result.origin);
  return true;
}

bool GcnWave::multiply_wide(std::uint32_t at) {
  const GcnInstruction& instruction = instruction_at(at);
  const bool is_signed = instruction.opcode == "v_mad_i64_i32";
  if ((!is_signed && instruction.opcode != "v_mad_u64_u32") || instruction.operands.size() < 5) return false;
  if (!is_vector_destination(at, instruction.operands[0], 2) ||
      !is_scalar_destination(at, instruction.operands[1], lanes_ / 32))
    return true;
  const Source a = source(instruction.operands[2]);
  const Source b = source(instruction.operands[3]);
  const std::array<Source, 2> c{source(instruction.operands[4]), source(instruction.operands[4], 1)};
  std::array<GcnLaneValues, 2> results;
  for (Word lane = 0; lane < lanes_; ++lane) {
    const auto product = is_signed ? static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(a.in(lane))} *
                                                                static_cast<std::int32_t>(b.in(lane)))
                                   : std::uint64_t{a.in(lane)} * b.in(lane);
    const std::uint64_t value = product + (c[0].in(lane) | (std::uint64_t{c[1].in(lane)} << 32));
    results[0].bits[lane] = static_cast<Word>(value);
    results[1].bits[lane] = static_cast<Word>(value >> 32);
  }
  for (Word word = 0; word < 2; ++word) {
    results[word].known = a.known & b.known & c[0].known & c[1].known;
    results[word].origin = a.origin != 0 ? a.origin : b.origin != 0 ? b.origin : at + 1;
    write_lanes(instruction.operands[0].first + word, results[word]);
  }
  write_mask(instruction.operands[1], 0, 0, at + 1);
  return true;
}

bool GcnWave::select_lanes(std::uint32_t at) {
  const GcnInstruction& instruction = instruction_at(at);
  if (instruction.opcode != "v_cndmask_b32" || instruction.operands.size() < 4) return false;
  if (!is_vector_destination(at, instruction.operands[0], 1)) return true;
  const Source a = source(instruction.operands[1]);
  const Source b = source(instruction.operands[2]);
  GcnLaneValues result;
  Word origin = a.origin != 0 ? a.origin : b.origin;
  for (Word lane = 0; lane < lanes_; ++lane) {
    const GcnScalar mask = scalar(instruction.operands[3], lane / 32);
    const bool is_known = ((mask.known >> (lane % 32)) & 1) != 0;
    const bool is_second = ((mask.bits >> (lane % 32)) & 1) != 0;
    const Source& chosen = is_second ? b : a;
    result.bits[lane] = chosen.in(lane);
    const bool are_equal = is_in(a.known & b.known, lane) && a.in(lane) == b.in(lane);
    if ((is_known && is_in(chosen.known, lane)) || are_equal) result.known |= std::uint64_t{1} << lane;
    if (!is_known) origin = mask.origin;
  }
  result.origin = origin != 0 ? origin : at + 1;
  write_lanes(instruction.operands[0].first, result);
  return true;
}

/// `v_readfirstlane_b32` and `v_readlane_b32`.
bool GcnWave::read_lane(std::uint32_t at) {
  const GcnInstruction& instruction = instruction_at(at);
  const bool is_first = instruction.opcode == "v_readfirstlane_b32";
  if ((!is_first && instruction.opcode != "v_readlane_b32") || instruction.operands.size() < (is_first ? 2U : 3U))
    return false;
  if (!is_scalar_destination(at, instruction.operands[0], 1)) return true;
  const Source value = source(instruction.operands[1]);
  std::optional<Word> lane;
  if (is_first && active() == (surely_active() & all_))
    lane = active() == 0 ? 0 : static_cast<Word>(std::countr_zero(active()));
  if (!is_first)
    if (const GcnScalar number = scalar(instruction.operands[2], 0); number.is_known()) lane = number.bits % lanes_;
  if (lane && is_in(value.known, *lane))
    write_scalar(instruction.operands[0].first, {value.in(*lane), ~Word{0}, 0});
  else
    write_scalar(instruction.operands[0].first, {0, 0, value.origin != 0 ? value.origin : at + 1});
  return true;
}

/// `v_mbcnt_lo_u32_b32` and `v_mbcnt_hi_u32_b32`: the bits of a mask below the lane, and an offset.
bool GcnWave::count_mask(std::uint32_t at) {
  const GcnInstruction& instruction = instruction_at(at);
  const bool is_low = instruction.opcode.starts_with("v_mbcnt_lo_");
  if ((!is_low && !instruction.opcode.starts_with("v_mbcnt_hi_")) || instruction.operands.size() < 3) return false;
  if (!is_vector_destination(at, instruction.operands[0], 1)) return true;
  const Source mask = source(instruction.operands[1]);
  const Source offset = source(instruction.operands[2]);
  GcnLaneValues result;
  result.known = mask.known & offset.known;
  result.origin = mask.origin != 0 ? mask.origin : offset.origin;
  for (Word lane = 0; lane < lanes_; ++lane) {
    const Word place = is_low ? std::min<Word>(lane, 32) : lane > 32 ? lane - 32 : 0;
    const Word below = place >= 32 ? ~Word{0} : (Word{1} << place) - 1;
    result.bits[lane] = static_cast<Word>(std::popcount(mask.in(lane)&below)) + offset.in(lane);
  }
  write_lanes(instruction.operands[0].first, result);
  return true;
}

/// `v_pk_mov_b32`: a word of each of two pairs, which `op_sel` chooses.
///
/// Source: AMD CDNA 3 instruction set architecture, V_PK_MOV_B32, and LLVM AMDGPUModifierSyntax, op_sel.
bool GcnWave::move_pair(std::uint32_t at) {
  const GcnInstruction& instruction = instruction_at(at);
  if (instruction.opcode != "v_pk_mov_b32" || instruction.operands.size() < 3) return false;
  if (!is_vector_destination(at, instruction.operands[0], 2)) return true;
  std::array<GcnLaneValues, 2> results;
  for (Word word = 0; word < 2; ++word) {
    const Source from =
        source(instruction.operands[word + 1], static_cast<Word>(instruction.modifier("op_sel") >> word) & 1);
    for (Word lane = 0; lane < lanes_; ++lane) results[word].bits[lane] = from.in(lane);
    results[word].known = from.known;
    results[word].origin = from.origin;
  }
  for (Word word = 0; word < 2; ++word) write_lanes(instruction.operands[0].first + word, results[word]);
  return true;
}

bool GcnWave::apply_lanes(std::uint32_t at) {
  const GcnInstruction& instruction = instruction_at(at);
  const GcnOperation* const narrow = gcn_vector_operation(instruction.opcode);
  const GcnWideOperation* const wide = gcn_wide_vector_operation(instruction.opcode);
  if (narrow == nullptr && wide == nullptr) return false;
  const std::size_t sources = narrow != nullptr ? narrow->sources : wide->sources;
  if (instruction.operands.size() < sources + 1) return false;
  if (!is_vector_destination(at, instruction.operands[0], wide != nullptr ? 2 : 1)) return true;
  std::array<Source, 3> low;
  std::array<Source, 3> high;
  GcnLaneValues result;
  GcnLaneValues result_high;
  result.known = kEveryLane;
  for (std::size_t i = 0; i < sources; ++i) {
    low[i] = source(instruction.operands[i + 1]);
    high[i] = wide != nullptr ? source(instruction.operands[i + 1], 1) : Source{nullptr, 0, kEveryLane, 0};
    result.known &= low[i].known & high[i].known;
    if (result.origin == 0) result.origin = low[i].origin != 0 ? low[i].origin : high[i].origin;
  }
  if (result.origin == 0) result.origin = at + 1;
  for (std::uint64_t lanes_left = active() & result.known; lanes_left != 0; lanes_left &= lanes_left - 1) {
    const auto lane = static_cast<Word>(std::countr_zero(lanes_left));
    if (wide != nullptr) {
      const auto value = [&](std::size_t i) { return low[i].in(lane) | (std::uint64_t{high[i].in(lane)} << 32); };
      const std::uint64_t all = wide->of_values(value(0), value(1), value(2));
      result.bits[lane] = static_cast<Word>(all);
      result_high.bits[lane] = static_cast<Word>(all >> 32);
      continue;
    }
    std::array<Word, 3> words{};
    for (std::size_t i = 0; i < sources; ++i)
      words[i] = narrow->is_float ? with_sign(low[i].in(lane), instruction.operands[i + 1]) : low[i].in(lane);
    result.bits[lane] = narrow->of_words(words[0], words[1], words[2]);
  }
  write_lanes(instruction.operands[0].first, result);
  if (wide == nullptr) return true;
  result_high.known = result.known;
  result_high.origin = result.origin;
  write_lanes(instruction.operands[0].first + 1, result_high);
  return true;
}

}  // namespace gdsim
