// SPDX-License-Identifier: Apache-2.0
// Runs a fuzz target without libFuzzer, in the ordinary tests: on every file of a folder, on its
// beginnings, and on copies with one bit changed.
//   fuzz_seeds TARGET FOLDER COPIES   at most so many damaged copies of each file

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/fuzz/fuzz.h"

namespace {

std::string read_file(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// Copy 0 is the whole; then come its beginnings, then the copies with one bit changed.
std::string damaged(std::string bytes, std::size_t copy) {
  if (copy == 0) return bytes;
  if (copy <= bytes.size()) return bytes.substr(0, copy - 1);
  const std::size_t bit = copy - bytes.size() - 1;
  bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ 1 << bit % 8);
  return bytes;
}

bool passes(gradus::fuzz::Target target, const std::filesystem::path& file,
            std::size_t most_copies) {
  const std::string whole = read_file(file);
  const std::size_t copies = 1 + 9 * whole.size();
  const std::size_t stride = 1 + copies / most_copies;
  for (std::size_t copy = 0; copy < copies; copy += stride) {
    try {
      target(damaged(whole, copy));
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s, copy %zu: %s\n", file.c_str(), copy, error.what());
      return false;
    }
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4 || !gradus::fuzz::targets().contains(argv[1])) {
    std::fprintf(stderr, "usage: %s TARGET FOLDER COPIES\n", argv[0]);
    return 2;
  }
  const gradus::fuzz::Target target = gradus::fuzz::targets().at(argv[1]);
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(argv[2])) {
    files.push_back(entry.path());
  }
  std::ranges::sort(files);
  bool all = !files.empty();
  for (const auto& file : files) {
    std::printf("%s\n", file.c_str());  // the last line names the file that crashes
    std::fflush(stdout);
    all = passes(target, file, std::stoul(argv[3])) && all;
  }
  return all ? 0 : 1;
}
