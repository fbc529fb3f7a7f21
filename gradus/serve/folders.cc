// SPDX-License-Identifier: Apache-2.0
#include "gradus/serve/folders.h"

#include <algorithm>
#include <set>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gradus/core/error.h"
#include "gradus/runs/find_runs.h"
#include "gradus/runs/record_file.h"
#include "gradus/runs/run_folder.h"

namespace gradus::serve {
namespace {

namespace fs = std::filesystem;

bool is_below(const fs::path& path, const fs::path& root) {
  return std::mismatch(root.begin(), root.end(), path.begin(), path.end()).first == root.end();
}

}  // namespace

Folders::Folders(const std::vector<std::string>& folders) {
  for (const std::string& folder : folders) {
    if (!fs::is_directory(folder)) throw InputError(folder + ": is not a folder");
    const fs::path root = fs::canonical(folder);
    if (std::ranges::find(roots_, root) == roots_.end()) roots_.push_back(root);
  }
}

// What names begin with: the name of the folder, or its path if others have the same name.
fs::path Folders::label(const fs::path& root) const {
  const auto alike = std::ranges::count_if(
      roots_, [&](const fs::path& other) { return other.filename() == root.filename(); });
  return alike == 1 ? root.filename() : root.relative_path();
}

std::vector<NamedRun> Folders::find() const {
  std::vector<NamedRun> found;
  std::set<fs::path> seen;
  for (const fs::path& root : roots_) {
    for (const fs::path& run : find_runs(root)) {
      // The database may be a symbolic link, or missing.
      const bool has_database = !is_record(run) && fs::exists(database_file(run));
      if (!contain(has_database ? database_file(run) : run) || !seen.insert(run).second) continue;
      fs::path name = run.lexically_relative(root);
      if (name == ".") {
        name = label(root);
      } else if (roots_.size() > 1) {
        name = label(root) / name;
      }
      found.push_back({run, name.string()});
    }
  }
  std::ranges::sort(found, {}, &NamedRun::name);
  return found;
}

bool Folders::contain(const fs::path& path) const {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  return !error &&
         std::ranges::any_of(roots_, [&](const fs::path& root) { return is_below(real, root); });
}

fs::path Folders::place_for(const std::string& name) const {
  if (name.find('\0') != std::string::npos) throw InputError("the name of the folder contains NUL");
  fs::path place = (roots_.front() / name).lexically_normal();
  const bool inside = !name.empty() && fs::path(name).is_relative() &&
                      is_below(place, roots_.front()) && place.has_filename() &&
                      place != roots_.front() &&
                      is_below(fs::weakly_canonical(place), roots_.front());
  if (!inside) {
    throw InputError("\"" + name + "\" is not the name of a folder below " +
                     roots_.front().string());
  }
  return place;
}

std::string end_of_file(const fs::path& file, std::size_t most) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return "";
  struct stat facts = {};
  std::string text;
  if (::fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode)) {
    const auto size = static_cast<std::size_t>(facts.st_size);
    text.resize(std::min(size, most));
    const auto from = static_cast<off_t>(size - text.size());
    const ssize_t count = ::pread(descriptor, text.data(), text.size(), from);
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (from > 0) text.erase(0, text.find('\n') + 1);
  }
  ::close(descriptor);
  return text;
}

}  // namespace gradus::serve
