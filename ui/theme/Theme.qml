// Colours, type, spacing, radii and durations of Vitrine: the only place with such literals.
// SPDX-License-Identifier: Apache-2.0
pragma Singleton

import QtQuick
import Vitrine.Theme

QtObject {
    id: theme

    // "light", "dark" or "system".
    property string mode: "system"
    readonly property bool dark: mode === "dark" || (mode !== "light" && SystemLook.dark)

    // Surfaces and lines.
    readonly property color background: dark ? "#161513" : "#FAF9F7"
    readonly property color surface: dark ? "#1F1E1B" : "#FFFFFF"
    readonly property color sunken: dark ? "#121110" : "#F3F2EE"
    readonly property color line: dark ? "#33312C" : "#E5E3DD"
    // A line that bounds something one can type into or press.
    readonly property color lineStrong: dark ? "#4A473F" : "#CFCCC3"
    readonly property color hover: dark ? "#2A2824" : "#EDEBE5"
    readonly property color pressed: dark ? "#33312C" : "#E5E3DD"

    // Text.
    readonly property color text: dark ? "#ECE9E2" : "#1D1B18"
    readonly property color dim: dark ? "#A29E94" : "#6A665E"
    readonly property color selection: dark ? "#1F5F58" : "#BFE5DE"

    // Accent and messages.
    readonly property color accent: dark ? "#4FD1C0" : "#0F766E"
    readonly property color accentHover: dark ? "#6ADBCC" : "#0C655E"
    readonly property color accentPressed: dark ? "#3DBBAA" : "#0A544E"
    readonly property color accentSoft: dark ? "#123B37" : "#DDF3EF"
    readonly property color accentText: dark ? "#10211F" : "#FFFFFF"
    readonly property color good: dark ? "#86C46D" : "#6AA84F"
    readonly property color warning: dark ? "#F0B35B" : "#B45309"
    readonly property color warningSoft: dark ? "#332814" : "#FDF3E3"
    readonly property color error: dark ? "#F97066" : "#B42318"
    readonly property color errorSoft: dark ? "#3A1B18" : "#FDECEA"
    readonly property color errorLine: dark ? "#6B2C26" : "#F3C5C0"
    readonly property color warningLine: dark ? "#5E4A22" : "#EFD9B4"
    readonly property color shadow: dark ? "#80000000" : "#1F1D1B18"

    // Text found, and colours of code.
    readonly property color match: dark ? "#5E4A22" : "#FBE3A6"
    readonly property color codeKeyword: dark ? "#B794F4" : "#7A3EC8"
    readonly property color codeType: dark ? "#7AA5F7" : "#2C62BE"
    readonly property color codeLiteral: dark ? "#E7B35A" : "#9A5B00"
    readonly property color codeString: dark ? "#86C46D" : "#3F7A28"
    readonly property color codeFunction: dark ? "#4FD1C0" : "#0F766E"
    readonly property color codeMeta: dark ? "#E58FB1" : "#A8326A"

    // Parts of a model file, and tensor types by family.
    readonly property color dataHeader: dark ? "#E7B35A" : "#D9962B"
    readonly property color dataMetadata: dark ? "#7AA5F7" : "#3B74DA"
    readonly property color dataDirectory: dark ? "#B794F4" : "#8250C8"
    readonly property color dataPadding: dark ? "#3B3934" : "#D9D6CE"
    readonly property color dataUnowned: dark ? "#8A857A" : "#8D887C"
    readonly property color dataF32: dark ? "#CC7B68" : "#B85C4A"
    readonly property color dataF16: dark ? "#B5835F" : "#96643F"
    readonly property color dataBf16: dark ? "#D08F93" : "#8C4A50"
    readonly property color dataQ2: dark ? "#F0955A" : "#D4652A"
    readonly property color dataQ3: dark ? "#F2AE78" : "#DB8244"
    readonly property color dataQ4: dark ? "#38B2A3" : "#2A9D8F"
    readonly property color dataQ5: dark ? "#58C9C4" : "#2491A6"
    readonly property color dataQ6: dark ? "#86C46D" : "#6AA84F"
    readonly property color dataQ8: dark ? "#5F8FC9" : "#2F5F9E"
    readonly property color dataIqLow: dark ? "#DB96D6" : "#A64B9E"
    readonly property color dataIqHigh: dark ? "#9F7FD9" : "#6C45A8"
    readonly property color dataOther: dark ? "#9AA3AB" : "#75808A"
    // Maps of numbers: from far below zero to far above, and from little to much.
    readonly property list<color> diverging: dark ? ["#9CC8FF", "#3F73BD", "#23211E", "#B9661F", "#FFBE7A"]
                                                  : ["#1F4E9E", "#7FB0DE", "#F6F4EF", "#F0A35C", "#A83C0B"]
    readonly property list<color> sequential: dark ? ["#1B3833", "#2E8C7C", "#B4F5E4"] : ["#DCEEE8", "#57B09C", "#0A463F"]

    // Type. `scale`: how much larger the person wants all text.
    property real scale: 1
    readonly property string sans: SystemLook.sansFamily
    readonly property string mono: SystemLook.monoFamily
    readonly property int fontTiny: Math.round(11 * scale)
    readonly property int fontSmall: Math.round(12 * scale)
    readonly property int fontBase: Math.round(14 * scale)
    readonly property int fontReading: Math.round(15 * scale)
    readonly property int fontHeading: Math.round(17 * scale)
    readonly property int fontTitle: Math.round(20 * scale)
    readonly property int fontCode: Math.round(13 * scale)
    readonly property real lineBase: 1.3
    readonly property real lineReading: 1.45
    readonly property real lineCode: 1.5

    // Spacing on a 4 px grid.
    readonly property int space1: 4
    readonly property int space2: 8
    readonly property int space3: 12
    readonly property int space4: 16
    readonly property int space5: 20
    readonly property int space6: 24

    // Radii and sizes.
    readonly property int radiusCell: 6
    readonly property int radiusControl: 8
    readonly property int radiusCard: 10
    readonly property int radiusBubble: 14
    readonly property int hairline: 1
    readonly property int focusWidth: 2
    readonly property int control: Math.round(32 * Math.max(1, scale))
    readonly property int iconSize: 20
    readonly property int iconSmall: 16
    readonly property int header: Math.round(52 * Math.max(1, scale))
    readonly property int rail: 72
    readonly property int reading: 760
    readonly property int sidebar: 248
    readonly property int panel: 320

    // Motion.
    readonly property int quick: SystemLook.reducedMotion ? 0 : 120
    readonly property int slow: SystemLook.reducedMotion ? 0 : 180
    // A state shorter than this is not worth a progress display.
    readonly property int patience: 150
    readonly property int tipDelay: 500
}
