// What the desktop says about the look: dark or light, font families, reduced motion.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QObject>
#include <QtCore/QString>
#include <QtQml/qqmlregistration.h>

/// The desktop's wishes, as far as Qt 6.4 tells them. Lives on the GUI thread.
class SystemLook : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_SINGLETON
    /// True when the desktop's palette has light text on a dark window.
    Q_PROPERTY(bool dark READ isDark NOTIFY darkChanged)
    /// Family for text: Inter where installed, else the system's sans.
    Q_PROPERTY(QString sansFamily READ sansFamily CONSTANT)
    /// Family for names, numbers, bytes and code: JetBrains Mono where installed, else the system's
    /// monospace.
    Q_PROPERTY(QString monoFamily READ monoFamily CONSTANT)
    /// True when the user asked for no animations (VITRINE_REDUCED_MOTION=1, or the platform's
    /// setting).
    Q_PROPERTY(bool reducedMotion READ isMotionReduced CONSTANT)

public:
    explicit SystemLook(QObject* parent = nullptr);

    [[nodiscard]] bool isDark() const { return m_dark; }
    [[nodiscard]] QString sansFamily() const { return m_sansFamily; }
    [[nodiscard]] QString monoFamily() const { return m_monoFamily; }
    [[nodiscard]] bool isMotionReduced() const;

Q_SIGNALS:
    void darkChanged();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void readPalette();

    bool m_dark = false;
    QString m_sansFamily;
    QString m_monoFamily;
};
