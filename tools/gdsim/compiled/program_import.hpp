#pragma once

#include "compiled/compiled_input.hpp"
#include "options/options.hpp"

namespace gdsim::cli {

/// Makes the program of the one kernel of the answer, which was read from PTX, and gives it to its entry. Throws
/// UsageError if there are several kernels, InputError with all that PTX and options leave open.
void add_program(CompiledAnswer& answer, const Options& options, const ModelLibrary& models, SourceFiles& sources);

}  // namespace gdsim::cli
