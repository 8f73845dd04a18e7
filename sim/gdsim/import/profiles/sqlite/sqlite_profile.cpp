#include <gdsim/import/profiles/sqlite/sqlite_profile.hpp>

#include <gdsim/database/database.hpp>
#include <gdsim/import/profiles/sqlite/nsys_sqlite.hpp>
#include <gdsim/import/profiles/sqlite/rocpd.hpp>

namespace gdsim {

bool is_sqlite(const ProfileInput& input) {
  return input.head().starts_with(std::string_view("SQLite format 3\0", 16));
}

void read_sqlite_profile(const ProfileInput& input, Profile& profile) {
  if (input.path().empty()) input.fail("is a database, which is read from a file only");
  if (input.is_gzip()) input.fail("is a database that is compressed; decompress it first: gunzip " + input.name());
  Database database = Database::to_read(input.path(), *input.budget());
  if (is_nsys_database(database)) return read_nsys_database(database, profile);
  if (is_rocpd_database(database)) return read_rocpd_database(database, profile);
  if (database.has_table("rocpd_op"))
    input.fail(
        "is a trace of rocmProfileData (rpd), which does not hold the sizes of kernels; record with "
        "`rocprofv3 --kernel-trace --memory-copy-trace` instead");
  input.fail(
      "is a database, but no profile: it has neither the tables CUPTI_ACTIVITY_KIND_KERNEL and StringIds of Nsight "
      "Systems nor the view `kernels` of rocprofv3; was the profile made with --trace=cuda?");
}

}  // namespace gdsim
