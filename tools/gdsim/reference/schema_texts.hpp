#pragma once

#include <string_view>

namespace gdsim::cli {

/// The JSON Schemas of scenarios and of device models, embedded at build time.
std::string_view scenario_schema_text();
std::string_view device_schema_text();
/// The terms of gdsim, SYCL, CUDA, HIP and VTune side by side: words.txt.
std::string_view words_text();
/// The outputs of a run: outputs.txt. A line `@NAME...` stands for the tables NAME.csv, which share their columns.
std::string_view outputs_text();

}  // namespace gdsim::cli
