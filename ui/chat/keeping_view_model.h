// What is wrong with keeping chats, as a notice.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/chat_store.h"
#include "ui/components/notice.h"

#include <QtCore/QObject>
#include <QtQml/qqmlregistration.h>

/// Lives on the GUI thread; the store outlives it.
class KeepingViewModel : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Made in main")
    Q_PROPERTY(Notice notice READ notice NOTIFY noticeChanged)

public:
    explicit KeepingViewModel(app::ChatStore& store, QObject* parent = nullptr)
        : QObject(parent)
    {
        connect(&store, &app::ChatStore::problemFound, this,
                [this](const app::ErrorMessage& problem) { set(Notice(problem)); });
        connect(&store, &app::ChatStore::problemSolved, this, [this] { set({}); });
        if (store.problem()) {
            m_notice = Notice(*store.problem());
        }
    }

    [[nodiscard]] const Notice& notice() const { return m_notice; }
    Q_INVOKABLE void dismissNotice() { set({}); }

Q_SIGNALS:
    void noticeChanged();

private:
    void set(const Notice& notice)
    {
        if (notice != m_notice) {
            m_notice = notice;
            Q_EMIT noticeChanged();
        }
    }

    Notice m_notice;
};
