#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/amd/gcn/gcn_program.hpp>
#include <gdsim/import/ptx/ptx_launch.hpp>
#include <gdsim/import/ptx/unresolved_inputs.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

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

/// What the code and the launch of a kernel leave open, each once, with its line and the option that resolves it.
class GcnInputs {
 public:
  GcnInputs(const GcnProgram& program, const PtxLaunch& launch, const SourceText& source)
      : program_(program), launch_(launch), source_(source) {}

  /// `origin` is the number of the instruction that made a value unknown, plus 1; 0: nothing has written it. Remembers
  /// that this instruction loads a part of the kernarg segment that `option` gives.
  void on_missing(std::uint32_t instruction, const std::string& option) { missing_.emplace(instruction, option); }

  /// Sectors of a request whose address is not known; nullopt if no option gives them: then that is unresolved.
  std::optional<std::uint32_t> sectors_of(std::uint32_t instruction, std::uint32_t origin);
  /// Returns whether an unknown branch is taken. `iteration` is that of the loop that it repeats or leaves, from 1.
  bool resolve_branch(std::uint32_t instruction, std::uint32_t origin, std::uint64_t iteration);
  /// Refuses the instruction; no option resolves it.
  void refuse(std::uint32_t instruction, const std::string& why) { add(instruction, why); }

  bool empty() const { return problems_.empty(); }
  void throw_if_any();

 private:
  void add(std::uint32_t instruction, const std::string& what);
  std::string reason_for(std::uint32_t origin) const;
  /// Returns a label of an instruction, or its line.
  std::string place_of(std::uint32_t instruction) const;
  /// Returns true if the branch leads back to the loop's head, or out of the loop on one of its sides.
  bool repeats(std::uint32_t instruction, std::uint32_t loop) const;
  bool repeat(std::uint32_t instruction, const std::string& why, std::uint32_t loop, std::uint64_t iteration);

  const GcnProgram& program_;
  const PtxLaunch& launch_;
  const SourceText& source_;
  Diagnostics problems_;
  std::map<std::uint32_t, std::string> missing_;  ///< by instruction
  std::set<std::uint32_t> added_;                 ///< instructions
  UsedOptions used_;
};

/// Refuses options `--arg` that the kernel's metadata does not allow. Throws InputError with all of them.
void check_gcn_arguments(const GcnKernel& kernel, const PtxLaunch& launch);

}  // namespace gdsim
