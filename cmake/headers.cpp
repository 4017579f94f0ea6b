// Carries the precompiled headers of all tests; see vitrine_test_headers in cmake/Vitrine.cmake.
// SPDX-License-Identifier: Apache-2.0
