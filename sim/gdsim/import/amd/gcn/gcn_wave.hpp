#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/amd/gcn/gcn_profile.hpp>
#include <gdsim/import/amd/gcn/gcn_program.hpp>
#include <gdsim/import/ptx/ptx_launch.hpp>
#include <gdsim/import/ptx/unresolved_inputs.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim {

/// The bytes that a kernel can read before it has stored any: its kernarg segment and the packet that dispatched it.
class GcnConstants {
 public:
  /// The segment's address, above those of all pointers, and how long it may be.
  static constexpr std::uint64_t kKernarg = std::uint64_t{1} << 62;
  static constexpr std::uint64_t kKernargRoom = std::uint64_t{1} << 20;
  static constexpr std::uint64_t kPacket = kKernarg + kKernargRoom;
  static constexpr std::uint64_t kPacketBytes = 64;

  GcnConstants(const GcnKernel& kernel, const PtxLaunch& launch);

  /// Returns true for addresses in the segment and the packet.
  static constexpr bool holds(std::uint64_t address) { return address >= kKernarg && address < kPacket + kPacketBytes; }
  /// Returns the byte at this address, or nullopt if it is not known.
  std::optional<std::uint8_t> byte_at(std::uint64_t address) const;
  /// Returns the option that gives the bytes at this address, as in `--arg 3=VALUE`; empty: there is none.
  std::string option_for(std::uint64_t address) const;

 private:
  void put(std::uint64_t address, std::uint64_t bytes, std::uint64_t value);
  void put_argument(std::uint32_t number, const GcnArgument& argument);
  void put_hidden(const GcnArgument& argument);

  const GcnKernel& kernel_;
  const PtxLaunch& launch_;
  std::map<std::uint64_t, std::uint8_t> bytes_;  ///< by address
};

/// What AMDGPU assembly leaves open, and options give. `origin` is the number of the instruction that made a value
/// unknown, plus 1; 0: nothing has written it.
class GcnInputs final : public OpenInputs {
 public:
  GcnInputs(const GcnProgram& program, const PtxLaunch& launch, const SourceText& source)
      : OpenInputs(launch), program_(program), source_(source) {}

  /// Remembers that this instruction loads an unknown part of the kernarg segment, which `option` would give.
  void on_missing(std::uint32_t instruction, const std::string& option) { missing_.emplace(instruction, option); }

  /// Sectors of a request whose address is not known; nullopt if no option gives them: then that is unresolved.
  std::optional<std::uint32_t> sectors_of(std::uint32_t instruction, std::uint32_t origin);
  /// Returns whether an unknown branch is taken. `iteration` is that of the loop that it repeats or leaves, from 1.
  bool resolve_branch(std::uint32_t instruction, std::uint32_t origin, std::uint64_t iteration);

 private:
  SourceMark mark_of(std::uint32_t instruction) const override;
  std::string reason_for(std::uint32_t origin) const;
  /// Returns a label of an instruction, or its line.
  std::string place_of(std::uint32_t instruction) const;
  /// Returns the name of the loop whose branch goes to `target`.
  std::string loop_name(std::uint32_t loop, std::uint32_t target) const;

  const GcnProgram& program_;
  const SourceText& source_;
  std::map<std::uint32_t, std::string> missing_;  ///< by instruction
};

/// Throws InputError with all options `--arg` that the kernel's metadata does not allow, and with a range of bytes of
/// `--gather`, which only PTX takes.
void check_gcn_arguments(const GcnKernel& kernel, const PtxLaunch& launch);

/// A function of up to three words.
struct GcnOperation {
  using Words = std::uint32_t (*)(std::uint32_t a, std::uint32_t b, std::uint32_t c);

  std::string_view name;  ///< without `v_` or `s_`
  std::size_t sources = 2;
  Words of_words = nullptr;
  bool is_float = false;  ///< its sources may be negated, or without a sign
};

/// A function of up to three values of 64 bits; shift counts are words.
struct GcnWideOperation {
  using Values = std::uint64_t (*)(std::uint64_t a, std::uint64_t b, std::uint64_t c);

  std::string_view name;
  std::size_t sources = 2;
  Values of_values = nullptr;
};

/// Returns the operation of a vector instruction on 32 bits of each lane, or null if it is not followed: then its
/// result is not known.
const GcnOperation* gcn_vector_operation(std::string_view opcode);
/// Returns the same on 64 bits.
const GcnWideOperation* gcn_wide_vector_operation(std::string_view opcode);
/// Returns the operation of a scalar instruction on 32 bits, without those that only combine bits.
const GcnOperation* gcn_scalar_operation(std::string_view opcode);
const GcnWideOperation* gcn_wide_scalar_operation(std::string_view opcode);

/// Returns the result of a comparison of integers, `lt_i32` to `ge_u64`; values are extended to 64 bits. `is_known`
/// becomes false for others.
bool gcn_compare(std::string_view relation, std::uint64_t a, std::uint64_t b, bool& is_known);

/// A scalar register: its bits where they are known.
struct GcnScalar {
  std::uint32_t bits = 0;
  std::uint32_t known = 0;   ///< a bit for each
  std::uint32_t origin = 0;  ///< of unknown bits: the instruction that first made them unknown, plus 1; 0: nothing has
                             ///< written it
  bool is_known() const { return known == ~std::uint32_t{0}; }
};

/// A vector register: the bits of each lane, where they are known.
struct GcnLaneValues {
  std::array<std::uint32_t, kGcnLanes> bits{};
  std::uint64_t known = 0;  ///< a bit for each lane
  std::uint32_t origin = 0;
};

/// What a work-group's waves are executed with.
struct GcnExecution {
  const GcnProgram& program;
  const GcnConstants& constants;
  const PtxLaunch& launch;
  GcnLog& log;
  GcnInputs& inputs;
  std::uint64_t max_instructions = 0;  ///< of all waves that the log counts
};

/// Executes the instructions of one wave that addresses and branches depend on, and logs what the others do. Where data
/// decide which lanes are active, and no branch depends on that, all lanes take part that may be active.
class GcnWave {
 public:
  enum class State : std::uint8_t { at_barrier, ended };

  GcnWave(const GcnExecution& execution, const std::array<std::uint64_t, 3>& group, std::uint32_t number);

  /// Executes up to the next barrier, or to the end. Throws InputError if it exceeds the maximum of instructions.
  State run();

 private:
  /// A source operand of a vector instruction: one word of it.
  struct Source {
    const GcnLaneValues* lanes = nullptr;
    std::uint32_t bits = 0;
    std::uint64_t known = 0;  ///< a bit for each lane
    std::uint32_t origin = 0;

    std::uint32_t in(std::uint32_t lane) const { return lanes == nullptr ? bits : lanes->bits[lane]; }
  };

  void set_up_scalars(const std::array<std::uint64_t, 3>& group);
  void set_up_items();
  void set(std::uint32_t reg, std::uint32_t bits) { scalars_[reg] = {bits, ~std::uint32_t{0}, 0}; }

  void follow_loops(std::uint32_t at);
  bool is_taken(std::uint32_t at);
  bool is_exec_branch_taken(std::uint32_t at, bool if_zero);
  bool resolve(std::uint32_t at, std::uint32_t origin);
  std::optional<State> execute(std::uint32_t at);

  // Scalar arithmetic.
  GcnScalar scalar(const GcnOperand& operand, std::uint32_t word) const;
  std::optional<std::uint64_t> wide_scalar(const GcnOperand& operand, std::uint32_t& origin) const;
  void write_scalar(std::uint32_t reg, const GcnScalar& value);
  /// Writes a word of an operand. Writes nothing if the operand has no such word, as `null` has none.
  void write_word(const GcnOperand& operand, std::uint32_t word, const GcnScalar& value);
  void write_wide(const GcnOperand& operand, std::optional<std::uint64_t> value, std::uint32_t origin);
  void set_scc(std::optional<bool> value, std::uint32_t origin);
  void execute_scalar(std::uint32_t at);
  bool combine_bits(std::uint32_t at);
  bool combine_exec(std::uint32_t at);
  bool add_scalars(std::uint32_t at);
  bool compare_scalars(std::uint32_t at);
  bool select_scalar(std::uint32_t at);
  bool apply_scalar(std::uint32_t at);
  void load_scalars(std::uint32_t at);
  std::optional<std::uint32_t> constant_word(std::uint64_t address, std::uint32_t bytes, std::uint32_t at);

  // Vector arithmetic.
  std::uint64_t active() const { return maybe_active() & all_; }
  std::uint64_t maybe_active() const;
  std::uint64_t surely_active() const;
  Source source(const GcnOperand& operand, std::uint32_t word = 0) const;
  void write_lanes(std::uint32_t reg, const GcnLaneValues& values);
  void write_mask(const GcnOperand& operand, std::uint64_t bits, std::uint64_t known, std::uint32_t origin);
  void execute_vector(std::uint32_t at);
  bool compare_lanes(std::uint32_t at);
  bool add_lanes(std::uint32_t at);
  bool multiply_wide(std::uint32_t at);
  bool select_lanes(std::uint32_t at);
  bool read_lane(std::uint32_t at);
  bool count_mask(std::uint32_t at);
  bool move_pair(std::uint32_t at);
  bool apply_lanes(std::uint32_t at);
  /// Makes all registers unknown that the instruction writes.
  void forget_results(std::uint32_t at);
  /// Return true if the operand is `words` vector registers, or scalar registers that hold `words` words. Else they
  /// refuse the instruction.
  bool is_vector_destination(std::uint32_t at, const GcnOperand& operand, std::uint32_t words);
  bool is_scalar_destination(std::uint32_t at, const GcnOperand& operand, std::uint32_t words);

  // Memory.
  void access(std::uint32_t at);
  void access_lds(std::uint32_t at, std::uint64_t active);
  bool addresses_of(std::uint32_t at, std::uint64_t active, GcnAddresses& addresses, std::uint32_t& origin) const;
  bool buffer_addresses(std::uint32_t at, std::uint64_t active, GcnAddresses& addresses, std::uint32_t& origin) const;
  void load_constants(std::uint32_t at, const GcnAddresses& addresses, std::uint64_t active);

  const GcnInstruction& instruction_at(std::uint32_t at) const { return execution_.program.kernel->instructions[at]; }

  GcnExecution execution_;
  std::uint32_t number_;
  std::uint32_t lanes_;
  std::uint64_t all_ = 0;  ///< lanes with a work-item
  std::uint32_t at_ = 0;   ///< the next instruction
  std::uint32_t before_;   ///< the instruction executed last
  std::vector<std::uint64_t> iteration_;
  std::vector<GcnScalar> scalars_;
  std::vector<GcnLaneValues> vectors_;
  /// Registers and lanes that were written where data decide whether they are.
  std::vector<std::pair<std::uint32_t, std::uint64_t>> unsure_writes_;
  /// The mask that made some of `exec` unknown, and whether its lanes left `exec`.
  std::optional<GcnOperand> mask_;
  bool is_mask_inverted_ = false;
};

}  // namespace gdsim
