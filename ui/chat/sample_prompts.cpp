// Questions to begin with.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/sample_prompts.h"

#include <QtCore/QFile>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>

namespace {

SamplePrompts read()
{
    QFile file(QStringLiteral(":/qt/qml/Vitrine/Chat/prompts/samples.json"));
    SamplePrompts prompts;
    if (!file.open(QIODevice::ReadOnly)) {
        return prompts;
    }
    const QJsonArray entries = QJsonDocument::fromJson(file.readAll()).array();
    for (const QJsonValue& entry : entries) {
        prompts.titles << entry[QStringLiteral("title")].toString();
        prompts.questions << entry[QStringLiteral("prompt")].toString();
    }
    return prompts;
}

} // namespace

const SamplePrompts& samplePrompts()
{
    static const SamplePrompts prompts = read();
    return prompts;
}
