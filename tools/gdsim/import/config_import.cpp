#include "import/config_import.hpp"
#include "import/import_output.hpp"
#include "terminal/log.hpp"
#include <gdsim/base/text.hpp>
#include <gdsim/import/profiles/text/accelsim.hpp>
#include <gdsim/scenario/device/read_device.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <fmt/format.h>

namespace gdsim::cli {
namespace {

/// Throws InputError if the device file cannot be used; it is not written then.
void require_device(const std::string& text, const std::string& file, ModelLibrary& models, SourceFiles& sources) {
  const SourceText& source = sources.keep("the device of " + file, text);
  Diagnostics problems;
  if (const auto node = read_yaml(source, problems))
    static_cast<void>(read_device(*node, ".", models, ValueReader(problems)));
  problems.throw_if_any();
}

void report_unused(const GpgpuSimConfig& config) {
  constexpr std::size_t few = 12;
  std::string names;
  for (std::size_t i = 0; i < config.unused.size() && i < few; ++i)
    names += (i == 0 ? "" : ", ") + printable(config.unused[i]);
  if (config.unused.size() > few) names += fmt::format(" and {} more", config.unused.size() - few);
  if (!names.empty()) log_report("note: options that were not used: " + names);
}

}  // namespace

bool is_simulator_config(const ProfileInput& input) { return is_gpgpusim_config(input.head()); }

ExitStatus import_config(CommandContext& context, const ProfileInput& input, ModelLibrary& models,
                         SourceFiles& sources) {
  const std::string output = context.options.value("output").value_or("-");
  const GpgpuSimConfig config = read_gpgpusim_config(input.text());
  const std::string name = output == "-" ? "gpgpusim" : std::filesystem::path(output).stem().string();
  const std::string file = std::filesystem::path(input.name()).filename().string();
  const std::string text = device_file_of(config, name, file);
  require_device(text, input.name(), models, sources);
  write_imported(context, [&](Sink& sink) { sink.write(text); });
  log_report(
      fmt::format("read: {} (GPGPU-Sim's configuration): a device on {}; caches and memory are the family's, of "
                  "which most have none",
                  printable(input.name()), config.family));
  report_unused(config);
  return ExitStatus::done;
}

}  // namespace gdsim::cli
