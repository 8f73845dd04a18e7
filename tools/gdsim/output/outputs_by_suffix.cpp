#include "output/outputs_by_suffix.hpp"

#include "output/output_file.hpp"
#include "output/standard_output.hpp"
#include "terminal/log.hpp"

#include <gdsim/base/check.hpp>
#include <gdsim/base/text.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace gdsim::cli {
namespace {

constexpr std::string_view kStore = ".sqlite";

const std::function<void(Sink&)>& writer_for(const std::vector<SuffixWriter>& writers, std::string_view suffix) {
  const auto found =
      std::find_if(writers.begin(), writers.end(), [&](const auto& one) { return one.suffix == suffix; });
  GDSIM_CHECK(found != writers.end(), "a suffix is known that has no writer: " + std::string(suffix));
  return found->write;
}

NamedOutput named(const std::filesystem::path& file) { return {"-o " + file.string(), file}; }

}  // namespace

OutputsBySuffix::OutputsBySuffix(const Options& options, std::vector<std::string_view> known)
    : format_(options.value("format").value_or("text")) {
  constexpr std::array<std::string_view, 3> formats{"text", "csv", "json"};
  if (std::find(formats.begin(), formats.end(), format_) == formats.end())
    throw UsageError("--format is " + in_quotes(format_) + "; known: " + join(formats));
  for (const std::string& name : options.values("output")) {
    std::filesystem::path file = name;
    if (std::find(known.begin(), known.end(), file.extension().string()) == known.end())
      throw UsageError("-o " + in_quotes(name) + " has no suffix that says what to write; known: " + join(known));
    if (file.extension() != kStore) {
      files_.push_back(std::move(file));
    } else if (store_.empty()) {
      store_ = std::move(file);
    } else {
      throw UsageError("-o names two stores, " + store_.string() + " and " + name);
    }
  }
}

void OutputsBySuffix::require_free(const FileRegister& inputs) const {
  std::vector<NamedOutput> outputs;
  if (!store_.empty())
    for (const char* beside : {"", "-wal", "-shm", "-journal"})  // the files that SQLite writes
      outputs.push_back({"-o " + store_.string(), store_.string() + beside});
  for (const std::filesystem::path& file : files_) outputs.push_back(named(file));
  outputs.push_back(standard_output());
  cli::require_free(outputs, inputs);
}

void OutputsBySuffix::write(const std::vector<SuffixWriter>& writers, const std::function<std::string()>& text,
                            const FileRegister& inputs, StandardOutput& out) const {
  require_free(inputs);
  for (const std::filesystem::path& path : files_) {
    OutputFile file(named(path), inputs, out);
    writer_for(writers, path.extension().string())(file.sink());
    file.commit();
    log_info("wrote " + path.string());
  }
  if (format_ == "text") {
    out.show(text());
  } else {
    writer_for(writers, "." + format_)(out);
  }
  out.flush();
}

OptionSpec OutputsBySuffix::format_spec() {
  return {"format",       0, "FORMAT", "what goes to standard output: text (default), csv or json", Times::once,
          "text csv json"};
}

}  // namespace gdsim::cli
