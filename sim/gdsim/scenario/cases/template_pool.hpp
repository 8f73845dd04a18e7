#pragma once

#include <gdsim/scenario/cases/scenario_template.hpp>
#include <gdsim/scenario/file_register.hpp>

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace gdsim {

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
