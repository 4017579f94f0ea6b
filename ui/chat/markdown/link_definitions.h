// The link definitions ("[label]: target") met so far in a document that is parsed in parts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QHash>
#include <QtCore/QString>
#include <QtCore/QStringView>

/// Remembers definitions of one line each and gives a part of the document those it may need.
class LinkDefinitions
{
public:
    /// Takes the text of a line that may be one: it must begin a paragraph or follow another
    /// definition. Returns whether it is one.
    bool take(QStringView text);
    /// Definitions, one a line with a blank line behind them, of the labels that stand between
    /// brackets in `source`.
    [[nodiscard]] QString forSource(QStringView source) const;

private:
    QHash<QString, QString> m_lines; ///< by label
};
