#pragma once

#include <gdsim/scenario/read_scenario.hpp>
#include <gdsim/scenario/scenario_reader.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gdsim {

/// A value that replaces another in a scenario.
struct ScenarioValue {
  std::string path;  ///< full, see full_path()
  YamlNode value;
};

/// A scenario file from which scenarios are made that differ in a few values. The file and its models are read once.
/// Not thread-safe.
class ScenarioTemplate {
 public:
  /// Reads the text of a scenario file with its case and overrides; models given by path are looked up in the folder
  /// `near`. `source`, `options` and `sources` must outlive this. Throws InputError with all problems if the text is
  /// not YAML, if an override cannot be followed, or if the file has several cases and none is chosen.
  ScenarioTemplate(const SourceText& source, std::filesystem::path near, const ReadOptions& options,
                   SourceFiles& sources);
  ScenarioTemplate(const ScenarioTemplate&) = delete;
  ScenarioTemplate& operator=(const ScenarioTemplate&) = delete;

  /// Returns the file's text.
  const std::string& text() const { return source_.text(); }
  /// Returns the scenario as a mapping, case and overrides applied, its expressions not evaluated.
  const YamlNode& root() const { return root_; }

  /// Returns the full path of a value whose path may be abbreviated. Throws InputError, which begins with `option`, if
  /// no value can be set there.
  std::string settable_path(const std::string& path, const std::string& option) const;
  /// Parses the text a user wrote for a full path; `text` must outlive the value. Returns nullopt if it is not YAML.
  static std::optional<ScenarioValue> parse_value(std::string path, const SourceText& text, Diagnostics& problems);

  /// Returns the scenario with these values. Throws InputError with all its problems.
  Scenario read(std::span<const ScenarioValue* const> values);
  /// Returns the value at a full path as it would be written, expressions evaluated, or nullopt if there is none. If
  /// the scenario only names the device, the device's own value counts.
  std::optional<std::string> own_value(const std::string& path);
  /// Returns the terms of the device's vendor, or the neutral terms if the device cannot be read.
  Terms own_words();

 private:
  const SourceText& source_;
  std::filesystem::path near_;
  ModelLibrary models_;
  ScenarioReader reader_;
  YamlNode root_;
};

/// A pool of templates of one scenario file, each used by one thread at a time. The file is read once, and its models
/// once for each thread that works at the same time. Thread-safe.
class TemplatePool {
 public:
  /// Throws InputError if the file cannot be read. `read` must outlive this.
  TemplatePool(const std::filesystem::path& file, const ReadOptions& read);
  /// Makes a pool from a text. Paths in it start from `near`.
  TemplatePool(std::string name, std::string text, std::filesystem::path near, const ReadOptions& read);

  /// A template with the files it reads.
  struct Reader {
    Reader(const SourceText& source, const std::filesystem::path& near, const ReadOptions& read, FileRegister& inputs)
        : files(inputs), scenario(source, near, read, files) {}

    SourceFiles files;
    ScenarioTemplate scenario;
  };

  /// A template that returns to the pool when this is destroyed. It is made at its first use, which throws InputError
  /// if the scenario is invalid.
  class Borrowed {
   public:
    explicit Borrowed(TemplatePool& pool);
    ~Borrowed();
    Borrowed(const Borrowed&) = delete;
    Borrowed& operator=(const Borrowed&) = delete;

    ScenarioTemplate& operator*();
    ScenarioTemplate* operator->() { return &**this; }

   private:
    TemplatePool& pool_;
    std::unique_ptr<Reader> reader_;
  };

  Borrowed borrow() { return Borrowed(*this); }
  /// Makes a fresh template, which is not returned to the pool.
  Reader make() { return Reader(*source_, near_, read_, inputs_); }

  const ReadOptions& options() const { return read_; }
  const SourceText& source() const { return *source_; }
  /// Keeps a text that belongs to the scenario, such as a value, as long as this lives.
  const SourceText& keep(std::string name, std::string text) { return sources_.keep(std::move(name), std::move(text)); }
  /// Returns the scenario's title; the name of the file if it has none.
  std::string title();
  /// Returns every file that was read so far. Thread-safe.
  const FileRegister& inputs() const { return inputs_; }

 private:
  const ReadOptions& read_;
  std::filesystem::path near_;
  FileRegister inputs_;
  SourceFiles sources_;
  const SourceText* source_ = nullptr;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Reader>> idle_;
};

}  // namespace gdsim
