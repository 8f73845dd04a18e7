#pragma once

#include <gdsim/import/amd/gcn/gcn_kernel.hpp>
#include <gdsim/import/imported_scenario.hpp>
#include <gdsim/import/ptx/reader/ptx_kernel.hpp>
#include <gdsim/import/read_compiled.hpp>
#include <gdsim/scenario/occupancy_request.hpp>
#include "options/command.hpp"

#include <optional>
#include <string>
#include <vector>

namespace gdsim::cli {

/// A kernel of a compiler's file, with all inputs of the calculator.
struct CompiledEntry {
  ImportedKernel kernel;
  OccupancyRequest request;  ///< for any number of work-groups
};

/// Selects kernels of files and says how they are launched.
struct CompiledQuery {
  std::vector<std::string> files;
  std::string device;  ///< a model's name or a path; empty: the family that the files are compiled for
  std::string kernel;  ///< a regular expression; empty: all
  std::optional<std::uint64_t> block;
  Bytes shared;
  bool wants_program = false;  ///< the only file is PTX or AMDGPU assembly
  std::string machine_code{};  ///< a file with the registers of the PTX's kernels; empty: none
};

/// Kernels that compilers have made, for one device. The reader and all it refers to must outlive the entries.
struct CompiledAnswer {
  std::string device;  ///< as the query named it, or its family
  std::vector<CompiledEntry> entries;
  std::vector<std::string> notes;     ///< for a person: parts of files that were left out
  std::optional<PtxModule> program;   ///< the file of a query that wants_program, if it is PTX
  std::optional<GcnModule> assembly;  ///< the same, if it is AMDGPU assembly
};

/// Reads the files and chooses what the query asks for. Throws InputError with the problems of all files and kernels.
CompiledAnswer read_compiled_input(const CompiledQuery& query, ModelLibrary& models, SourceFiles& sources,
                                   OccupancyRequestReader& reader);

/// The value of an option that is a number of work-items or work-groups, from 1 to 2^31. Throws UsageError otherwise.
std::optional<std::uint64_t> count_option(const Options& options, std::string_view name);

/// The value of an option that is a number of bytes, with a unit or without. Throws UsageError otherwise.
Bytes bytes_option(const Options& options, std::string_view name);

}  // namespace gdsim::cli
