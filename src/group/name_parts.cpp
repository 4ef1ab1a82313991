#include "group/name_parts.hpp"

namespace darrow {

std::string_view file_of(std::string_view name) {
  auto end = name.find(":/");  // paths of datasets are absolute, names of variables have no place
  return name.substr(0, end == name.npos ? name.rfind(':') : end);
}

std::optional<std::string_view> directory_of(std::string_view name, int depth) {
  auto last = name.rfind('/');
  if (last == name.npos) return {};
  std::size_t end = 0;  // of the directory so far
  for (std::size_t at = 0; at < last && depth > 0; --depth) {
    while (at < last && name[at] == '/') ++at;
    if (at == last) break;
    at = name.find('/', at);
    end = at;
  }
  if (end == 0) return name.substr(0, name.starts_with('/') ? 1 : 0);
  return name.substr(0, end);
}

std::optional<std::string_view> extension_of(std::string_view name) {
  auto slash = name.rfind('/');
  std::string_view file = slash == name.npos ? name : name.substr(slash + 1);
  auto dot = file.rfind('.');
  if (dot == file.npos || dot == 0 || dot + 1 == file.size()) return {};
  return file.substr(dot + 1);
}

}  // namespace darrow
