// What the desktop says about the look: dark or light, font families, reduced motion.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/desktop_look.h"

#include <QtCore/QObject>
#include <QtCore/QString>
#include <QtQml/qqmlregistration.h>

/// The desktop's wishes: what its portal says, which comes a moment after the start, else what Qt
/// 6.4 knows. Lives on the GUI thread.
class SystemLook : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_SINGLETON
    /// True when the desktop is set to dark; where it does not say: when its palette has light text
    /// on a dark window.
    Q_PROPERTY(bool dark READ isDark NOTIFY darkChanged)
    /// Family for text: Inter where installed, else the system's sans.
    Q_PROPERTY(QString sansFamily READ sansFamily CONSTANT)
    /// Family for names, numbers, bytes and code: JetBrains Mono where installed, else the system's
    /// monospace.
    Q_PROPERTY(QString monoFamily READ monoFamily CONSTANT)
    /// True when the user asked for no animations: VITRINE_REDUCED_MOTION (1 or 0) where it is set,
    /// else the desktop's setting.
    Q_PROPERTY(bool reducedMotion READ isMotionReduced NOTIFY reducedMotionChanged)

public:
    explicit SystemLook(QObject* parent = nullptr);

    [[nodiscard]] bool isDark() const { return m_isDark; }
    [[nodiscard]] QString sansFamily() const { return m_sansFamily; }
    [[nodiscard]] QString monoFamily() const { return m_monoFamily; }
    [[nodiscard]] bool isMotionReduced() const { return m_isMotionReduced; }

Q_SIGNALS:
    void darkChanged();
    void reducedMotionChanged();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void update();

    app::DesktopLook m_desktop;
    bool m_isDark = false;
    bool m_isMotionReduced = false;
    QString m_sansFamily;
    QString m_monoFamily;
};
