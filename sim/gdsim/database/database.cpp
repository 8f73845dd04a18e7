#include <gdsim/database/database.hpp>

#include <gdsim/base/diagnostic.hpp>

#include <sqlite3.h>

#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

namespace gdsim {
namespace {

/// How long to wait while another process holds the file.
constexpr int kPatienceMilliseconds = 60'000;

constexpr int kMaxForeignValue = 1 << 24;  ///< bytes of a value in a foreign file
/// SQLite's instructions between two charges of a foreign file's budget. Each may make a value.
constexpr int kForeignSteps = 16;
/// What the budget is charged for each of them, since it takes some ten nanoseconds.
constexpr int kStepsOfInstruction = 5;

/// SQLite's errors, in words for a sweep.
std::string words_for(int code, const char* message) {
  switch (code & 0xFF) {
    case SQLITE_FULL: return "cannot be written: the disk is full; what was stored before is kept";
    case SQLITE_IOERR: return std::string("cannot be read or written: ") + message + "; is the disk full?";
    case SQLITE_CORRUPT: return "is damaged (" + std::string(message) + "); nothing in it was changed";
    case SQLITE_NOTADB: return "is not an SQLite file; nothing in it was changed";
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return "is held by another program for more than a minute";
    case SQLITE_READONLY: return "cannot be written: it is read-only";
    case SQLITE_CANTOPEN: return "cannot be opened or made; is there such a folder, and may you write there?";
    case SQLITE_PERM: return "may not be opened";
    default: return std::string("cannot be used: ") + message;
  }
}

}  // namespace

struct Database::Handle {
  std::filesystem::path file;
  sqlite3* connection = nullptr;

  ReadBudget* budget = nullptr;        ///< of a foreign file
  std::int64_t memory_before = 0;      ///< bytes that SQLite used when the file was opened
  std::optional<ReadCost> exceeded{};  ///< what stopped a statement

  /// Charges the budget for some steps. Returns false if they, or SQLite's memory, exceed it.
  bool may_go_on() {
    if (!budget->take(ReadCost::steps, kStepsOfInstruction * kForeignSteps)) exceeded = ReadCost::steps;
    const std::int64_t memory = sqlite3_memory_used() - memory_before;
    if (memory > 0 && static_cast<std::uint64_t>(memory) > budget->limit(ReadCost::memory)) exceeded = ReadCost::memory;
    return !exceeded;
  }

  void open(int flags) {
    const int code = sqlite3_open_v2(file.c_str(), &connection, flags, nullptr);
    if (code != SQLITE_OK) {
      const std::string what = words_for(code, sqlite3_errmsg(connection));
      sqlite3_close_v2(connection);
      connection = nullptr;
      fail(what);
    }
    sqlite3_busy_timeout(connection, kPatienceMilliseconds);
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError({Diagnostic{"store", what, file.empty() ? "<temporary study>" : file.string(), 0, 0, {}}});
  }
  void require(int code) const {
    if (exceeded) budget->refuse(*exceeded);
    if (code != SQLITE_OK && code != SQLITE_ROW && code != SQLITE_DONE)
      fail(words_for(sqlite3_extended_errcode(connection), sqlite3_errmsg(connection)));
  }
};

struct Database::Statement::Prepared {
  Handle* handle = nullptr;
  sqlite3_stmt* statement = nullptr;
};

Database::Database(std::filesystem::path file) : handle_(std::make_unique<Handle>()) {
  handle_->file = std::move(file);
  handle_->open(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
}

Database::Database(std::unique_ptr<Handle> handle) : handle_(std::move(handle)) {}

Database Database::to_read(std::filesystem::path file, ReadBudget& budget) {
  auto handle = std::make_unique<Handle>();
  handle->file = std::move(file);
  handle->budget = &budget;
  handle->memory_before = sqlite3_memory_used();
  std::error_code unknown;
  const std::uintmax_t size = std::filesystem::file_size(handle->file, unknown);
  if (!unknown) budget.find(size);
  Database database(std::move(handle));
  database.handle_->open(SQLITE_OPEN_READONLY);
  sqlite3* connection = database.handle_->connection;
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, kMaxForeignValue);
  const auto charge = [](void* opened) {
    return static_cast<Handle*>(opened)->may_go_on() ? 0 : 1;  // nonzero: SQLite stops
  };
  sqlite3_progress_handler(connection, kForeignSteps, charge, database.handle_.get());
  database.run("PRAGMA temp_store = MEMORY");
  return database;
}

Database::~Database() {
  if (handle_) sqlite3_close_v2(handle_->connection);
}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&& other) noexcept {
  std::swap(handle_, other.handle_);
  return *this;
}

const std::filesystem::path& Database::file() const { return handle_->file; }
void Database::fail(const std::string& what) const { handle_->fail(what); }

void Database::run(const std::string& statements) {
  const auto begun = std::chrono::steady_clock::now();
  while (true) {
    const int code = sqlite3_exec(handle_->connection, statements.c_str(), nullptr, nullptr, nullptr);
    // SQLite does not wait by itself if a file changes its mode or another process is making it.
    const bool may_wait = (code & 0xFF) == SQLITE_BUSY &&
                          std::chrono::steady_clock::now() - begun < std::chrono::milliseconds(kPatienceMilliseconds);
    if (!may_wait) {
      handle_->require(code);
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

std::int64_t Database::number(const std::string& statement) {
  Statement prepared = prepare(statement);
  return prepared.step() ? prepared.number(0) : 0;
}

std::string Database::text(const std::string& statement) {
  Statement prepared = prepare(statement);
  return prepared.step() ? prepared.text(0) : std::string();
}

bool Database::has_table(std::string_view name) {
  Statement statement = prepare("SELECT count(*) FROM sqlite_master WHERE type IN ('table', 'view') AND name = ?1");
  statement.bind(1, name);
  return statement.step() && statement.number(0) > 0;
}

std::vector<std::string> Database::columns_of(std::string_view table) {
  Statement statement = prepare("SELECT name FROM pragma_table_info(?1)");
  statement.bind(1, table);
  std::vector<std::string> names;
  while (statement.step()) names.push_back(statement.text(0));
  return names;
}

Database::Statement Database::prepare(std::string_view statement) { return {*handle_, statement}; }

Database::Statement::Statement(Handle& handle, std::string_view text) : prepared_(std::make_unique<Prepared>()) {
  prepared_->handle = &handle;
  handle.require(sqlite3_prepare_v2(handle.connection, text.data(), static_cast<int>(text.size()),
                                    &prepared_->statement, nullptr));
}

Database::Statement::~Statement() {
  if (prepared_) sqlite3_finalize(prepared_->statement);
}
Database::Statement::Statement(Statement&&) noexcept = default;
Database::Statement& Database::Statement::operator=(Statement&& other) noexcept {
  std::swap(prepared_, other.prepared_);
  return *this;
}

Database::Statement& Database::Statement::bind(int parameter, std::int64_t value) {
  prepared_->handle->require(sqlite3_bind_int64(prepared_->statement, parameter, value));
  return *this;
}

Database::Statement& Database::Statement::bind(int parameter, std::string_view value) {
  prepared_->handle->require(sqlite3_bind_text(prepared_->statement, parameter, value.data(),
                                               static_cast<int>(value.size()), SQLITE_TRANSIENT));
  return *this;
}

Database::Statement& Database::Statement::bind(int parameter, const std::optional<std::int64_t>& value) {
  if (value) return bind(parameter, *value);
  prepared_->handle->require(sqlite3_bind_null(prepared_->statement, parameter));
  return *this;
}

bool Database::Statement::step() {
  const int code = sqlite3_step(prepared_->statement);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) {
    sqlite3_reset(prepared_->statement);
    return false;
  }
  const std::string what =
      words_for(sqlite3_extended_errcode(prepared_->handle->connection), sqlite3_errmsg(prepared_->handle->connection));
  sqlite3_reset(prepared_->statement);
  const Handle& handle = *prepared_->handle;
  if (handle.exceeded) handle.budget->refuse(*handle.exceeded);
  handle.fail(what);
}

void Database::Statement::run() {
  while (step()) {
  }
}

void Database::Statement::reset() { sqlite3_reset(prepared_->statement); }

bool Database::Statement::is_null(int column) const {
  return sqlite3_column_type(prepared_->statement, column) == SQLITE_NULL;
}

std::int64_t Database::Statement::number(int column) const {
  return sqlite3_column_int64(prepared_->statement, column);
}

bool Database::Statement::is_whole(int column) const {
  return sqlite3_column_type(prepared_->statement, column) == SQLITE_INTEGER;
}

std::optional<std::int64_t> Database::Statement::optional_number(int column) const {
  if (is_null(column)) return std::nullopt;
  return number(column);
}

std::string Database::Statement::text(int column) const {
  const unsigned char* text = sqlite3_column_text(prepared_->statement, column);
  if (text == nullptr) return {};
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(prepared_->statement, column));
  if (ReadBudget* budget = prepared_->handle->budget) budget->charge(ReadCost::unpacked, size);
  return {reinterpret_cast<const char*>(text), size};
}

Snapshot::Snapshot(Database& database) : database_(database) {
  database_.run("BEGIN");
  try {
    database_.run("SELECT count(*) FROM sqlite_master");  // BEGIN takes no lock: the first statement does
  } catch (const InputError&) {
    end();
    throw;
  }
}

Snapshot::~Snapshot() { end(); }

void Snapshot::end() {
  try {
    database_.run("ROLLBACK");
  } catch (const InputError&) {  // reading failed, which ended it
  }
}

Transaction::Transaction(Database& database) : database_(database) { database_.run("BEGIN IMMEDIATE"); }

Transaction::~Transaction() {
  if (!is_open_) return;
  try {
    database_.run("ROLLBACK");
  } catch (const InputError&) {  // nothing was committed, as intended
  }
}

void Transaction::commit() {
  database_.run("COMMIT");
  is_open_ = false;
}

}  // namespace gdsim
