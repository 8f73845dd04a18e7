#pragma once

#include <gdsim/import/ptx/reader/ptx_kernel.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace gdsim {

/// The effect of an instruction on a thread, as far as a program of steps can express it.
enum class PtxRole : std::uint8_t {
  free,        ///< machine code has no instruction for it: moves of registers, parameters, conversions of addresses
  arithmetic,  ///< `kind` says which
  load,        ///< of global or shared memory
  store,
  atomic,
  barrier,
  branch,
  end,         ///< `ret`, `exit`
  unsupported  ///< no step expresses it: asynchronous copies, tensor cores, local memory, calls
};

enum class PtxSpace : std::uint8_t { none, global, shared, generic, local };

struct PtxClass {
  PtxRole role{};
  PtxSpace space = PtxSpace::none;
  std::string_view kind{};   ///< of `arithmetic`, as devices call it: fp32, fp64, fp16, int32, sfu
  std::uint32_t copies = 1;  ///< minimum number of instructions of this kind in machine code
  std::uint32_t bytes = 0;   ///< of one work-item's access
  bool skips_l1 = false;     ///< `.cg`, `.cv`, `.volatile`, ...
};

/// The class of the instruction in PTX. Counts are those of PTX: machine code may have others.
PtxClass class_of(const PtxInstruction& instruction);

}  // namespace gdsim
