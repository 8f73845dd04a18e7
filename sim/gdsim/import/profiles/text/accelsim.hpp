#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/profiles/profile.hpp>

#include <filesystem>
#include <string_view>

namespace gdsim {

/// Returns true if the text is Accel-Sim's list of kernels (`kernelslist.g`).
bool is_kernels_list(std::string_view text);

/// Returns true if the text is the trace of one kernel (`kernel-1.traceg`).
bool is_kernel_trace(std::string_view text);

/// Reads a list: copies, and the headers of the traces in the list's folder. Throws InputError with the line if one of
/// them cannot be read.
void read_kernels_list(const SourceText& source, const std::filesystem::path& folder, Profile& profile);

/// Reads the header of one trace. Throws InputError with the line at fault.
void read_kernel_trace(const SourceText& source, Profile& profile);

/// Returns true if the text is a trace of Balar's CUDA calls.
bool is_balar_trace(std::string_view text);

/// Reads its launches and copies. Throws InputError with the line at fault.
void read_balar_trace(const SourceText& source, Profile& profile);

}  // namespace gdsim
