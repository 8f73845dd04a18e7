#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// An SQLite database. Whatever fails is an InputError that names the file: it is full, damaged, held by others, or no
/// database at all. May be used by one thread at a time.
class Database {
 public:
  /// Opens a file, making it if there is none; an empty path: a temporary database that is deleted with this, kept on
  /// disk where it is large.
  explicit Database(std::filesystem::path file);
  /// Opens a file that others have made, and that may be hostile, to be read alone: what its views compute is bounded.
  static Database to_read(std::filesystem::path file);
  ~Database();
  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;

  const std::filesystem::path& file() const;
  /// Runs statements that answer nothing.
  void run(const std::string& statements);
  /// The one number that a statement answers.
  std::int64_t number(const std::string& statement);
  /// The one text that a statement answers.
  std::string text(const std::string& statement);
  /// Throws InputError: this file is not what it should be.
  [[noreturn]] void fail(const std::string& what) const;

  /// There is such a table or view.
  bool has_table(std::string_view name);
  /// The names of its columns, in their order.
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
  /// Goes to the next row; false if there is none. Then it begins anew.
  bool step();
  /// Runs it to its end and begins anew.
  void run();
  void reset();

  bool is_null(int column) const;
  /// The value is a whole number, whatever the column's type is.
  bool is_whole(int column) const;
  std::int64_t number(int column) const;
  std::optional<std::int64_t> optional_number(int column) const;
  std::string text(int column) const;

 private:
  struct Prepared;
  std::unique_ptr<Prepared> prepared_;
};

/// While it lives, the database is read as it was at one moment, whatever other processes write.
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

/// Changes that are kept together or not at all.
class Transaction {
 public:
  explicit Transaction(Database& database);
  /// Takes back what was not committed.
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  void commit();

 private:
  Database& database_;
  bool is_open_ = true;
};

}  // namespace gdsim
