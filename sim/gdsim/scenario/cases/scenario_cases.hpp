#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/scenario/read_scenario.hpp>
#include <gdsim/scenario/scenario_reader.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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

/// A case as declared: its name, the values it sets, and its expectations. Refers to the nodes from which it was read.
struct CaseDeclaration {
  std::string name;
  const YamlNode* set = nullptr;
  const YamlNode* expect = nullptr;
};

/// Reads a scenario's `cases:`.
std::vector<CaseDeclaration> read_case_list(const YamlNode& node, const ValueReader& values);

/// The problems of a scenario file: its own, and those found when its cases are read one by one.
class CaseProblems {
 public:
  /// Returns the problems of the file as a whole, to which callers add.
  Diagnostics& of_file() { return of_file_; }
  /// Adds the problems found in one case. A problem that all cases share is found in each of them.
  void add_case(const std::string& name, const Diagnostics& found) { cases_.push_back({name, found.problems()}); }

  bool empty() const;
  /// Returns every problem once, in the order of the files' lines. A problem of only some cases names those cases.
  std::vector<Diagnostic> merged() const;

 private:
  struct OfCase {
    std::string name;
    std::vector<Diagnostic> problems;
  };

  Diagnostics of_file_;
  std::vector<OfCase> cases_;
};

/// The cases of a scenario file, and the scenario of each. Not thread-safe.
class ScenarioCases {
 public:
  /// `file`: the whole file. Reads its `cases:`, which are no part of a case, and the overrides. Adds all problems,
  /// among them wanted cases that do not exist. `sources` keeps the texts of overrides.
  ScenarioCases(YamlNode file, const ReadOptions& options, SourceFiles& sources, Diagnostics& problems);
  ScenarioCases(const ScenarioCases&) = delete;
  ScenarioCases& operator=(const ScenarioCases&) = delete;

  /// Returns the wanted cases, in the order of the file. A file without cases has a single case without a name.
  const std::vector<CaseDeclaration>& wanted() const { return wanted_; }
  /// Returns the single wanted case. Throws InputError, which names the cases, if there are several.
  const CaseDeclaration& only_one() const;

  /// Returns the scenario of one wanted case: the file, then the values that the case sets, then its expectations, then
  /// the overrides; later values win. Must be called once for each case.
  YamlNode scenario_of(const CaseDeclaration& declaration, Diagnostics& problems);

 private:
  struct ReadOverride {
    std::string path;
    YamlNode value;
  };

  void choose(std::vector<CaseDeclaration> declared, const std::string& name, Diagnostics& problems);
  std::string known_text() const;

  YamlNode file_;  ///< without `cases:`
  YamlNode list_;  ///< the `cases:`, to which declarations refer; missing if the file has none
  SourceMark mark_;
  std::vector<CaseDeclaration> wanted_;
  std::vector<ReadOverride> overrides_;
};

/// A parameter that a case, `--set` or `--vary` adds to a scenario.
struct AddedParameter {
  std::string name;
  SourceMark mark;  ///< where it is set
};

/// Returns the parameter that setting this full path would add, or nullopt if it adds none.
std::optional<std::string> added_parameter(const YamlNode& scenario, std::string_view path);

/// Reports parameters that no expression of the scenario uses: they are usually misspelt.
void require_used(const YamlNode& scenario, const std::vector<AddedParameter>& added, Diagnostics& problems);

/// Sets a value at a full path as set_path() does, for `--set` and `--vary`. A number in place of the number at
/// `kernels.NAME.sub_group` keeps the kernel's work: the number of the file becomes its `program_sub_group`, unless it
/// has one.
void override_value(YamlNode& scenario, std::string_view path, const YamlNode& value, const SourceMark& where,
                    Diagnostics& problems);

/// Returns the full path of a scenario's value that may be given by a short name: a parameter's (`tile` for
/// `parameters.tile`) or, if there is only one kernel, a key of that kernel (`local` for `kernels.k.local`), also by
/// another ecosystem's word, which the reader then refuses with gdsim's. Returns any other path unchanged.
std::string full_path(const YamlNode& scenario, std::string_view path);

/// What to say of a full path that begins with no key of a scenario, but with the name of a kernel, queue or device,
/// or, among several kernels, with a key of a kernel: the path that is meant. Nothing: the path begins otherwise.
std::optional<std::string> path_hint(const YamlNode& scenario, std::string_view path);

}  // namespace gdsim
