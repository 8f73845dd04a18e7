#include <gdsim/import/nvidia/cubin.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {
namespace {

/// An operation of machine code from compute capability 7.0 on.
struct MachineOpcode {
  std::uint16_t number = 0;  ///< the low 9 bits of an instruction; the next 3 say what its operands are
  std::string_view name;
  MachinePipe pipe{};
  unsigned from = 70;  ///< compute capability from which the number means this
};

/// Ascending by number.
///
/// Sources. Numbers and names: the encodings that cloudcores/CuAssembler has collected from nvdisasm for sm_70, sm_75,
/// sm_80 and sm_86 (CuAsm/InsAsmRepos at 96a9f72), and daadaada/turingas, turingas/grammar.py; found again in the
/// machine code of kernels with two and six of an instruction for sm_75, sm_86, sm_90 and sm_120. VIMNMX from 9.0;
/// IADD, FFMA2, FMUL2, FADD2 and LDCU from 10.0: what ptxas 13.0 makes of minima, 64-bit sums, packed arithmetic and
/// parameters, with names of NVIDIA's CUDA Binary Utilities. Pipes: NVIDIA's Nsight Compute Profiling Guide, Pipelines:
/// the ALU does integers but IMAD and IMUL, which FMA does, as on the NVIDIA forum, threads 108729 (GV100) and 302018
/// (GA100, GA10x, GH100). Conversions between 32 bits from 8.6 on have opcodes of their own (I2FP, F2IP, F2FP), on the
/// ALU.
constexpr std::array kMachineOpcodes = [] {
  using enum MachinePipe;
  return std::to_array<MachineOpcode>({
      {0x002, "MOV", int32},        {0x003, "P2R", int32},        {0x004, "R2P", int32},
      {0x005, "CS2R", int32},       {0x006, "VOTE", int32},       {0x007, "SEL", int32},
      {0x008, "FSEL", int32},       {0x009, "FMNMX", int32},      {0x00a, "FSET", int32},
      {0x00b, "FSETP", int32},      {0x00c, "ISETP", int32},      {0x010, "IADD3", int32},
      {0x011, "LEA", int32},        {0x012, "LOP3", int32},       {0x013, "IABS", int32},
      {0x015, "VABSDIFF4", int32},  {0x016, "PRMT", int32},       {0x017, "IMNMX", int32},
      {0x019, "SHF", int32},        {0x01a, "SGXT", int32},       {0x01b, "BMSK", int32},
      {0x01c, "PLOP3", int32},      {0x020, "FMUL", fp32},        {0x021, "FADD", fp32},
      {0x022, "FSWZADD", fp32},     {0x023, "FFMA", fp32},        {0x024, "IMAD", fp32},
      {0x025, "IMAD", fp32},        {0x026, "IDP", fp32},         {0x027, "IMAD", fp32},
      {0x028, "DMUL", fp64},        {0x029, "DADD", fp64},        {0x02a, "DSETP", fp64},
      {0x02b, "DFMA", fp64},        {0x030, "HADD2", fp16},       {0x031, "HFMA2", fp16},
      {0x032, "HMUL2", fp16},       {0x033, "HSET2", fp16},       {0x034, "HSETP2", fp16},
      {0x035, "HFMA2", fp16},       {0x035, "IADD", int32, 100},  {0x036, "HMMA", matrix},
      {0x037, "IMMA", matrix},      {0x038, "I2I", sfu},          {0x039, "I2IP", int32},
      {0x03a, "MOVM", load_store},  {0x03b, "LDSM", load_store},  {0x03c, "HMMA", matrix},
      {0x03d, "BMMA", matrix},      {0x03e, "F2FP", int32},       {0x03f, "DMMA", matrix},
      {0x040, "HMNMX2", fp16},      {0x043, "F2IP", int32},       {0x045, "I2FP", int32},
      {0x048, "VIMNMX", int32, 90}, {0x049, "FFMA2", fp32, 100},  {0x04a, "FMUL2", fp32, 100},
      {0x04b, "FADD2", fp32, 100},  {0x082, "UMOV", other},       {0x083, "UP2UR", other},
      {0x086, "VOTEU", other},      {0x087, "USEL", other},       {0x08c, "UISETP", other},
      {0x090, "UIADD3", other},     {0x091, "ULEA", other},       {0x092, "ULOP3", other},
      {0x096, "UPRMT", other},      {0x097, "UIADD3", other},     {0x099, "USHF", other},
      {0x09a, "USGXT", other},      {0x09c, "UPLOP3", other},     {0x0a4, "UIMAD", other},
      {0x0a5, "UIMAD", other},      {0x0b9, "ULDC", other},       {0x0bb, "ULDC", other},
      {0x0bd, "UFLO", other},       {0x0be, "UBREV", other},      {0x0bf, "UPOPC", other},
      {0x100, "FLO", sfu},          {0x101, "BREV", sfu},         {0x102, "FCHK", sfu},
      {0x104, "F2F", sfu},          {0x105, "F2I", sfu},          {0x106, "I2F", sfu},
      {0x107, "FRND", sfu},         {0x108, "MUFU", sfu},         {0x109, "POPC", sfu},
      {0x110, "F2F", sfu},          {0x111, "F2I", sfu},          {0x112, "I2F", sfu},
      {0x113, "FRND", sfu},         {0x118, "NOP", none},         {0x119, "S2R", other},
      {0x11a, "DEPBAR", other},     {0x11c, "B2R", other},        {0x11d, "BAR", other},
      {0x141, "BSYNC", other},      {0x142, "BREAK", other},      {0x143, "CALL", other},
      {0x144, "CALL", other},       {0x145, "BSSY", other},       {0x146, "YIELD", other},
      {0x147, "BRA", other},        {0x148, "WARPSYNC", other},   {0x149, "BRX", other},
      {0x14d, "EXIT", other},       {0x14e, "LEPC", other},       {0x150, "RET", other},
      {0x155, "BMOV", other},       {0x156, "BMOV", other},       {0x158, "BRXU", other},
      {0x15c, "BPT", other},        {0x15d, "NANOSLEEP", other},  {0x160, "TEX", load_store},
      {0x161, "TEX", load_store},   {0x163, "TLD4", load_store},  {0x164, "TLD4", load_store},
      {0x166, "TLD", load_store},   {0x167, "TLD", load_store},   {0x16c, "TXD", load_store},
      {0x16d, "TXD", load_store},   {0x16f, "TXQ", load_store},   {0x170, "TXQ", load_store},
      {0x180, "LD", load_store},    {0x181, "LDG", load_store},   {0x182, "LDC", load_store},
      {0x183, "LDL", load_store},   {0x184, "LDS", load_store},   {0x185, "ST", load_store},
      {0x186, "STG", load_store},   {0x187, "STL", load_store},   {0x188, "STS", load_store},
      {0x189, "SHFL", load_store},  {0x18a, "ATOM", load_store},  {0x18b, "ATOM", load_store},
      {0x18c, "ATOMS", load_store}, {0x18d, "ATOMS", load_store}, {0x18e, "RED", load_store},
      {0x18f, "CCTL", load_store},  {0x192, "MEMBAR", other},     {0x199, "SULD", load_store},
      {0x19a, "SULD", load_store},  {0x19b, "SUST", load_store},  {0x19c, "SUST", load_store},
      {0x19d, "SUST", load_store},  {0x19e, "SUST", load_store},  {0x1a1, "MATCH", load_store},
      {0x1a8, "ATOMG", load_store}, {0x1a9, "ATOMG", load_store}, {0x1aa, "QSPC", load_store},
      {0x1ab, "ERRBAR", other},     {0x1ac, "LDCU", other, 100},  {0x1ae, "LDGSTS", load_store},
      {0x1af, "LDGDEPBAR", other},  {0x1b0, "ARRIVES", other},    {0x1c2, "R2UR", other},
      {0x1c3, "S2UR", other},       {0x1c4, "REDUX", load_store},
  });
}();

static_assert(std::is_sorted(kMachineOpcodes.begin(), kMachineOpcodes.end(),
                             [](const MachineOpcode& a, const MachineOpcode& b) { return a.number < b.number; }));

constexpr std::uint64_t kInstructionBytes = 16;
constexpr std::uint16_t kNumberBits = 0x1ff;

/// From an access to shared memory to the use of what it reads: the fewest cycles of any architecture.
/// not verified: those of GV100 in table 3.1 of the source of read_machine_code(), as remembered. Ampere takes more: 23
/// by arXiv 2208.11174 and 2503.20481, as others cite these.
constexpr std::uint64_t kSharedLatency = 19;

/// Opcodes that are read further, by their numbers.
namespace opcodes {
enum : std::uint16_t {
  fmul = 0x020,
  fadd = 0x021,
  ffma = 0x023,
  ldsm = 0x03b,
  packed_ffma = 0x049,
  packed_fadd = 0x04b,
  bar = 0x11d,
  absolute_call = 0x143,
  call = 0x144,
  bra = 0x147,
  brx = 0x149,
  exit = 0x14d,
  ret = 0x150,
  brxu = 0x158,
  ld = 0x180,
  ldg = 0x181,
  lds = 0x184,
  st = 0x185,
  stg = 0x186,
  sts = 0x188,
  first_atomic = 0x18a,
  last_atomic = 0x18e,
  first_global_atomic = 0x1a8,
  last_global_atomic = 0x1a9,
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

/// When a warp comes to an instruction, if nothing but its own results delays it, in cycles.
class WarpClock {
 public:
  /// The warp waits for scoreboards, bits 116 to 121, and for its stall; loads name theirs in bits 110 to 112.
  void pass(const std::array<std::uint64_t, 2>& words) {
    for (unsigned i = 0; i < done_.size(); ++i)
      if (bits_of(words, 116 + i, 1) != 0) now_ = std::max(now_, done_[i]);
    const std::uint64_t number = words[0] & kNumberBits;
    const std::uint64_t scoreboard = bits_of(words, 110, 3);
    if ((number == opcodes::lds || number == opcodes::ldsm) && scoreboard < done_.size())
      done_[scoreboard] = now_ + kSharedLatency;
    now_ += std::max<std::uint64_t>(1, bits_of(words, 105, 4));
  }

  std::uint64_t now() const { return now_; }

 private:
  std::uint64_t now_ = 0;
  std::array<std::uint64_t, 6> done_{};
};

/// One call of read_machine_code().
class MachineCodeReader {
 public:
  MachineCodeReader(const ByteView& code, unsigned capability) : code_(code), capability_(capability) {}

  MachineCode read() {
    const auto size = static_cast<std::uint32_t>(code_.size() / kInstructionBytes);
    for (std::uint32_t i = 0; i < size; ++i)
      if ((words_at(i)[0] & kNumberBits) == opcodes::exit) end_ = i + 1;
    std::map<std::uint32_t, std::uint32_t> loops;  // by the first instruction, the last one
    for (std::uint32_t i = 0; i < end_; ++i) {
      const auto words = words_at(i);
      if ((words[0] & kNumberBits) != opcodes::bra) continue;
      const std::int64_t target = target_of(i, words);
      if (target >= 0 && target < i) loops[static_cast<std::uint32_t>(target)] = i;
    }
    std::vector<std::uint32_t> ends(end_);  // by instruction: loops of which it is the last
    for (const auto& [first, last] : loops) ++ends[last];
    std::uint32_t depth = 0;
    WarpClock all;
    WarpClock outside;
    for (std::uint32_t i = 0; i < end_; ++i) {
      if (const auto loop = loops.find(i); loop != loops.end()) {
        const auto next = std::next(loop);
        if (next == loops.end() || next->first > loop->second) add_loop(i, loop->second, depth);
        ++depth;
      }
      add(i, i, result_.counts, all);
      if (depth == 0) add(i, i, result_.outside, outside);
      depth -= ends[i];
    }
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

  void add_loop(std::uint32_t first, std::uint32_t last, std::uint32_t depth) {
    MachineLoop loop;
    WarpClock clock;
    std::uint64_t begin = 0;  // of the second iteration: it waits for loads of the first one
    for (int iteration = 0; iteration < 2; ++iteration) {
      loop = {first, last, depth, {}};
      begin = clock.now();
      for (std::uint32_t i = first; i <= last; ++i) add(i, last, loop.counts, clock);
    }
    loop.counts.stalls -= begin;
    result_.loops.push_back(loop);
  }

  /// Of a part that ends with the instruction `last`.
  void add(std::uint32_t instruction, std::uint32_t last, MachineCounts& counts, WarpClock& clock) {
    const auto words = words_at(instruction);
    const auto number = static_cast<std::uint16_t>(words[0] & kNumberBits);
    const MachineOpcode* const opcode = opcode_of(number, capability_);
    if (opcode == nullptr && &counts == &result_.counts) ++result_.unknown[words[0] & 0xfff];
    const MachinePipe pipe = opcode == nullptr ? MachinePipe::other : opcode->pipe;
    if (pipe == MachinePipe::none) return;
    ++counts.instructions;
    ++counts.by_pipe[static_cast<std::size_t>(pipe)];
    clock.pass(words);
    counts.stalls = clock.now();
    const auto is_from_to = [&](std::uint16_t first, std::uint16_t final) {
      return number >= first && number <= final;
    };
    const bool is_pair = pipe == MachinePipe::fp32 && is_from_to(opcodes::packed_ffma, opcodes::packed_fadd);
    if (opcode == nullptr || is_pair || may_skip(instruction, last)) ++counts.doubts;
    if (number == opcodes::fmul || number == opcodes::fadd || number == opcodes::ffma) ++counts.floats;
    if (number == opcodes::bar) ++counts.barriers;
    if (is_from_to(opcodes::first_atomic, opcodes::last_atomic) ||
        is_from_to(opcodes::first_global_atomic, opcodes::last_global_atomic))
      ++counts.atomics;
    const std::uint64_t bytes = bytes_of(words);
    if (number == opcodes::ldg || number == opcodes::ld || number == opcodes::ldgsts) counts.global_loaded += bytes;
    if (number == opcodes::stg || number == opcodes::st) counts.global_stored += bytes;
    if (number == opcodes::lds) counts.shared_loaded += bytes;
    if (number == opcodes::sts) counts.shared_stored += bytes;
  }

  /// Whether what follows up to `last` is left out, or more is executed, depends on this instruction. A branch back
  /// that is the last one closes a loop; ptxas leaves loops by calls, too.
  bool may_skip(std::uint32_t instruction, std::uint32_t last) const {
    const auto words = words_at(instruction);
    const std::uint64_t number = words[0] & kNumberBits;
    if (number != opcodes::bra && number != opcodes::call)
      return number == opcodes::absolute_call || number == opcodes::brx || number == opcodes::brxu ||
             number == opcodes::ret;
    const std::int64_t target = target_of(instruction, words);
    const bool closes = instruction == last && target < instruction;
    return !closes && (target <= last || target >= end_);
  }

  /// Of one lane of an access.
  static std::uint64_t bytes_of(const std::array<std::uint64_t, 2>& words) {
    constexpr std::array<std::uint64_t, 8> bytes{1, 1, 2, 2, 4, 8, 16, 16};
    return bytes[bits_of(words, 73, 3)];
  }

  const ByteView& code_;
  unsigned capability_;
  std::uint32_t end_ = 0;  ///< after the last EXIT
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
  return words;
}

}  // namespace gdsim
