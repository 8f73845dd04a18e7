#pragma once

#include <string_view>

namespace gdsim::cli {

/// The JSON Schemas of scenarios and of device models, as they were when the program was built.
std::string_view scenario_schema_text();
std::string_view device_schema_text();
/// What things are called here, in SYCL, CUDA, HIP and VTune: words.txt.
std::string_view words_text();
/// What a run writes, column by column: outputs.txt.
std::string_view outputs_text();

}  // namespace gdsim::cli
