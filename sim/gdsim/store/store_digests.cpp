#include <gdsim/store/store_digests.hpp>

#include <gdsim/store/content_hash.hpp>
#include <gdsim/store/point_store.hpp>

#include <algorithm>
#include <charconv>

namespace gdsim {
namespace {

/// Returns the number as text; `-` for a missing one.
template <class Number>
std::string text_of(const std::optional<Number>& number) {
  return number ? std::to_string(*number) : "-";
}

}  // namespace

std::string exact_text(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

std::string result_digest(std::string_view content, std::string_view point, const PointResult& result) {
  ContentHash hash;
  hash.add("result").add(content).add(point).add(name_of(result.status));
  hash.add(text_of(result.duration)).add(text_of(result.peak_occupancy)).add(text_of(result.mean_occupancy));
  hash.add(text_of(result.fit_occupancy)).add(result.limiter).add(text_of(result.work_groups_per_core));
  return hash.add(text_of(result.waves)).add(result.reason).finish();
}

std::string point_digest(std::string_view study, std::uint64_t ordinal, std::string_view point) {
  return ContentHash().add("point").add(study).add(std::to_string(ordinal)).add(point).finish();
}

std::string study_digest(const StoredStudy& study) {
  ContentHash hash;
  hash.add("study").add(identity_hash(study.identity, study.axes, study.rules));
  hash.add(study.identity.title).add(study.identity.program);
  hash.add(std::to_string(study.shard.number)).add(std::to_string(study.shard.count));
  for (const auto& own : study.identity.own_values) hash.add(text_of(own));
  auto constants = study.rules.constants;
  std::sort(constants.begin(), constants.end());
  for (const auto& [name, value] : constants) hash.add(name).add(exact_text(value));
  const Terms& words = study.identity.words;
  for (const std::string* word :
       {&words.core, &words.engine, &words.context, &words.thread, &words.work_group, &words.slm})
    hash.add(*word);
  for (const std::string& note : study.identity.notes) hash.add(note);
  hash.add(study.identity.has_equal_work ? "equal work" : "unequal work");
  return hash.finish();
}

}  // namespace gdsim
