#pragma once

#include <string_view>

namespace gdsim::cli {

/// The JSON Schemas of scenarios and of device models, embedded at build time.
std::string_view scenario_schema_text();
std::string_view device_schema_text();
/// The terms of gdsim, SYCL, CUDA, HIP and VTune side by side: words.txt.
std::string_view words_text();
/// The outputs of a run, column by column: outputs.txt.
std::string_view outputs_text();

}  // namespace gdsim::cli
