#pragma once

#include <gdsim/base/read_budget.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// An SQLite database. Every failure is an InputError that names the file: it is full, damaged, locked by others, or no
/// database at all. May be used by one thread at a time.
class Database {
 public:
  /// Opens a file, and makes it if there is none. An empty path opens a temporary database that is deleted with this,
  /// and kept on disk if it is large.
  explicit Database(std::filesystem::path file);
  /// Opens a foreign, possibly hostile file, only for reading. The budget is charged for the computation of its views,
  /// their memory and the texts that are read. No temporary files are written. The budget must outlive this.
  static Database to_read(std::filesystem::path file, ReadBudget& budget);
  ~Database();
  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;

  const std::filesystem::path& file() const;
  /// Runs statements without a result.
  void run(const std::string& statements);
  /// The single number that a statement returns.
  std::int64_t number(const std::string& statement);
  /// The single text that a statement returns.
  std::string text(const std::string& statement);
  /// Throws InputError: this file is not as expected.
  [[noreturn]] void fail(const std::string& what) const;

  /// Returns true if there is such a table or view.
  bool has_table(std::string_view name);
  /// The names of the table's columns, in their order.
  std::vector<std::string> columns_of(std::string_view table);

  class Statement;
  Statement prepare(std::string_view statement);

 private:
  struct Handle;
  explicit Database(std::unique_ptr<Handle> handle);
  std::unique_ptr<Handle> handle_;
};

/// A prepared statement, to be run many times. Parameters count from 1, columns from 0.
class Database::Statement {
 public:
  Statement(Handle& handle, std::string_view text);
  ~Statement();
  Statement(Statement&&) noexcept;
  Statement& operator=(Statement&&) noexcept;

  Statement& bind(int parameter, std::int64_t value);
  Statement& bind(int parameter, std::string_view value);
  Statement& bind(int parameter, const std::optional<std::int64_t>& value);
  /// Goes to the next row. Returns false if there is none, and starts again from the beginning.
  bool step();
  /// Runs the statement to its end, and resets it.
  void run();
  void reset();

  bool is_null(int column) const;
  /// Returns true if the value is a whole number, whatever the column's type is.
  bool is_whole(int column) const;
  std::int64_t number(int column) const;
  std::optional<std::int64_t> optional_number(int column) const;
  std::string text(int column) const;

 private:
  struct Prepared;
  std::unique_ptr<Prepared> prepared_;
};

/// During its lifetime, the database is read as it was at one moment, whatever other processes write.
class Snapshot {
 public:
  explicit Snapshot(Database& database);
  ~Snapshot();
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

 private:
  void end();

  Database& database_;
};

/// Changes that are committed together or not at all.
class Transaction {
 public:
  explicit Transaction(Database& database);
  /// Rolls back uncommitted changes.
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  void commit();

 private:
  Database& database_;
  bool is_open_ = true;
};

}  // namespace gdsim
