#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/scenario/scenario.hpp>

#include <cstddef>
#include <deque>
#include <filesystem>
#include <string>
#include <vector>

namespace gdsim {

/// A file that is longer is refused, be it a device or a pipe that never ends: 1 GiB.
inline constexpr std::size_t kMaxFileBytes = std::size_t{1} << 30;

/// Keeps every text that was read for as long as marks into it are needed. For one thread at a time.
class SourceFiles {
 public:
  /// Reads a file; `-` is standard input. Throws InputError if it cannot be read or is longer than `max`.
  const SourceText& read(const std::filesystem::path& path, std::size_t max = kMaxFileBytes);
  /// Keeps a text that stands in no file, e.g. the value of `--set`.
  const SourceText& keep(std::string name, std::string text);
  /// The text that was read first: the scenario, where one was read.
  const SourceText& first() const { return texts_.front(); }
  /// Every text, in the order in which they were read.
  const std::deque<SourceText>& all() const { return texts_; }

 private:
  std::deque<SourceText> texts_;
};

struct PolicyCatalog;

/// One value of a scenario to be replaced before it is read, as on the command line.
struct Override {
  std::string path;   ///< `kernels.k.global`, `launches.0.at`, `device.cores`, or a short name: `tile`, `local`
  std::string value;  ///< as it would stand in the file
};

/// How a scenario file is to be read.
struct ReadOptions {
  std::vector<Override> overrides;            ///< in order; they win over what a case sets
  std::vector<std::filesystem::path> models;  ///< folders in which device models are looked up, in order
  const PolicyCatalog* policies = nullptr;    ///< what a dispatch may name; null: what is built in
  std::string only_case;                      ///< the one case to read; empty: all
};

/// Reads a scenario file (`-`: standard input) with all its cases. Throws InputError with all its problems
/// at once, each with its place. `sources` keeps the texts to which expectations refer. Any number of threads may read
/// at the same time, each with `sources` of its own.
///
///     gdsim::ReadOptions options;
///     options.models = {"/usr/share/gdsim/models"};
///     options.overrides = {{"dispatch.ports", "3"}};
///     gdsim::SourceFiles sources;
///     for (const gdsim::ScenarioCase& one : gdsim::read_scenario("mine.yaml", options, sources))
///       std::cout << one.scenario.title << '\n';
std::vector<ScenarioCase> read_scenario(const std::filesystem::path& file, const ReadOptions& options,
                                        SourceFiles& sources);
/// The same for a text that was read. Paths of device files start from `near`. The text must outlive `sources`' marks.
/// As thread-safe as the other.
std::vector<ScenarioCase> read_scenario(const SourceText& source, const std::filesystem::path& near,
                                        const ReadOptions& options, SourceFiles& sources);

}  // namespace gdsim
