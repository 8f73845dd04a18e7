#include "import/imports.hpp"

#include "output/output_files.hpp"
#include "output/sinks.hpp"
#include "terminal/log.hpp"

#include <span>
#include <string>

namespace gdsim::cli {

void write_imported(CommandContext& context, const std::function<void(Sink&)>& write) {
  const std::string output = context.options.value("output").value_or("-");
  const NamedOutput named{"-o " + output, output};
  require_free(std::span(&named, 1), context.inputs);
  OutputFile file(named, context.inputs, context.out);
  write(file.sink());
  file.commit();
  context.out.flush();
  if (output != "-") log_info("wrote " + output);
}

}  // namespace gdsim::cli
