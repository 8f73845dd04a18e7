#include <gdsim/import/nvidia/machine_code.hpp>

#include <gdsim/import/nvidia/machine_opcodes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace gdsim {
namespace {

constexpr std::uint64_t kInstructionBytes = 16;
constexpr std::uint16_t kNumberBits = 0x1ff;

/// Opcodes that are read further, by their numbers.
namespace opcodes {
enum : std::uint16_t {
  fmul = 0x020,
  fadd = 0x021,
  ffma = 0x023,
  hadd2 = 0x030,
  hmul2 = 0x032,
  hfma2_of_tensor_pipe = 0x035,
  packed_ffma = 0x049,
  packed_fadd = 0x04b,
  bar = 0x11d,
  first_call = 0x143,
  last_call = 0x144,
  bra = 0x147,
  exit = 0x14d,
  ld = 0x180,
  ldg = 0x181,
  st = 0x185,
  stg = 0x186,
  sts = 0x188,
  ldgsts = 0x1ae
};
}  // namespace opcodes

/// The bits from `first` on of the 128 of an instruction, in one of its halves.
std::uint64_t bits_of(const std::array<std::uint64_t, 2>& words, unsigned first, unsigned count) {
  return words[first / 64] >> (first % 64) & ((std::uint64_t{1} << count) - 1);
}

/// Null: it is in no table.
const MachineOpcode* opcode_of(std::uint16_t number, unsigned capability) {
  const auto is_less = [](const MachineOpcode& row, std::uint16_t wanted) { return row.number < wanted; };
  const MachineOpcode* known = nullptr;
  for (auto row = std::lower_bound(kMachineOpcodes.begin(), kMachineOpcodes.end(), number, is_less);
       row != kMachineOpcodes.end() && row->number == number && row->from <= capability; ++row)
    known = &*row;
  return known;
}

/// One call of read_machine_code().
class MachineCodeReader {
 public:
  MachineCodeReader(const ByteView& code, unsigned capability) : code_(code), capability_(capability) {}

  MachineCode read() {
    const auto size = static_cast<std::uint32_t>(code_.size() / kInstructionBytes);
    std::map<std::uint32_t, std::uint32_t> ends;  // by the first instruction of a loop, its last one
    std::uint32_t end = 0;
    for (std::uint32_t i = 0; i < size; ++i) {
      const auto words = words_at(i);
      const auto number = static_cast<std::uint16_t>(words[0] & kNumberBits);
      if (number == opcodes::exit) end = i + 1;
      if (number != opcodes::bra) continue;
      const std::int64_t target = target_of(i, words);
      if (target < 0 || target >= size)
        ++result_.leaving_branches;
      else if (target < i)
        ends[static_cast<std::uint32_t>(target)] = i;
    }
    std::uint32_t looped = 0;  // the end of the loops so far
    for (std::uint32_t i = 0; i < end; ++i) {
      add(i, result_.counts);
      if (const auto loop = ends.find(i); loop != ends.end()) looped = std::max(looped, loop->second + 1);
      if (i >= looped) add(i, result_.outside);
    }
    for (auto loop = ends.begin(); loop != ends.end(); ++loop)
      if (const auto next = std::next(loop); next == ends.end() || next->first > loop->second) add_loop(*loop);
    return std::move(result_);
  }

 private:
  std::array<std::uint64_t, 2> words_at(std::uint32_t instruction) const {
    const std::uint64_t at = instruction * kInstructionBytes;
    return {code_.u64(at), code_.u64(at + 8)};
  }

  /// Offsets count from the next instruction, in units of 4 bytes. From 9.0 on, their low 8 bits lie elsewhere.
  std::int64_t target_of(std::uint32_t instruction, const std::array<std::uint64_t, 2>& words) const {
    constexpr unsigned first_with_low_bits = 90;
    std::uint64_t offset = bits_of(words, 34, 30) | bits_of(words, 64, 18) << 30;
    unsigned bits = 48;
    if (capability_ >= first_with_low_bits) {
      offset = offset << 8 | bits_of(words, 16, 8);
      bits += 8;
    }
    auto value = static_cast<std::int64_t>(offset);
    if (offset >> (bits - 1) != 0) value -= std::int64_t{1} << bits;
    constexpr std::int64_t units = kInstructionBytes / 4;
    return value % units == 0 ? std::int64_t{instruction} + 1 + value / units : -1;
  }

  void add_loop(const std::pair<const std::uint32_t, std::uint32_t>& ends) {
    MachineLoop loop{ends.first, ends.second, {}};
    skipped_ = 0;
    for (std::uint32_t i = loop.first; i <= loop.last; ++i) add(i, loop.counts);
    result_.loops.push_back(loop);
  }

  void add(std::uint32_t instruction, MachineCounts& counts) {
    const auto words = words_at(instruction);
    const auto number = static_cast<std::uint16_t>(words[0] & kNumberBits);
    const MachineOpcode* const opcode = opcode_of(number, capability_);
    if (opcode == nullptr && &counts == &result_.counts) ++result_.unknown[words[0] & 0xfff];
    const MachinePipe pipe = opcode == nullptr ? MachinePipe::other : opcode->pipe;
    if (pipe == MachinePipe::none) return;
    ++counts.instructions;
    counts.stalls += std::max<std::uint64_t>(1, bits_of(words, 105, 4));
    const bool is_packed =
        pipe == MachinePipe::fp32 && number >= opcodes::packed_ffma && number <= opcodes::packed_fadd;
    const bool is_float = number == opcodes::fmul || number == opcodes::fadd || number == opcodes::ffma || is_packed;
    const bool is_half = pipe == MachinePipe::fp16 && ((number >= opcodes::hadd2 && number <= opcodes::hmul2) ||
                                                       number == opcodes::hfma2_of_tensor_pipe);
    const std::uint64_t results = is_packed || is_half ? 2 : 1;
    if (is_float) counts.floats += results;
    counts.by_pipe[static_cast<std::size_t>(pipe)] += results;
    if (number == opcodes::bar) ++counts.barriers;
    constexpr std::int64_t most_skipped = 16;
    if (number == opcodes::bra && target_of(instruction, words) <= instruction + most_skipped)
      skipped_ = std::max(skipped_, target_of(instruction, words));
    // A call under a predicate is how ptxas leaves a loop.
    constexpr std::uint64_t always = 7;
    const bool is_call =
        (number == opcodes::first_call || number == opcodes::last_call) && bits_of(words, 12, 4) == always;
    if (is_call && instruction >= skipped_) ++counts.calls;
    const std::uint64_t bytes = bytes_of(words);
    if (number == opcodes::ldg || number == opcodes::ld || number == opcodes::ldgsts) counts.global_loaded += bytes;
    if (number == opcodes::stg || number == opcodes::st) counts.global_stored += bytes;
    if (number == opcodes::sts) counts.shared_stored += bytes;
  }

  /// Of one lane of an access.
  static std::uint64_t bytes_of(const std::array<std::uint64_t, 2>& words) {
    constexpr std::array<std::uint64_t, 8> bytes{1, 1, 2, 2, 4, 8, 16, 16};
    return bytes[bits_of(words, 73, 3)];
  }

  const ByteView& code_;
  unsigned capability_;
  std::int64_t skipped_ = 0;  ///< how far short branches so far lead
  MachineCode result_;
};

}  // namespace

MachineCode read_machine_code(const ByteView& code, unsigned capability, ReadBudget& budget) {
  if (code.size() % kInstructionBytes != 0)
    code.fail(code.size() - code.size() % kInstructionBytes,
              fmt::format("{} bytes of machine code are left here; an instruction has {}",
                          code.size() % kInstructionBytes, kInstructionBytes));
  budget.charge(ReadCost::parts, code.size());
  MachineCode read = MachineCodeReader(code, capability).read();
  budget.charge(ReadCost::memory, sizeof read + read.loops.size() * sizeof(MachineLoop));
  return read;
}

std::string words_of(const MachineCode& code) {
  std::string words = fmt::format("{} instructions", code.counts.instructions);
  for (std::size_t i = 0; i < kMachinePipes.size(); ++i)
    if (code.counts.by_pipe[i] > 0)
      words += fmt::format("{}{} {}", words.find(':') == std::string::npos ? ": " : ", ", code.counts.by_pipe[i],
                           kMachinePipes[i]);
  constexpr std::size_t most = 8;
  std::size_t listed = 0;
  for (const auto& [opcode, count] : code.unknown)
    if (listed++ < most)
      words += fmt::format("{}{:#x} ({})", listed == 1 ? "; opcodes that are not known: " : ", ", opcode, count);
  if (listed > most) words += fmt::format(" and {} more", listed - most);
  if (code.leaving_branches > 0) words += fmt::format("; {} branches lead out of it", code.leaving_branches);
  return words;
}

}  // namespace gdsim
