#pragma once

#include <gdsim/import/profiles/byte_stream.hpp>
#include <gdsim/import/profiles/profile.hpp>

#include <string_view>

namespace gdsim {

/// Returns true if the head of a file begins a trace in Chrome's format, as PyTorch's profiler (Kineto) writes it.
bool is_chrome_trace(std::string_view head);

/// Reads the kernels, copies, fills and devices of a trace. A ROCm trace counts a grid in work-items if the call with
/// the same correlation is hipExtModuleLaunchKernel. Throws InputError with the offset of the fault.
void read_kineto(ByteStream& stream, Profile& profile);

}  // namespace gdsim
