#include "import_files.hpp"

#include "answers.hpp"
#include "import/imports.hpp"
#include "kept_import.hpp"
#include "options/command.hpp"
#include "output/sinks.hpp"
#include "playground_run.hpp"

#include <gdsim/base/text.hpp>
#include <gdsim/import/ptx/reader/read_ptx.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>

namespace gdsim::playground {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFolder = "/dropped";

/// The dropped files in a folder, which is the current one, for as long as this lives.
class DroppedFolder {
 public:
  explicit DroppedFolder(const std::vector<DroppedFile>& files) {
    fs::remove_all(kFolder);
    fs::create_directory(kFolder);
    fs::current_path(kFolder);
    for (const DroppedFile& file : files) std::ofstream(file.name, std::ios::binary) << file.bytes;
  }
  ~DroppedFolder() {
    std::error_code ignored;
    fs::current_path("/", ignored);
    fs::remove_all(kFolder, ignored);
  }
  DroppedFolder(const DroppedFolder&) = delete;
  DroppedFolder& operator=(const DroppedFolder&) = delete;
};

/// Reads words such as `--device a100 --exact --arg=0=4096` as options of the command.
class WordReader {
 public:
  explicit WordReader(const std::vector<std::string>& words) : words_(words) {}

  std::vector<cli::Options::Given> read() {
    std::vector<cli::Options::Given> given;
    while (next_ < words_.size()) given.push_back(read_option());
    return given;
  }

 private:
  cli::Options::Given read_option() {
    const std::string& word = words_[next_++];
    const std::size_t equals = word.find('=');
    const cli::OptionSpec& spec = option_called(word.substr(0, equals));
    cli::Options::Given given{std::string(spec.name), {}};
    if (spec.argument.empty() && equals == std::string::npos) return given;
    if (spec.argument.empty()) throw cli::UsageError(in_quotes(word) + ": --" + given.name + " has no value");
    if (equals == std::string::npos && next_ == words_.size())
      throw cli::UsageError("--" + given.name + " needs a value: --" + given.name + " " + std::string(spec.argument));
    given.values.push_back(equals == std::string::npos ? words_[next_++] : word.substr(equals + 1));
    return given;
  }

  const cli::OptionSpec& option_called(const std::string& name) const {
    // The page is the output, and the playground's models are all that there are.
    const auto is_it = [&](const cli::OptionSpec& spec) {
      return name == "--" + std::string(spec.name) && spec.name != "output";
    };
    const auto found = std::find_if(command_.spec.options.begin(), command_.spec.options.end(), is_it);
    if (found != command_.spec.options.end()) return *found;
    std::string known;
    for (const cli::OptionSpec& spec : command_.spec.options)
      if (spec.name != "output") known += (known.empty() ? "--" : ", --") + std::string(spec.name);
    throw cli::UsageError(in_quotes(name) + " is no option of an import here, which are " + known);
  }

  cli::Command command_ = cli::import_command();
  const std::vector<std::string>& words_;
  std::size_t next_ = 0;
};

bool has(const std::vector<cli::Options::Given>& given, std::string_view name) {
  return std::any_of(given.begin(), given.end(), [&](const auto& one) { return one.name == name; });
}

/// Machine code may hold PTX, too.
bool is_text_of_ptx(const DroppedFile& file) {
  return file.bytes.find('\0') == std::string::npos && is_ptx(file.bytes);
}

/// Completes the options of PTX: its other file is that of machine code.
cli::Options options_for(const std::vector<DroppedFile>& files, std::vector<cli::Options::Given> given) {
  std::vector<std::string> arguments;
  std::vector<std::string> others;
  for (const DroppedFile& file : files) (is_text_of_ptx(file) ? arguments : others).push_back(file.name);
  if (arguments.empty()) return {std::move(others), std::move(given)};
  if (!has(given, "program")) given.push_back({"program", {}});
  if (others.size() > 1) throw cli::UsageError("beside PTX, one file can be dropped: its machine code");
  if (!others.empty()) given.push_back({"cubin", {others.front()}});
  return {std::move(arguments), std::move(given)};
}

void require_no_device_file(const cli::Options& options) {
  for (const std::string& file : options.arguments())
    if (const ProfileInput input{fs::path(file)}; cli::is_simulator_config(input))
      input.fail("is a configuration of a simulator, and becomes a device, not a scenario; `gdsim import` makes it");
}

void import(const std::vector<DroppedFile>& files, const std::vector<std::string>& words) {
  const cli::Options options = options_for(files, WordReader(words).read());
  const DroppedFolder folder(files);
  setenv("GDSIM_MODELS", kModels, 1);
  require_no_device_file(options);
  cli::StandardOutput out;
  cli::CommandContext context{options, out, {}};
  cli::import_command().run(context);
}

}  // namespace

std::string import_json(const std::vector<DroppedFile>& files, const std::vector<std::string>& words) {
  kept_import() = {};
  const std::vector<Diagnostic> problems = problems_of([&] { import(files, words); }, "import");
  JsonWriter json;
  json.open_object();
  write_problems(problems, "", json);
  json.key("file").text(files.empty() ? "" : fs::path(files.front().name).stem().string() + ".yaml");
  json.key("text").text(kept_import().text).key("report");
  write_texts(kept_import().report, json);
  json.close_object();
  return json.finish();
}

}  // namespace gdsim::playground
