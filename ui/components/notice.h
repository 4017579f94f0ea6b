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
    Q_PROPERTY(QString file MEMBER file)
    Q_PROPERTY(double offset MEMBER offset)
    Q_PROPERTY(QString subject MEMBER subject)

public:
    QString what;
    QString where;
    QString remedy;
    // The place for a link that opens it.
    QString file;
    double offset = -1; ///< in the file; below 0 where nobody knows
    QString subject; ///< metadata key or tensor

    Notice() = default;
    explicit Notice(const app::ErrorMessage& error)
        : what(error.what)
        , where(error.where)
        , remedy(error.remedy)
        , file(error.file)
        , offset(error.offset ? static_cast<double>(*error.offset) : -1)
        , subject(error.subject)
    {
    }

    [[nodiscard]] bool isShown() const { return !what.isEmpty(); }
    friend bool operator==(const Notice&, const Notice&) = default;
};
