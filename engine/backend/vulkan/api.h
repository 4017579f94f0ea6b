// The Vulkan functions, found at run time: a machine without a loader starts normally.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#define VK_NO_PROTOTYPES
#include <volk.h>
