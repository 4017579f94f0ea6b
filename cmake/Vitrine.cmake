# Shared build rules: the compile options of our own code, one static library a room, one executable a test.

add_library(vitrine_options INTERFACE)
target_include_directories(vitrine_options INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/generated)
target_compile_options(vitrine_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wno-missing-field-initializers
  -ffp-contract=off # a contracted a*b+c would round differently from the reference
  $<$<BOOL:${VITRINE_WERROR}>:-Werror>)
if(VITRINE_SANITIZE)
  list(JOIN VITRINE_SANITIZE "," _sanitizers)
  target_compile_options(vitrine_options INTERFACE -fsanitize=${_sanitizers} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(vitrine_options INTERFACE -fsanitize=${_sanitizers})
endif()

# Headers of others that many sources include, compiled once. OFF: every source stands alone.
option(VITRINE_PRECOMPILE "Compile large headers ahead" ON)
# vitrine_headers(NAME [PIC] [LIBRARIES …] [OPTIONS …] HEADERS …): a target that carries them.
function(vitrine_headers name)
  cmake_parse_arguments(ARG "PIC" "" "LIBRARIES;OPTIONS;HEADERS" ${ARGN})
  add_library(${name} OBJECT ${CMAKE_SOURCE_DIR}/cmake/headers.cpp)
  target_link_libraries(${name} PRIVATE vitrine_options ${ARG_LIBRARIES})
  # -fpch-preprocess: as ccache wants it
  target_compile_options(${name} PRIVATE ${ARG_OPTIONS} $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
  target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
  if(ARG_PIC)
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endif()
endfunction()
# Lets a target use those of another. Where options or macros forbid it, the compiler reads the headers themselves.
function(vitrine_use_headers name headers)
  if(VITRINE_PRECOMPILE)
    target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
    target_precompile_headers(${name} REUSE_FROM ${headers})
    set_target_properties(${name} PROPERTIES PCH_WARN_INVALID OFF)
  endif()
endfunction()

# One room of the engine: engine_<name>, also known as engine::<name>.
function(vitrine_engine_room name)
  cmake_parse_arguments(ARG "" "" "SOURCES;ROOMS;LIBRARIES" ${ARGN})
  add_library(engine_${name} STATIC ${ARG_SOURCES})
  add_library(engine::${name} ALIAS engine_${name})
  list(TRANSFORM ARG_ROOMS PREPEND "engine::")
  target_link_libraries(engine_${name} PUBLIC vitrine_options ${ARG_ROOMS} ${ARG_LIBRARIES})
  set_target_properties(engine_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  vitrine_use_headers(engine_${name} engine_headers)
endfunction()

set(VITRINE_TEST_TIMEOUT 0 CACHE STRING "Seconds every test may take instead of its own limit (0: its own)")

# What a test runs is in the libraries; its own code is compiled faster with less optimisation.
set(VITRINE_TEST_OPTIONS $<$<CONFIG:Release>:-O1>)
# Once a folder of tests: Qt tells tests in which they are built, so that folders can't share.
function(vitrine_test_headers name)
  set(_libraries Qt6::Test nlohmann_json::nlohmann_json)
  if(name STREQUAL "tests_headers_ui") # QTest has more for those
    list(APPEND _libraries Qt6::Gui Qt6::Network)
  endif()
  vitrine_headers(${name} LIBRARIES ${_libraries} OPTIONS ${VITRINE_TEST_OPTIONS} -DQT_NO_KEYWORDS
    HEADERS <QTest> <nlohmann/json.hpp> <algorithm> <filesystem> <fstream> <functional> <map> <memory> <string> <vector>)
endfunction()

# One Qt Test executable from tests/<folder>/<name>.cpp; LABELS sorts the runs (engine, app, ui, sample, full).
function(vitrine_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "LIBRARIES;SOURCES;LABELS" ${ARGN})
  add_executable(${name} ${name}.cpp ${ARG_SOURCES})
  # One call of moc: AUTOMOC would scan, configure and compile several files for each of the many tests.
  set(_moc ${CMAKE_CURRENT_BINARY_DIR}/moc/${name}.moc)
  qt_generate_moc(${name}.cpp ${_moc} TARGET ${name})
  target_sources(${name} PRIVATE ${_moc})
  target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/moc)
  target_link_libraries(${name} PRIVATE vitrine_options tests_support Qt6::Test ${ARG_LIBRARIES})
  target_compile_definitions(${name} PRIVATE QT_NO_KEYWORDS)
  target_compile_options(${name} PRIVATE ${VITRINE_TEST_OPTIONS})
  get_filename_component(_folder ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  if(NOT TARGET tests_headers_${_folder})
    vitrine_test_headers(tests_headers_${_folder})
  endif()
  vitrine_use_headers(${name} tests_headers_${_folder})
  add_test(NAME ${name} COMMAND ${name})
  if(VITRINE_TEST_TIMEOUT)
    set(ARG_TIMEOUT ${VITRINE_TEST_TIMEOUT})
  elseif(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}"
    ENVIRONMENT "QT_QPA_PLATFORM=offscreen")
  if(VITRINE_TEST_TIMEOUT) # Qt Test has a limit of its own for each function, in milliseconds
    set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT "QTEST_FUNCTION_TIMEOUT=${VITRINE_TEST_TIMEOUT}000")
  endif()
  if("thread" IN_LIST VITRINE_SANITIZE) # replaces the preset's options for this test
    set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT
      "TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1:suppressions=${CMAKE_SOURCE_DIR}/tests/support/tsan.supp")
  endif()
endfunction()
