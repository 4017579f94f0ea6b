// How the weights of a tensor are spread: bars, axis and words of a histogram.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/eval/tensor_summary.h"

#include <QtCore/QList>
#include <QtCore/QObject>
#include <QtQml/qqmlregistration.h>

#include <optional>

/// Lives on the GUI thread. Empty until it is given something to show.
class WeightHistogram : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Made by the inspector")
    Q_PROPERTY(bool shown READ isShown NOTIFY changed)
    /// Heights of the bars: counts, or their logarithms.
    Q_PROPERTY(QList<qreal> heights READ heights NOTIFY changed)
    Q_PROPERTY(bool logarithmic READ isLogarithmic WRITE setLogarithmic NOTIFY changed)
    /// The ends of the axis.
    Q_PROPERTY(QString lowText READ lowText NOTIFY changed)
    Q_PROPERTY(QString highText READ highText NOTIFY changed)
    /// The largest count.
    Q_PROPERTY(QString mostText READ mostText NOTIFY changed)
    /// Places on the axis from 0 to 1; below 0 for one outside it.
    Q_PROPERTY(qreal zeroAt READ zeroAt NOTIFY changed)
    Q_PROPERTY(qreal meanAt READ meanAt NOTIFY changed)
    /// Mean less and plus a deviation, kept on the axis.
    Q_PROPERTY(qreal spreadFrom READ spreadFrom NOTIFY changed)
    Q_PROPERTY(qreal spreadTo READ spreadTo NOTIFY changed)
    /// How many weights the axis leaves out; empty where none.
    Q_PROPERTY(QString outsideText READ outsideText NOTIFY changed)
    /// The whole in a sentence, for who does not see it.
    Q_PROPERTY(QString spoken READ spoken NOTIFY changed)

public:
    using QObject::QObject;

    void show(const engine::eval::TensorSummary& summary);
    void clear();

    [[nodiscard]] bool isShown() const { return m_summary.has_value(); }
    [[nodiscard]] QList<qreal> heights() const;
    [[nodiscard]] bool isLogarithmic() const { return m_isLogarithmic; }
    void setLogarithmic(bool isLogarithmic);
    [[nodiscard]] QString lowText() const;
    [[nodiscard]] QString highText() const;
    [[nodiscard]] QString mostText() const;
    [[nodiscard]] qreal zeroAt() const;
    [[nodiscard]] qreal meanAt() const;
    [[nodiscard]] qreal spreadFrom() const;
    [[nodiscard]] qreal spreadTo() const;
    [[nodiscard]] QString outsideText() const;
    [[nodiscard]] QString spoken() const;

    /// "−0.012 … −0.011: 12,345 weights (1.2 %)"; empty where there is no such bar.
    Q_INVOKABLE QString binText(int bin) const;

Q_SIGNALS:
    void changed();

private:
    /// The lower edge of a bin; of the one past the last, the end of the axis.
    [[nodiscard]] double edge(qsizetype bin) const;
    [[nodiscard]] double placeOf(double number) const;
    [[nodiscard]] std::size_t fullest() const;

    std::optional<engine::eval::TensorSummary> m_summary; ///< with finite values only
    bool m_isLogarithmic = false;
};
