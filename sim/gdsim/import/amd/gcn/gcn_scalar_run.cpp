#include <gdsim/import/amd/gcn/gcn_wave.hpp>

#include <gdsim/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace gdsim {
namespace {

using Word = std::uint32_t;

/// A combination of bits, each alone.
struct BitOperation {
  std::string_view name;
  bool inverts_first = false;
  bool inverts_second = false;
  char relation = '&';
  bool inverts_result = false;
};
constexpr std::array<BitOperation, 11> kBitOperations{{{"and", false, false, '&', false},
                                                       {"or", false, false, '|', false},
                                                       {"xor", false, false, '^', false},
                                                       {"andn2", false, true, '&', false},
                                                       {"and_not1", false, true, '&', false},
                                                       {"orn2", false, true, '|', false},
                                                       {"or_not1", false, true, '|', false},
                                                       {"andn1", true, false, '&', false},
                                                       {"nand", false, false, '&', true},
                                                       {"nor", false, false, '|', true},
                                                       {"xnor", false, false, '^', true}}};

const BitOperation* bit_operation(std::string_view name) {
  const auto found = std::find_if(kBitOperations.begin(), kBitOperations.end(),
                                  [&](const BitOperation& one) { return one.name == name; });
  return found == kBitOperations.end() ? nullptr : &*found;
}

GcnScalar combined(const BitOperation& operation, GcnScalar a, GcnScalar b, Word origin) {
  if (operation.inverts_first) a.bits = ~a.bits;
  if (operation.inverts_second) b.bits = ~b.bits;
  GcnScalar result;
  result.known = a.known & b.known;
  if (operation.relation == '&') {
    result.bits = a.bits & b.bits;
    result.known |= (a.known & ~a.bits) | (b.known & ~b.bits);
  } else if (operation.relation == '|') {
    result.bits = a.bits | b.bits;
    result.known |= (a.known & a.bits) | (b.known & b.bits);
  } else {
    result.bits = a.bits ^ b.bits;
  }
  if (operation.inverts_result) result.bits = ~result.bits;
  result.bits &= result.known;
  if (!result.is_known()) result.origin = a.origin != 0 ? a.origin : b.origin != 0 ? b.origin : origin;
  return result;
}

/// Separates `and` and 2 words from `s_and_b64`.
std::pair<std::string_view, Word> name_and_words(std::string_view opcode) {
  const Word words = opcode.ends_with("64") ? 2 : 1;
  opcode.remove_prefix(2);
  return {opcode.substr(0, opcode.rfind('_')), words};
}

}  // namespace

GcnScalar GcnWave::scalar(const GcnOperand& operand, std::uint32_t word) const {
  if (operand.type == GcnOperand::Type::constant) {
    const Word bits = word == 0 ? static_cast<Word>(operand.value) : operand.value < 0 ? ~Word{0} : Word{0};
    return {bits, ~Word{0}, 0};
  }
  if (!operand.is_scalar()) return {};
  if (word >= operand.count) return {0, ~Word{0}, 0};
  return scalars_[operand.first + word];
}

std::optional<std::uint64_t> GcnWave::wide_scalar(const GcnOperand& operand, std::uint32_t& origin) const {
  const GcnScalar low = scalar(operand, 0);
  const GcnScalar high = scalar(operand, 1);
  if (low.is_known() && high.is_known()) return low.bits | (std::uint64_t{high.bits} << 32);
  origin = low.origin != 0 ? low.origin : high.origin;
  return std::nullopt;
}

void GcnWave::write_scalar(std::uint32_t reg, const GcnScalar& value) {
  if (reg == kGcnNull || reg >= kGcnScalars) return;
  if (reg == kGcnExec && !unsure_writes_.empty()) {
    for (const auto& [written, lanes] : unsure_writes_) vectors_[written - kGcnScalars].known &= ~lanes;
    unsure_writes_.clear();
  }
  scalars_[reg] = value;
}

void GcnWave::write_word(const GcnOperand& operand, std::uint32_t word, const GcnScalar& value) {
  if (operand.is_scalar() && word < operand.count) write_scalar(operand.first + word, value);
}

void GcnWave::write_wide(const GcnOperand& operand, std::optional<std::uint64_t> value, std::uint32_t origin) {
  for (Word word = 0; word < operand.count; ++word) {
    GcnScalar half;
    if (value) half = {word < 2 ? static_cast<Word>(*value >> (32 * word)) : 0, ~Word{0}, 0};
    if (!value) half.origin = origin;
    write_word(operand, word, half);
  }
}

void GcnWave::set_scc(std::optional<bool> value, std::uint32_t origin) {
  scalars_[kGcnScc] = value ? GcnScalar{*value ? Word{1} : Word{0}, ~Word{0}, 0} : GcnScalar{0, 0, origin};
}

void GcnWave::execute_scalar(std::uint32_t at) {
  const GcnInstruction& instruction = instruction_at(at);
  const std::string_view name = instruction.opcode;
  const bool has_result = !instruction.operands.empty() && !name.starts_with("s_cmp") &&
                          !name.starts_with("s_bitcmp") && !name.starts_with("s_setreg");
  if (has_result && (instruction.operands.front().is_vector() || instruction.operands.front().count > 2))
    return execution_.inputs.refuse(at, fmt::format("{} writes a scalar register or two, and {} is none of these",
                                                    printable(name), in_quotes(instruction.operands.front().text)));
  if (combine_exec(at) || combine_bits(at) || add_scalars(at) || compare_scalars(at) || select_scalar(at) ||
      apply_scalar(at))
    return;
  forget_results(at);
}

bool GcnWave::combine_bits(std::uint32_t at) {
  const GcnInstruction& instruction = instruction_at(at);
  const auto [name, words] = name_and_words(instruction.opcode);
  constexpr BitOperation inversion{"not", false, false, '^', true};
  const bool is_inversion = name == "not";
  const BitOperation* operation = is_inversion ? &inversion : bit_operation(name);
  if (operation == nullptr || instruction.operands.size() < (is_inversion ? 2 : 3)) return false;
  if (!is_scalar_destination(at, instruction.operands.front(), words)) return true;
  bool is_nonzero = false;
  bool is_known = true;
  std::array<GcnScalar, 2> results;
  for (Word word = 0; word < words; ++word) {
    const GcnScalar second = is_inversion ? GcnScalar{0, ~Word{0}, 0} : scalar(instruction.operands[2], word);
    results[word] = combined(*operation, scalar(instruction.operands[1], word), second, at + 1);
    is_nonzero = is_nonzero || results[word].bits != 0;
    is_known = is_known && results[word].is_known();
  }
  const GcnOperand& to = instruction.operands.front();
  if (to.first == kGcnExec && !is_inversion) {
    const GcnOperand& other =
        instruction.operands[1].first == kGcnExec ? instruction.operands[2] : instruction.operands[1];
    mask_ = other;
    is_mask_inverted_ = operation->inverts_second;
  }
  for (Word word = 0; word < words; ++word) write_word(to, word, results[word]);
  set_scc(is_known || is_nonzero ? std::optional(is_nonzero) : std::nullopt,
          std::max(results[0].origin, results[1].origin));
  return true;
}

/// `s_and_saveexec_b64`: keeps `exec`, and combines a mask with it.
bool GcnWave::combine_exec(std::uint32_t at) {
  const GcnInstruction& instruction = instruction_at(at);
  const auto [name, words] = name_and_words(instruction.opcode);
  constexpr std::string_view end = "_saveexec";
  if (!name.ends_with(end) || instruction.operands.size() < 2) return false;
  const BitOperation* operation = bit_operation(name.substr(0, name.size() - end.size()));
  if (operation == nullptr) return false;
  if (!is_scalar_destination(at, instruction.operands.front(), words)) return true;
  std::array<GcnScalar, 2> results;
  bool is_nonzero = false;
  bool is_known = true;
  for (Word word = 0; word < words; ++word) {
    results[word] = combined(*operation, scalar(instruction.operands[1], word), scalars_[kGcnExec + word], at + 1);
    is_nonzero = is_nonzero || results[word].bits != 0;
    is_known = is_known && results[word].is_known();
  }
  mask_ = instruction.operands[1];
  is_mask_inverted_ = operation->inverts_first;
  for (Word word = 0; word < words; ++word) write_word(instruction.operands.front(), word, scalars_[kGcnExec + word]);
  for (Word word = 0; word < words; ++word) write_scalar(kGcnExec + word, results[word]);
  set_scc(is_known || is_nonzero ? std::optional(is_nonzero) : std::nullopt, results[0].origin);
  return true;
}

/// Sums and differences with a carry in `scc`.
bool GcnWave::add_scalars(std::uint32_t at) {
  const GcnInstruction& instruction = instruction_at(at);
  const std::string_view name = instruction.opcode;
  const bool is_sum = name == "s_add_u32" || name == "s_addc_u32";
  const bool is_difference = name == "s_sub_u32" || name == "s_subb_u32";
  if ((!is_sum && !is_difference) || instruction.operands.size() < 3) return false;
  const GcnScalar a = scalar(instruction.operands[1], 0);
  const GcnScalar b = scalar(instruction.operands[2], 0);
  const bool has_carry = name == "s_addc_u32" || name == "s_subb_u32";
  const GcnScalar carry = has_carry ? scalars_[kGcnScc] : GcnScalar{0, ~Word{0}, 0};
  const Word origin = a.origin != 0 ? a.origin : b.origin != 0 ? b.origin : carry.origin;
  if (!a.is_known() || !b.is_known() || !carry.is_known()) {
    write_wide(instruction.operands.front(), std::nullopt, origin);
    set_scc(std::nullopt, origin);
    return true;
  }
  const std::uint64_t more = std::uint64_t{b.bits} + carry.bits;
  const std::uint64_t result = is_sum ? a.bits + more : a.bits - more;
  write_word(instruction.operands.front(), 0, {static_cast<Word>(result), ~Word{0}, 0});
  set_scc(is_sum ? (result >> 32) != 0 : more > a.bits, 0);
  return true;
}

bool GcnWave::compare_scalars(std::uint32_t at) {
  const GcnInstruction& instruction = instruction_at(at);
  std::string_view name = instruction.opcode;
  const bool is_bit = name.starts_with("s_bitcmp");
  if ((!name.starts_with("s_cmp") && !is_bit) || instruction.operands.size() < 2) return false;
  Word origin = at + 1;
  const auto a = wide_scalar(instruction.operands[0], origin);
  auto b = wide_scalar(instruction.operands[1], origin);
  if (b && name.starts_with("s_cmpk_"))  // a constant of 16 bits
    b = name.ends_with("_i32") ? static_cast<std::uint64_t>(static_cast<std::int16_t>(*b)) : *b & 0xFFFF;
  bool is_known = a.has_value() && b.has_value();
  bool result = false;
  if (is_known && is_bit)
    result = ((*a >> (*b & 31)) & 1) == (name.starts_with("s_bitcmp1") ? 1U : 0U);
  else if (is_known)
    result = gcn_compare(name.substr(name.starts_with("s_cmpk_") ? 7 : 6), *a, *b, is_known);
  set_scc(is_known ? std::optional(result) : std::nullopt, origin);
  return true;
}

bool GcnWave::select_scalar(std::uint32_t at) {
  const GcnInstruction& instruction = instruction_at(at);
  const auto [name, words] = name_and_words(instruction.opcode);
  if (name != "cselect" || instruction.operands.size() < 3) return false;
  const GcnScalar scc = scalars_[kGcnScc];
  for (Word word = 0; word < words; ++word) {
    GcnScalar result;
    if (scc.is_known())
      result = scalar(instruction.operands[scc.bits != 0 ? 1 : 2], word);
    else
      result.origin = scc.origin;
    write_word(instruction.operands.front(), word, result);
  }
  return true;
}

bool GcnWave::apply_scalar(std::uint32_t at) {
  const GcnInstruction& instruction = instruction_at(at);
  const GcnOperation* const narrow = gcn_scalar_operation(instruction.opcode);
  const GcnWideOperation* const wide = gcn_wide_scalar_operation(instruction.opcode);
  if (narrow == nullptr && wide == nullptr) return false;
  const std::size_t sources = narrow != nullptr ? narrow->sources : wide->sources;
  const bool keeps = instruction.opcode == "s_addk_i32" || instruction.opcode == "s_mulk_i32";
  const std::size_t first = keeps ? 0 : 1;
  if (instruction.operands.size() < first + sources) return false;
  std::array<std::uint64_t, 3> values{};
  Word origin = 0;
  bool is_known = true;
  for (std::size_t i = 0; i < sources; ++i) {
    const auto value =
        narrow != nullptr ? std::optional<std::uint64_t>() : wide_scalar(instruction.operands[first + i], origin);
    const GcnScalar word = scalar(instruction.operands[first + i], 0);
    if (narrow != nullptr && !word.is_known()) origin = word.origin;
    is_known = is_known && (narrow != nullptr ? word.is_known() : value.has_value());
    values[i] = narrow != nullptr ? word.bits : value.value_or(0);
  }
  const auto words = [&](std::size_t i) { return static_cast<Word>(values[i]); };
  std::optional<std::uint64_t> result;
  if (is_known)
    result = narrow != nullptr ? narrow->of_words(words(0), words(1), words(2))
                               : wide->of_values(values[0], values[1], values[2]);
  write_wide(instruction.operands.front(), result, origin != 0 ? origin : at + 1);
  const auto writes = gcn_writes(instruction, execution_.program.classes[at]);
  const std::string_view name = instruction.opcode;
  const bool is_overflow = name == "s_add_i32" || name == "s_sub_i32" || name == "s_addk_i32" ||
                           name.find("_add_u32") != std::string_view::npos;  // s_lshl2_add_u32
  const bool is_choice = name.starts_with("s_min") || name.starts_with("s_max");
  if (std::find(writes.begin(), writes.end(), kGcnScc) != writes.end())
    set_scc(result && !is_overflow && !is_choice ? std::optional(*result != 0) : std::nullopt, at + 1);
  return true;
}

std::optional<std::uint32_t> GcnWave::constant_word(std::uint64_t address, std::uint32_t bytes, std::uint32_t at) {
  std::uint32_t word = 0;
  for (std::uint32_t i = 0; i < bytes; ++i) {
    const auto byte = execution_.constants.byte_at(address + i);
    if (!byte) {
      if (const std::string option = execution_.constants.option_for(address); !option.empty())
        execution_.inputs.on_missing(at, option);
      return std::nullopt;
    }
    word |= std::uint32_t{*byte} << (8 * i);
  }
  return word;
}

void GcnWave::load_scalars(std::uint32_t at) {
  const GcnInstruction& instruction = instruction_at(at);
  if (instruction.operands.empty() || !is_scalar_destination(at, instruction.operands.front(), 1)) return;
  std::optional<std::uint64_t> address;
  Word origin = 0;
  if (instruction.operands.size() > 1 && !instruction.opcode.starts_with("s_buffer"))
    address = wide_scalar(instruction.operands[1], origin);
  if (address && instruction.operands.size() > 2) {
    const GcnScalar offset = scalar(instruction.operands[2], 0);
    *address += static_cast<std::uint64_t>(static_cast<std::int32_t>(offset.bits));
    if (!offset.is_known()) address.reset();
  }
  forget_results(at);  // which may be the address
  if (!address) return;
  *address += static_cast<std::uint64_t>(instruction.modifier("offset"));
  const GcnOperand& to = instruction.operands.front();
  for (Word word = 0; word < to.count; ++word)
    if (const auto bits = constant_word((*address & ~std::uint64_t{3}) + 4 * word, 4, at))
      write_word(to, word, {*bits, ~Word{0}, 0});
}

}  // namespace gdsim
