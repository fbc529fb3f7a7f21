#include "cli/metrics_csv.h"

#include <cerrno>
#include <cmath>
#include <cstring>

#include "gradus/core/error.h"

namespace gradus::cli {

MetricsCsv::MetricsCsv(const std::string& path) : path_(path), file_(path) {
  if (!file_) throw InputError(path + ": cannot write: " + std::strerror(errno));
  file_ << "steps,rounds,seconds,training_loss,target_loss,target_error,mean_loss,mean_error,"
           "tasks_completed,entropy,reward,reward_low,reward_high,refused\n";
}

void MetricsCsv::write(const Metrics& m, double seconds) {
  file_ << m.steps << ',' << m.rounds << ',' << to_text(seconds);
  for (const double value :
       {m.training_loss, m.target_loss, m.target_error, m.mean_loss, m.mean_error,
        m.tasks_completed, m.entropy, m.reward, m.reward_low, m.reward_high}) {
    file_ << ',';
    if (!std::isnan(value)) file_ << to_text(value);
  }
  file_ << ',' << m.refused << '\n';
  file_.flush();
  if (!file_) throw std::runtime_error(path_ + ": cannot write: " + std::strerror(errno));
}

}  // namespace gradus::cli
