#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/import/imported_program.hpp>
#include <gdsim/import/ptx/ptx_launch.hpp>
#include <gdsim/import/ptx/reader/ptx_kernel.hpp>

#include <cstdint>
#include <string_view>

namespace gdsim {

/// The place where a kernel's program will run.
struct ProgramPlace {
  const DeviceSpec* device = nullptr;
  std::string_view family;            ///< `cc-8.6`; anything else: the size of its L1 is not known
  std::uint64_t groups_per_core = 1;  ///< resident at once, at least 1
  std::uint64_t slm = 0;              ///< bytes that a work-group requests
  bool has_registers = false;         ///< registers were given besides the PTX
};

/// The program of the kernel's threads, from its PTX. Throws InputError with lines and columns of everything that PTX
/// and launch leave open, and the options that resolve it.
ImportedProgram import_program(const PtxKernel& kernel, const PtxLaunch& launch, const ProgramPlace& place,
                               const SourceText& source);

}  // namespace gdsim
