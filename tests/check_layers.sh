#!/usr/bin/env bash
# Checks the layering of the source tree by its include lines: ui -> app -> engine -> shaders, and who may touch what.
# usage: check_layers.sh [TREE]         one line a violation ("file:line: what is wrong"), exit status 1 where there is any
#        check_layers.sh --self-test    proves on made-up trees that every rule catches its violation
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
export LC_ALL=C

# The rooms of the engine from left to right: each includes only its own headers and those of rooms before it.
readonly engine_rooms=(base gguf quant text chat model backend session eval)

# QtCore, QtSql, QtNetwork and QtDBus are all that app/ takes; these are the headers of everything else.
readonly qt_window='Q(Gui|Quick|Qml|JSEngine|JSValue|Widget|Application|Window|Screen|Surface|Image|Pixmap|Bitmap|Painter|Pen|Brush|Color|Font|Icon|Palette|Cursor|Clipboard|Key|Mouse|Wheel|Touch|Hover|Drag|Drop|Action|Shortcut|Validator|IntValidator|RegularExpressionValidator|Text(Document|Cursor|Layout|Format|Block|Option)|SyntaxHighlighter|Style|StandardItem|OpenGL|Vulkan|Vector[234]D|Matrix4x4|Quaternion|Transform|Polygon|Region|DesktopServices|Svg|Movie|SG|Rgb|Raster|Offscreen|Backing|SessionManager|Accessible)[A-Za-z0-9]*'

failures=0

# report RULE: reads "file:line:text" from standard input.
report() {
  local rule=$1 file line text
  while IFS=: read -r file line text; do
    printf '%s:%s: %s: %s\n' "$file" "$line" "$rule" "${text#"${text%%[![:space:]]*}"}"
    failures=$((failures + 1))
  done
}

# sources FOLDER…: prints "file:line:text" of the lines that match $pattern in C++ and shader files.
sources() {
  local pattern=$1 folder
  shift
  for folder in "$@"; do
    [ ! -d "$folder" ] || grep -rnE --include='*.h' --include='*.cpp' --include='*.inc' --include='*.comp' \
      --include='*.glsl' -e "$pattern" "$folder" || true
  done
}
build_files() {
  local pattern=$1 folder
  shift
  for folder in "$@"; do
    [ ! -d "$folder" ] || grep -rnE --include='CMakeLists.txt' -e "$pattern" "$folder" || true
  done
}
included() { printf '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]%s' "$1"; }
# outside PATTERN: drops the lines whose file (not text) matches.
outside() { grep -vE "^($1)[^:]*:" || true; }

check_order() {
  report 'the engine uses no Qt' < <(sources "$(included 'Q[A-Zt]')" engine shaders)
  report 'the engine links no Qt' < <(build_files '^[^#]*(Qt6::|find_package\(Qt)' engine shaders)
  report 'app has no window: only QtCore, QtSql, QtNetwork, QtDBus' < <(
    sources "$(included "(Qt(Gui|Quick|Qml|Widgets|Svg|OpenGL)|${qt_window}[>\"])")" app
    build_files '^[^#]*Qt6::(Gui|Quick|Qml|Widgets|Svg|OpenGL)' app
  )
  report 'an include against ui -> app -> engine -> shaders' < <(
    sources "$(included '(ui|tests)/')" app
    sources "$(included '(ui|app|tests)/')" engine
    sources "$(included '(ui|app|engine|tests)/')" shaders
    sources "$(included 'tests/')" ui
  )
  local index later
  for ((index = 0; index + 1 < ${#engine_rooms[@]}; index++)); do
    later=$(printf '|%s' "${engine_rooms[@]:index+1}")
    report 'an include against the order of the engine'"'"'s rooms' < <(
      sources "$(included "engine/(${later:1})/")" "engine/${engine_rooms[index]}"
    )
  done
}

# The shell puts the pages together; a feature knows only the theme, the components and itself.
check_features() {
  local folder feature
  for folder in ui/*/; do
    [ -d "$folder" ] || continue
    feature=$(basename "$folder")
    case $feature in shell) continue ;; esac
    report 'one feature of the window uses another' < <(
      sources "$(included 'ui/[a-z_]+/')" "$folder" |
        grep -vE "[<\"]ui/($feature|theme|components)/" || true
      grep -rniE --include='*.qml' '^[[:space:]]*import[[:space:]]+Vitrine\.' "$folder" |
        grep -viE "import[[:space:]]+Vitrine\.($feature|theme|components)([^a-z]|$)" || true
    )
  done
}

check_libraries() {
  report 'Vulkan belongs into engine/backend/vulkan' < <(
    sources "$(included '(vulkan/|volk)')" engine app ui | outside 'engine/backend/vulkan/'
  )
  report 'PCRE2 belongs into engine/text/pretokenizer' < <(
    sources "$(included 'pcre2')" engine app ui | outside 'engine/text/pretokenizer'
  )
  report 'md4c belongs into ui/chat/markdown' < <(
    sources "$(included 'md4c')" engine app ui | outside 'ui/chat/markdown/'
  )
}

# Bytes of a file become numbers in ByteReader, in the tensor views of the model and in the block structs and kernels.
check_raw_reads() {
  local views='engine/base/(byte_reader|mapped_file)|engine/(quant|backend)/|engine/model/weights'
  report 'file bytes are read through ByteReader' < <(
    sources 'reinterpret_cast<(const )?(std::)?(float|double|u?int(8|16|32|64)?(_t)?|size_t|[A-Za-z:]*(Block|Header|Record)[A-Za-z0-9_]*)( const)? ?\*' \
      engine app ui | outside "$views"
    sources '\(const (float|double|u?int(8|16|32|64)_t) ?\*\)' engine app ui | outside "$views"
    sources 'memcpy\(&' engine/gguf engine/model app ui | outside "$views"
  )
  report 'memory is mapped in engine/base (files by MappedFile)' < <(
    sources '(^|[^A-Za-z_])mmap\(' engine app ui | outside 'engine/base/'
  )
}

check_tree() {
  cd "$1"
  failures=0
  check_order
  check_features
  check_libraries
  check_raw_reads
  if [ "$failures" -gt 0 ]; then
    echo "check_layers: $failures violations (DESIGN: ui -> app -> engine -> shaders)" >&2
    return 1
  fi
}

# plant FILE TEXT: a tree with that one file on top of a clean one must fail, and name the file.
self_test() {
  local here work wrong=0 file text output
  here=$(realpath "${BASH_SOURCE[0]}")
  work=$(mktemp -d)
  # shellcheck disable=SC2064
  trap "rm -rf '$work'" EXIT
  mkdir -p "$work/clean"/{engine/{base,gguf,quant,text,model,backend/{cpu,vulkan},session},app/services,shaders,ui/{theme,components,shell,chat/markdown,settings}}
  cd "$work/clean"
  echo '#include "engine/base/result.h"' >engine/gguf/gguf_file.cpp
  echo 'const auto* text = reinterpret_cast<const char*>(bytes); memcpy(&value, bytes, 4);' >engine/base/byte_reader.cpp
  echo 'auto* block = reinterpret_cast<const Block*>(bytes);' >engine/quant/blocks.h
  echo 'void* data = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);' >engine/base/lazy_memory.cpp
  echo '#include <vulkan/vulkan.h>' >engine/backend/vulkan/device.cpp
  echo '#include <pcre2.h>' >engine/text/pretokenizer.cpp
  echo '#include <md4c.h>' >ui/chat/markdown/markdown_pass.cpp
  printf '#include <QString>\n#include <QtSql/QSqlDatabase>\n#include <QTextStream>\n' >app/services/chat_store.cpp
  echo '#include "ui/theme/theme.h"' >ui/chat/page.cpp
  printf 'import QtQuick\nimport Vitrine.Theme\nimport Vitrine.Components\nimport Vitrine.Chat\n' >ui/chat/ChatPage.qml
  printf 'import Vitrine.Chat\n' >ui/shell/Main.qml
  if ! bash "$here" "$work/clean"; then
    echo 'self-test: the clean tree is not clean' >&2
    wrong=1
  fi
  while IFS='|' read -r file text; do
    rm -rf "$work/bad"
    cp -r "$work/clean" "$work/bad"
    mkdir -p "$work/bad/$(dirname "$file")"
    printf '%s\n' "$text" >"$work/bad/$file"
    if output=$(bash "$here" "$work/bad" 2>/dev/null) || ! grep -q "^$file:1: " <<<"$output"; then
      echo "self-test: not caught: $text in $file" >&2
      wrong=1
    fi
  done <<'CASES'
engine/base/a.cpp|#include <QString>
engine/text/a.h|#include <QtCore/qglobal.h>
engine/gguf/CMakeLists.txt|target_link_libraries(engine_gguf PUBLIC Qt6::Core)
app/services/a.cpp|#include <QGuiApplication>
app/services/a.cpp|#include <QtQuick/QQuickItem>
app/services/a.h|#include <QImage>
app/services/CMakeLists.txt|target_link_libraries(vitrine_services PUBLIC Qt6::Core Qt6::Quick)
app/services/a.cpp|#include "ui/chat/page.h"
engine/session/a.cpp|#include "app/services/settings.h"
engine/model/a.cpp|#include "ui/theme/theme.h"
engine/model/a.cpp|#include "tests/support/conformance.h"
shaders/a.comp|#include "engine/quant/blocks.h"
ui/chat/a.cpp|#include "tests/support/conformance.h"
engine/gguf/a.cpp|#include "engine/model/model.h"
engine/model/a.cpp|  #  include "engine/session/session.h"
ui/settings/a.cpp|#include "ui/chat/page.h"
ui/chat/a.cpp|#include "ui/shell/options.h"
ui/settings/SettingsPage.qml|import Vitrine.Chat
engine/backend/cpu/a.cpp|#include <vulkan/vulkan.h>
ui/shell/a.cpp|#include <volk.h>
engine/chat/a.cpp|#include <pcre2.h>
ui/chat/a.cpp|#include <md4c.h>
engine/gguf/a.cpp|const auto* n = reinterpret_cast<const std::uint32_t*>(bytes.data());
engine/session/a.cpp|auto* b = reinterpret_cast<const quant::BlockQ4_0*>(p);
app/services/a.cpp|auto* f = (const float*)bytes;
engine/gguf/a.cpp|std::memcpy(&count, bytes.data() + 8, 8);
app/services/a.cpp|void* p = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
CASES
  [ "$wrong" -eq 0 ] || exit 1
  echo 'check_layers: every rule catches its violation'
}

case "${1-}" in
  --self-test) self_test ;;
  *) check_tree "${1:-$(dirname "$(realpath "${BASH_SOURCE[0]}")")/..}" ;;
esac
