#include "tables/tables.h"

namespace kibitz {

TableArrays::TableArrays(const GameInfo& info, int batch, int encoder, bool bytes, bool ends)
    : batch_(batch),
      seats_(info.seats),
      actions_(info.actions),
      features_(info.encoders[static_cast<std::size_t>(encoder)].size()),
      action_features_(info.action_features),
      ragged_(info.actions > kMaskActions),
      ends_(ends) {
  const EncoderInfo& layout = info.encoders[static_cast<std::size_t>(encoder)];
  if (bytes && !layout.binary)
    throw BadInput("encoder '" + layout.name + "' has features other than 0 and 1: its observations must be float32");
  const auto b = static_cast<std::size_t>(batch);
  (bytes ? obs_bytes.resize(b * features_) : obs.resize(b * features_));
  if (ends) (bytes ? final_obs_bytes.resize(b * features_) : final_obs.resize(b * features_));
  if (!ragged_) mask.resize(b * actions_);
  offsets.resize(ragged_ ? b + 1 : 0);
  payoff.resize(b * seats_);
  seat.resize(b);
  acted.assign(b, -1);
  done.assign(b, 0);
}

}  // namespace kibitz
