// The search of all weights for NaN and infinite numbers, in words.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/weight_check.h"

#include <QtCore/QObject>
#include <QtCore/QTimer>
#include <QtQml/qqmlregistration.h>

#include <vector>

/// Lives on the GUI thread.
class WeightCheckViewModel : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Made by the inspector")
    /// There are weights that can be read.
    Q_PROPERTY(bool possible READ isPossible NOTIFY changed)
    Q_PROPERTY(bool running READ isRunning NOTIFY changed)
    /// From 0 to 1; below 0 until it has run for a moment.
    Q_PROPERTY(double fraction READ fraction NOTIFY changed)
    /// What the button offers: "Read all weights (98.4 MB)".
    Q_PROPERTY(QString offer READ offer NOTIFY changed)
    /// "32.1 MB of 98.4 MB · 3 s left".
    Q_PROPERTY(QString progressText READ progressText NOTIFY changed)
    /// "No bad numbers in 272 tensors …"; empty before.
    Q_PROPERTY(QString result READ result NOTIFY changed)
    /// What was found is nothing bad.
    Q_PROPERTY(bool sound READ isSound NOTIFY changed)
    /// Why there is no result.
    Q_PROPERTY(QString failure READ failure NOTIFY changed)

public:
    using File = app::WeightCheck::File;

    explicit WeightCheckViewModel(QObject* parent = nullptr);

    void setFile(const File& file) { m_check.setFile(file); }
    [[nodiscard]] std::vector<engine::gguf::Problem> problems() const;

    [[nodiscard]] bool isPossible() const { return m_check.bytes() > 0; }
    [[nodiscard]] bool isRunning() const { return m_check.isRunning(); }
    [[nodiscard]] double fraction() const;
    [[nodiscard]] QString offer() const;
    [[nodiscard]] QString progressText() const;
    [[nodiscard]] QString result() const;
    [[nodiscard]] bool isSound() const;
    [[nodiscard]] QString failure() const;

    Q_INVOKABLE void start();
    Q_INVOKABLE void cancel() { m_check.cancel(); }

Q_SIGNALS:
    void changed();
    /// problems() are others.
    void problemsChanged();

private:
    app::WeightCheck m_check;
    QTimer m_patience; ///< nothing is told of what ends at once
};
