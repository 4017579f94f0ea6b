// The theme's colours as the maps take them.
// SPDX-License-Identifier: Apache-2.0
pragma Singleton

import Vitrine.Inspector
import Vitrine.Theme

MapPalette {
    surface: Theme.surface
    sunken: Theme.sunken
    line: Theme.line
    text: Theme.text
    dim: Theme.dim
    accent: Theme.accent
    error: Theme.error
    header: Theme.dataHeader
    metadata: Theme.dataMetadata
    directory: Theme.dataDirectory
    padding: Theme.dataPadding
    unowned: Theme.dataUnowned
    f32: Theme.dataF32
    f16: Theme.dataF16
    bf16: Theme.dataBf16
    q2: Theme.dataQ2
    q3: Theme.dataQ3
    q4: Theme.dataQ4
    q5: Theme.dataQ5
    q6: Theme.dataQ6
    q8: Theme.dataQ8
    iqLow: Theme.dataIqLow
    iqHigh: Theme.dataIqHigh
    otherType: Theme.dataOther
    diverging: Theme.diverging
    sequential: Theme.sequential
    family: Theme.mono
    fontSize: Theme.fontTiny
}
