#include <gdsim/scenario/cases/template_pool.hpp>

#include <utility>

namespace gdsim {

TemplatePool::TemplatePool(const std::filesystem::path& file, const ReadOptions& read)
    : read_(read),
      near_(file == "-" ? "." : file.parent_path()),
      sources_(inputs_),
      source_(&sources_.read(file, "the scenario")) {}

TemplatePool::TemplatePool(std::string name, std::string text, std::filesystem::path near, const ReadOptions& read)
    : read_(read),
      near_(std::move(near)),
      sources_(inputs_),
      source_(&sources_.keep(std::move(name), std::move(text))) {}

TemplatePool::Borrowed::Borrowed(TemplatePool& pool) : pool_(pool) {
  const std::lock_guard lock(pool.mutex_);
  if (pool.idle_.empty()) return;
  reader_ = std::move(pool.idle_.back());
  pool.idle_.pop_back();
}

TemplatePool::Borrowed::~Borrowed() {
  if (!reader_) return;
  const std::lock_guard lock(pool_.mutex_);
  pool_.idle_.push_back(std::move(reader_));
}

ScenarioTemplate& TemplatePool::Borrowed::operator*() {
  if (!reader_) reader_ = std::make_unique<Reader>(*pool_.source_, pool_.near_, pool_.read_, pool_.inputs_);
  return reader_->scenario;
}

std::string TemplatePool::title() {
  const YamlNode* title = borrow()->root().find("scenario");
  return title != nullptr && title->is_scalar() ? title->text : source_->name();
}

}  // namespace gdsim
