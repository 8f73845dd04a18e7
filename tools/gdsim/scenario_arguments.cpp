#include "scenario_arguments.hpp"

#include "model_folders.hpp"

namespace gdsim::cli {
namespace {

Override parse_override(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw UsageError("--set '" + text + "' is not PATH=VALUE, as in --set kernels.k.global=5120");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace

ReadOptions scenario_options(const Options& options) {
  ReadOptions read;
  read.models = model_folders(options);
  read.only_case = options.value("case").value_or("");
  for (const std::string& text : options.values("set")) read.overrides.push_back(parse_override(text));
  return read;
}

std::vector<OptionSpec> scenario_option_specs() {
  return {{"set", 0, "PATH=VALUE",
           "replace one value of the scenario before it is read (repeatable; quote it for the\n"
           "                           shell if it has spaces: --set 'kernels.k.slm=4 KiB')",
           Times::any},
          {"case", 0, "NAME", "run only this one of the scenario's cases"}};
}

}  // namespace gdsim::cli
