#define VOLK_IMPLEMENTATION
#include "engine/backend/vulkan/api.h"
