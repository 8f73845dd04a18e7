#pragma once

#include <gdsim/import/ptx/ptx_launch.hpp>
#include <gdsim/import/ptx/reader/ptx_kernel.hpp>

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

}  // namespace gdsim
