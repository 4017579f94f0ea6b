// A message to the person in front of the window: what happened, where, what to do.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/error_message.h"

#include <QtCore/QObject>
#include <QtCore/QString>
#include <QtQml/qqmlregistration.h>

/// What a banner shows; nothing while `shown` is false.
class Notice
{
    Q_GADGET
    QML_VALUE_TYPE(notice)
    Q_PROPERTY(bool shown READ isShown)
    Q_PROPERTY(QString what MEMBER what)
    Q_PROPERTY(QString where MEMBER where)
    Q_PROPERTY(QString remedy MEMBER remedy)

public:
    QString what;
    QString where;
    QString remedy;

    Notice() = default;
    explicit Notice(const app::ErrorMessage& error)
        : what(error.what)
        , where(error.where)
        , remedy(error.remedy)
    {
    }

    [[nodiscard]] bool isShown() const { return !what.isEmpty(); }
    friend bool operator==(const Notice&, const Notice&) = default;
};
