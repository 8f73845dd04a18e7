#pragma once

#include <gdsim/import/ptx/ptx_launch.hpp>
#include <gdsim/import/ptx/reader/ptx_kernel.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <vector>

namespace gdsim {

/// Instructions that are executed one after the other: only the last one may be a branch, an end or a barrier.
struct BasicBlock {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;                  ///< after its last instruction
  std::vector<std::uint32_t> successors;  ///< blocks; the target of a taken branch first
  std::optional<std::uint32_t> loop{};    ///< the innermost loop that contains it
};

/// A natural loop.
struct FlowLoop {
  std::uint32_t head = 0;                 ///< the block through which it is entered
  std::vector<std::uint32_t> blocks;      ///< ascending, those of inner loops included
  std::optional<std::uint32_t> parent{};  ///< the innermost loop around it

  bool holds(std::uint32_t block) const;
};

/// Blocks in the order of the file, and loops, outer loops before inner ones.
struct FlowGraph {
  std::vector<BasicBlock> blocks;
  std::vector<FlowLoop> loops;
  std::vector<std::uint32_t> block_at;  ///< by instruction
};

/// Throws InputError if a loop can be entered in several places, since its repeated part is then unknown.
FlowGraph flow_of(const PtxKernel& kernel);

/// A value that `ld.param` loads into one register.
struct LoadedArgument {
  PtxArgument argument;
  std::uint32_t destination = 0;
  unsigned bytes = 0;
  bool is_signed = false;
};

/// Elements of an instruction that loads arguments; none for any other.
using LoadedArguments = std::function<std::vector<LoadedArgument>(const PtxInstruction&)>;

/// Arguments of 8 bytes that are the base of an address: copies and additions lead from them to an access, and no other
/// possible address takes part. Products, shifts and conversions are offsets. An address with two arguments as parts
/// says nothing about either, unless `values` names one: an argument given by --arg is no pointer.
std::set<PtxArgument> pointer_arguments(const PtxKernel& kernel, const LoadedArguments& loaded,
                                        const std::set<PtxArgument>& values);

/// By instruction: true if it adds a product that nothing else reads, of two numbers of 16 bits or to 64 bits, of the
/// same basic block, and neither prescribes a rounding. ptxas makes one multiply-add of both: seen in code of CUDA 13.0
/// for sm_86 (leimao/CUDA-GEMM-Optimization@747e49b4, src/03_2d_block_tiling_1d_thread_tiling.cu: 72 `mul.f16` and 72
/// `add.f16` for each step of a tile become packed HFMA2 alone). A product `mul.wide` of 32 bits and the sum that makes
/// an address of it are one IMAD.WIDE (import/ptx/opcodes_test). Others of 32 and 64 bits are fused by nvcc already.
std::vector<bool> fused_additions(const PtxKernel& kernel, const FlowGraph& flow);

}  // namespace gdsim
