#include "study_outputs.hpp"

#include "output_file.hpp"

#include <gdsim/base/near_names.hpp>
#include <gdsim/study/study_csv.hpp>
#include <gdsim/study/study_page.hpp>
#include <gdsim/study/study_picture.hpp>
#include <gdsim/study/study_text.hpp>

#include <array>
#include <utility>

namespace gdsim::cli {
namespace {

using Write = void (*)(const StudyTable& table, Sink& sink);

constexpr std::array<std::pair<std::string_view, Write>, 4> kWriters{{{".csv", write_study_csv},
                                                                         {".json", write_study_json},
                                                                         {".html", write_study_page},
                                                                         {".svg", write_study_svg}}};

Write writer_of(const std::filesystem::path& file) {
  for (const auto& [suffix, write] : kWriters)
    if (file.extension() == suffix) return write;
  return nullptr;
}

}  // namespace

StudyOutputs::StudyOutputs(const Options& options) : format_(options.value("format").value_or("text")) {
  constexpr std::array<std::string_view, 3> formats{"text", "csv", "json"};
  if (format_ != "text" && format_ != "csv" && format_ != "json")
    throw UsageError("--format is '" + format_ + "'; known: " + join(formats));
  for (const std::string& name : options.values("output")) {
    const std::filesystem::path file = name;
    if (file.extension() == ".sqlite") {
      if (!store_.empty()) throw UsageError("-o names two stores, " + store_.string() + " and " + name);
      store_ = file;
    } else if (writer_of(file) != nullptr) {
      files_.push_back(file);
    } else {
      throw UsageError("-o '" + name + "' has no suffix that says what to write; known: .csv, .json, .sqlite, .html, .svg");
    }
  }
}

void StudyOutputs::write_files(const StudyTable& table) const {
  for (const std::filesystem::path& path : files_) {
    OutputFile file(path);
    writer_of(path)(table, file.sink());
    file.commit();
  }
}

void StudyOutputs::print(const StudyTable& table, Sink& out) const {
  if (format_ == "csv") {
    write_study_csv(table, out);
  } else if (format_ == "json") {
    write_study_json(table, out);
  } else {
    out.write(study_text(table));
  }
}

OptionSpec StudyOutputs::output_spec() {
  return {"output", 'o', "FILE",
          "write FILE.csv, FILE.json, FILE.html (a page) or FILE.svg (a picture); FILE.sqlite is the\n"
          "                           store, which keeps every result (repeatable)",
          Times::any};
}

OptionSpec StudyOutputs::format_spec() {
  return {"format", 0, "FORMAT", "what goes to standard output: text (default), csv or json"};
}

}  // namespace gdsim::cli
