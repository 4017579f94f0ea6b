// TEMPORARY: ops whose file is not written yet. Whoever writes one removes its line here.
#include "engine/backend/vulkan/recording.h"

namespace engine::backend::vulkan {

#define PENDING(Kind)                                                                              \
    void record(Recording& recording, const model::op::Kind& /*op*/)                               \
    {                                                                                              \
        recording.recorder.fail(#Kind);                                                            \
    }

PENDING(AddPositions)
PENDING(LayerNorm)
PENDING(Linear)
PENDING(HeadLinear)
PENDING(Rope)
PENDING(StoreKv)
PENDING(Attention)
PENDING(Sparsify)
PENDING(MixPieces)
PENDING(MatchLength)
PENDING(CopyPieces)
PENDING(Route)
PENDING(ExpertLinear)
PENDING(CombineExperts)
PENDING(ShortConv)
PENDING(GatedDelta)
PENDING(StateScan)

} // namespace engine::backend::vulkan
