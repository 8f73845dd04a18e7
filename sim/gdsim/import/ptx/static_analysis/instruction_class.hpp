#pragma once

#include <gdsim/import/ptx/reader/ptx_kernel.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace gdsim {

/// What an instruction does to a thread, as far as a program of steps can say it.
enum class PtxRole : std::uint8_t {
  free,        ///< machine code has none for it: moves of registers, parameters, conversions of addresses
  arithmetic,  ///< `kind` says which
  load,        ///< of global or shared memory
  store,
  atomic,
  barrier,
  branch,
  end,         ///< `ret`, `exit`
  unsupported  ///< no step says what it does: asynchronous copies, tensor cores, local memory, calls
};

enum class PtxSpace : std::uint8_t { none, global, shared, generic, local };

struct PtxClass {
  PtxRole role{};
  PtxSpace space = PtxSpace::none;
  std::string_view kind{};   ///< of `arithmetic`, as devices call it: fp32, fp64, fp16, int32, sfu
  std::uint32_t copies = 1;  ///< instructions of this kind that machine code has for it at least
  std::uint32_t bytes = 0;   ///< of a work-item, of an access
  bool skips_l1 = false;     ///< `.cg`, `.cv`, `.volatile`, ...
};

/// What PTX says of the instruction. Counts are those of PTX: machine code may have others.
PtxClass class_of(const PtxInstruction& instruction);

}  // namespace gdsim
