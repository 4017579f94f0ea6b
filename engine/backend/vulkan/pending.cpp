// TEMPORARY: ops whose file is not written yet. Whoever writes one removes its line here.
#include "engine/backend/vulkan/recording.h"

namespace engine::backend::vulkan {

#define PENDING(Kind)                                                                              \
    void record(Recording& recording, const model::op::Kind& /*op*/)                               \
    {                                                                                              \
        recording.recorder.fail(#Kind);                                                            \
    }


} // namespace engine::backend::vulkan
