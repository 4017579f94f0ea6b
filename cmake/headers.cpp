// Carries precompiled headers; see vitrine_headers in Vitrine.cmake.
// SPDX-License-Identifier: Apache-2.0
