#pragma once

#include "compiled/compiled_input.hpp"
#include "options/options.hpp"

namespace gdsim::cli {

/// Makes the program of the answer's only kernel, which was read from PTX, and adds it to the kernel's entry. Throws
/// UsageError if there are several kernels, InputError with everything that PTX and options leave undefined.
void add_program(CompiledAnswer& answer, const Options& options, const ModelLibrary& models, SourceFiles& sources);

}  // namespace gdsim::cli
