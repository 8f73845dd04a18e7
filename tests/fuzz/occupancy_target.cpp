#include "fuzz_targets.hpp"
#include "occupancy/occupancy_tables.hpp"
#include "quiet_log.hpp"
#include "support/string_sink.hpp"

#include <gdsim/base/diagnostic.hpp>

namespace gdsim::fuzz {

void occupancy(std::string_view input) {
  quiet_log();
  try {
    SourceFiles sources;
    ModelLibrary models({GDSIM_FUZZ_MODELS}, sources);
    testing::StringSink answers;
    const SourceText& source = sources.keep("fuzz.csv", std::string(input));
    static_cast<void>(cli::write_occupancy_table(source, GDSIM_FUZZ_MODELS, models, answers));
  } catch (const InputError&) {
  }
}

}  // namespace gdsim::fuzz
