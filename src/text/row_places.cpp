#include "text/row_places.hpp"

namespace darrow::util_text {
namespace {

constexpr std::string_view unknown = "UNKNOWN";

bool is_zero(std::string_view uuid) { return uuid.find_first_not_of("0-") == uuid.npos; }

}  // namespace

void RowPlaces::begin(const Table& table) {
  table_ = &table;
  text_ = &parser_text(*table.module);
  positions_ = source_.names->find_all(table.find(id_field.name)->values<std::uint64_t>());
}

std::string_view RowPlaces::start(std::int64_t row) {
  auto r = static_cast<std::size_t>(row);
  char number[longest_number];
  auto append = [&](const char* end) { start_.append(number, static_cast<std::size_t>(end - number)).push_back('\t'); };
  start_.assign(table_->module->name).push_back('\t');
  append(put_integer(number, table_->find(rank_field.name)->values<std::int64_t>()[r]));
  append(put_integer(number, table_->find(id_field.name)->values<std::uint64_t>()[r]));
  return start_;
}

std::string RowPlaces::name(std::int64_t row) const {
  auto r = static_cast<std::size_t>(row);
  if (!text_->name_of.empty()) {
    std::string name;
    for (auto column : text_->name_of)
      name.append(name.empty() ? "" : ".").append(std::to_string(table_->find(column)->values<std::uint64_t>()[r]));
    return name;
  }
  if (positions_[r] < 0) return std::string(text_->nameless);
  return source_.shown(source_.names->name(positions_[r]));
}

std::string RowPlaces::pool(std::int64_t row) const {
  auto pool = table_->find(text_->pool_of[0])->text(row), container = table_->find(text_->pool_of[1])->text(row);
  if (text_->place == ParserText::Place::known_pool && (is_zero(pool) || is_zero(container)))
    return std::string(unknown);
  return std::string(pool).append(":").append(container);
}

std::string_view RowPlaces::end(std::int64_t row) {
  using Place = ParserText::Place;
  end_.clear();
  end_.push_back('\t');
  if (text_->place == Place::none) return end_.append("\t\t\n");
  end_.append(name(row)).push_back('\t');
  if (text_->place == Place::mount) {
    const Mount* mount = source_.mount_of(positions_[static_cast<std::size_t>(row)]);
    end_.append(mount ? source_.shown(mount->path) : unknown).push_back('\t');
    end_.append(mount ? source_.shown(mount->fs_type) : unknown).push_back('\n');
  } else {
    end_.append(pool(row)).append("\tN/A\n");
  }
  return end_;
}

}  // namespace darrow::util_text
