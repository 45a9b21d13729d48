#include "model/loss.hpp"

#include "base/json_reader.hpp"
#include "model/parameters.hpp"

namespace mpsbench::model {

std::vector<std::string> loss_names() {
  return {"cross_entropy", "bce_with_logits", "mse", "mean"};
}

std::string set_loss(schema::NetworkPlan& plan, const std::string& loss, const schema::Shape& logits) {
  plan.loss = loss;
  if (loss == "cross_entropy" || loss == "mean") {
    if (logits.size() != 2) {
      return loss + " needs logits [batch, classes], but the network's output is " +
             schema::to_string(logits);
    }
    plan.target_shape = {logits[0]};
    plan.target_dtype = "int64";
    plan.target_high = logits[1];
    return "";
  }
  if (loss == "bce_with_logits" || loss == "mse") {
    plan.target_shape = logits;
    plan.target_dtype = "float32";
    plan.target_high = 0;
    return "";
  }
  return unknown_name("loss", loss, loss_names());
}

}  // namespace mpsbench::model
