// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cmath>
#include <ostream>

#include "gradus/files/checksums.h"
#include "gradus/runs/export.h"
#include "gradus/runs/export_rows.h"

namespace gradus {
namespace {

// TensorBoard reads a stream of records, each a protocol buffer of type Event:
//
//   Event   1: double wall_time   2: int64 step   3: string file_version   5: Summary summary
//   Summary 1: repeated Value     Value 1: string tag   2: float simple_value

void put_varint(std::uint64_t value, std::string& out) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

template <typename Number>
void put_fixed(int field, Number number, std::string& out) {
  put_varint(static_cast<std::uint64_t>(field) << 3 | (sizeof number == 8 ? 1 : 5), out);
  out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void put_bytes(int field, const std::string& bytes, std::string& out) {
  put_varint(static_cast<std::uint64_t>(field) << 3 | 2, out);
  put_varint(bytes.size(), out);
  out += bytes;
}

template <typename Number>
std::string raw(Number number) {
  return {reinterpret_cast<const char*>(&number), sizeof number};
}

// TFRecord masks its checksums, so that checksums stay sound for records that contain checksums.
std::string masked_crc(const std::string& bytes) {
  return raw<std::uint32_t>(std::rotr(crc32c(bytes), 15) + 0xa282ead8u);
}

void put_record(const std::string& event, std::ostream& out) {
  const std::string length = raw<std::uint64_t>(event.size());
  out << length << masked_crc(length) << event << masked_crc(event);
}

class Summary {
 public:
  void add(const std::string& tag, double value) {
    if (std::isnan(value)) return;
    std::string entry;
    put_bytes(1, tag, entry);
    put_fixed(2, static_cast<float>(value), entry);
    put_bytes(1, entry, values_);
  }

  void put(double time, std::int64_t step, std::ostream& out) const {
    std::string event;
    put_fixed(1, time, event);
    put_varint(2 << 3, event);
    put_varint(static_cast<std::uint64_t>(step), event);
    put_bytes(5, values_, event);
    put_record(event, out);
  }

 private:
  std::string values_;
};

void add_tasks(const char* group, const std::vector<double>& values,
               const std::vector<std::string>& tasks, Summary& summary) {
  for (std::size_t task = 0; task < values.size(); ++task) {
    summary.add(std::string(group) + "/" + tasks.at(task), values[task]);
  }
}

}  // namespace

void write_tensorboard(const RunRecord& run, std::ostream& out) {
  const auto started = static_cast<double>(run.started);
  static_assert(std::endian::native == std::endian::little,
                "numbers are written in native byte order");
  std::string version;
  put_fixed(1, started, version);
  put_bytes(3, "brain.Event:2", version);
  put_record(version, out);
  for (const auto& [metrics, timing, tasks] : export_rows(run)) {
    Summary summary;
    for (const MetricField& metric : metric_fields()) {
      summary.add(metric.name, metrics->*metric.value);
    }
    summary.add("steps_per_second", timing.steps_per_second);
    if (tasks) {
      add_tasks("policy", tasks->policy, run.tasks, summary);
      add_tasks("loss", tasks->loss, run.tasks, summary);
      add_tasks("error", tasks->error, run.tasks, summary);
    }
    summary.put(started + timing.seconds, metrics->steps, out);
  }
}

}  // namespace gradus
