#pragma once

#include <gdsim/import/profiles/byte_stream.hpp>
#include <gdsim/import/profiles/profile.hpp>

#include <string_view>

namespace gdsim {

/// The head of a file is that of a trace in Chrome's format, as PyTorch's profiler (Kineto) writes it.
bool is_chrome_trace(std::string_view head);

/// Reads kernels, copies and fills of a trace, and its devices. A ROCm trace counts a grid in work-items where the call
/// with the same correlation is hipExtModuleLaunchKernel. Throws InputError with the offset of what cannot be read.
void read_kineto(ByteStream& stream, Profile& profile);

}  // namespace gdsim
