#include "output/output_files.hpp"

#include "output/sinks.hpp"
#include "terminal/log.hpp"

#include <gdsim/base/check.hpp>
#include <gdsim/base/text.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

namespace gdsim::cli {
namespace {

namespace fs = std::filesystem;

/// The name of the file in its aside folder.
constexpr const char* kFile = "output";

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

/// Returns the descriptor that a path such as /proc/self/fd/1 names, or -1 if it names none of this process.
int own_descriptor(const fs::path& path) {
  std::error_code error;
  const fs::path folder = fs::canonical(folder_of(path), error);
  const std::string name = path.filename().string();
  if (error || folder != fs::path("/proc") / std::to_string(getpid()) / "fd") return -1;
  constexpr std::size_t max_digits = 9;
  const bool is_number = !name.empty() && name.size() <= max_digits &&
                         std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
  return is_number ? std::stoi(name) : -1;
}

/// Follows links to a file, which need not exist, or to an open descriptor.
fs::path follow_links(const fs::path& path) {
  constexpr int max_links = 40;  // as in the kernel
  fs::path link_target = path;
  std::error_code error;
  for (int i = 0; i < max_links; ++i) {
    if (own_descriptor(link_target) >= 0 || !fs::is_symlink(link_target, error)) return link_target;
    const fs::path target = fs::read_symlink(link_target, error);
    if (error) fail_to_write(path, error.message());
    link_target = target.is_absolute() ? target : folder_of(link_target) / target;
  }
  fail_to_write(path, std::strerror(ELOOP));
}

}  // namespace

bool is_standard_output(const std::string& name) { return name == "-"; }

OutputFile::OutputFile(NamedOutput output, const FileRegister& inputs, StandardOutput& out)
    : output_(std::move(output)), path_(output_.file), inputs_(inputs), out_(out) {
  require_free({&output_, 1}, inputs_);
  if (is_standard_output(path_.string())) return;
  place_ = follow_links(path_);
  if (const int own = own_descriptor(place_); own >= 0) {
    sink_.emplace(fcntl(own, F_DUPFD_CLOEXEC, 0), path_);
    sink_->allow_closed_pipe();
    return;
  }
  struct stat found {};
  const bool exists = stat(place_.c_str(), &found) == 0;
  if (exists && S_ISDIR(found.st_mode)) fail_to_write(path_, "it is a folder");
  if (exists && !S_ISREG(found.st_mode)) {
    sink_.emplace(open(place_.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC), path_);
    if (S_ISFIFO(found.st_mode)) sink_->allow_closed_pipe();
    return;
  }
  aside_.emplace(folder_of(place_), path_);
  const fs::path file = aside_->add(kFile, path_);
  sink_.emplace(file, path_);
  if (exists) chmod(file.c_str(), found.st_mode & 07777U);  // if this fails, it keeps the mode of a new file
}

Sink& OutputFile::sink() {
  if (sink_) return *sink_;
  return out_;
}

void OutputFile::commit() {
  if (!sink_) return out_.flush();
  require_free({&output_, 1}, inputs_);
  sink_->close();
  if (!aside_) return;
  sync_path(aside_->path() / kFile, path_);
  std::error_code error;
  fs::rename(aside_->path() / kFile, place_, error);
  if (error) fail_to_write(path_, error.message());
  sync_path(folder_of(place_), path_);
}

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
