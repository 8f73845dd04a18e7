#pragma once

#include <gdsim/import/ptx/ptx_launch.hpp>
#include <gdsim/import/ptx/reader/ptx_kernel.hpp>
#include <gdsim/import/ptx/static_analysis/flow_graph.hpp>

#include <cstdint>
#include <functional>
#include <set>
#include <vector>

namespace gdsim {

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
/// an address of it are one IMAD.WIDE (tests/import/ptx/opcodes). Others of 32 and 64 bits are fused by nvcc already.
std::vector<bool> fused_additions(const PtxKernel& kernel, const FlowGraph& flow);

}  // namespace gdsim
