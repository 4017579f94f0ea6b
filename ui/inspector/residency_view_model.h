// How much of the shown file is in memory, measured again and again while somebody looks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/latest_task.h"
#include "engine/gguf/residency.h"

#include <QtCore/QByteArray>
#include <QtCore/QObject>
#include <QtCore/QString>
#include <QtCore/QTimer>
#include <QtQml/qqmlregistration.h>

#include <chrono>
#include <memory>

/// Lives on the GUI thread; measures on its own.
class ResidencyViewModel : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Made by the inspector")
    /// Somebody looks: nothing is measured before, nor after.
    Q_PROPERTY(bool watched READ isWatched WRITE setWatched NOTIFY watchedChanged)
    /// There is a measurement of this file; the rest says nothing without.
    Q_PROPERTY(bool known READ isKnown NOTIFY changed)
    /// Equal parts of the file, each with how much of it is in memory, 0 … 255.
    Q_PROPERTY(QByteArray cells READ cells NOTIFY changed)
    Q_PROPERTY(double residentBytes READ residentBytes NOTIFY changed)
    Q_PROPERTY(double totalBytes READ totalBytes NOTIFY changed)
    /// "In memory now: 58.1 of 98.4 MB (59 %), read page by page as needed"; where only the
    /// process's own pages are known, "Touched by Vitrine: …".
    Q_PROPERTY(QString summary READ summary NOTIFY changed)
    /// Which pages were counted: those of the machine, or of this process alone, and why.
    Q_PROPERTY(QString source READ source NOTIFY changed)
    /// What mapping saves, beside a loader that copies.
    Q_PROPERTY(QString story READ story NOTIFY changed)

public:
    using File = std::shared_ptr<const engine::gguf::GgufFile>;

    static constexpr std::size_t kCells = 512;

    explicit ResidencyViewModel(std::chrono::milliseconds interval = std::chrono::milliseconds(500),
                                QObject* parent = nullptr);

    /// Null: none.
    void setFile(const File& file);

    [[nodiscard]] bool isWatched() const { return m_isWatched; }
    void setWatched(bool watched);
    [[nodiscard]] bool isKnown() const;
    [[nodiscard]] const QByteArray& cells() const { return m_cells; }
    /// At most the file's size.
    [[nodiscard]] double residentBytes() const { return static_cast<double>(m_resident); }
    [[nodiscard]] double totalBytes() const { return static_cast<double>(m_total); }
    [[nodiscard]] QString summary() const;
    [[nodiscard]] QString source() const;
    [[nodiscard]] QString story() const;

Q_SIGNALS:
    void watchedChanged();
    void changed();

private:
    void measure();
    void take(const engine::gguf::Residency& residency);

    File m_file;
    QByteArray m_cells;
    quint64 m_resident = 0;
    quint64 m_total = 0;
    engine::gguf::ResidencySource m_source = engine::gguf::ResidencySource::Unavailable;
    bool m_isSampled = false;
    bool m_isWatched = false;
    QTimer m_timer; ///< from the end of a measurement to the next
    app::LatestTask m_task;
};
