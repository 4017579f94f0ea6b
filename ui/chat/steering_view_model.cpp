// How the chat that is shown is steered.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/steering_view_model.h"

#include <QtCore/QLocale>

#include <cmath>

SteeringViewModel::SteeringViewModel(const app::InferenceService& service, app::ChatBook& book,
                                     QObject* parent)
    : QAbstractListModel(parent)
    , m_service(service)
    , m_book(book)
    , m_fields(app::samplerFields())
{
    connect(&book, &app::ChatBook::currentChanged, this, &SteeringViewModel::follow);
    connect(&service, &app::InferenceService::loaded, this, &SteeringViewModel::valuesChanged);
    connect(&service, &app::InferenceService::unloaded, this, &SteeringViewModel::valuesChanged);
    follow();
}

void SteeringViewModel::follow()
{
    if (m_chat) {
        m_chat->disconnect(this);
    }
    m_chat = &m_book.current();
    connect(m_chat, &app::Chat::steeringChanged, this, &SteeringViewModel::valuesChanged);
    valuesChanged();
}

void SteeringViewModel::valuesChanged()
{
    Q_EMIT dataChanged(index(0), index(rowCount() - 1), { ValueRole, DefaultRole, ChangedRole });
    Q_EMIT steeringChanged();
}

int SteeringViewModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_fields.size());
}

QHash<int, QByteArray> SteeringViewModel::roleNames() const
{
    return { { NameRole, "name" },      { ExplanationRole, "explanation" },
             { ValueRole, "value" },    { DefaultRole, "usual" },
             { FromRole, "from" },      { ToRole, "to" },
             { StepRole, "step" },      { DecimalsRole, "decimals" },
             { ChangedRole, "changed" } };
}

QVariant SteeringViewModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const app::SamplerField& field = m_fields.at(index.row());
    const QString key = QLatin1String(field.key);
    const app::Chat& chat = m_book.current();
    switch (role) {
    case Qt::DisplayRole:
    case NameRole:
        return field.name;
    case ExplanationRole:
        return field.explanation;
    case ValueRole:
        return field.value(chat.sampler());
    case DefaultRole:
        return field.value(chat.samplerDefaults());
    case FromRole:
        return field.from;
    case ToRole:
        return field.to;
    case StepRole:
        return field.step;
    case DecimalsRole:
        return field.decimals;
    case ChangedRole:
        return chat.record().sampler.contains(key);
    default:
        return {};
    }
}

QString SteeringViewModel::systemPrompt() const
{
    return m_book.current().record().systemPrompt;
}

void SteeringViewModel::setSystemPrompt(const QString& text)
{
    m_book.current().setSystemPrompt(text);
}

bool SteeringViewModel::plainPrompt() const
{
    return m_book.current().record().plainPrompt;
}

void SteeringViewModel::setPlainPrompt(bool plain)
{
    m_book.current().setPlainPrompt(plain);
}

bool SteeringViewModel::isThinkingOffered() const
{
    return m_service.hasModel() && m_service.facts().thinks && !plainPrompt();
}

bool SteeringViewModel::isThinking() const
{
    const auto& chosen = m_book.current().record().thinking;
    return chosen ? *chosen : m_service.hasModel() && m_service.facts().thinks.value_or(false);
}

void SteeringViewModel::setThinking(bool thinking)
{
    m_book.current().setThinking(thinking);
}

bool SteeringViewModel::anyChanged() const
{
    return !m_book.current().record().sampler.isEmpty();
}

QString SteeringViewModel::summary() const
{
    const auto sampler = m_book.current().sampler();
    const QLocale locale;
    return tr("temp %1 · top-p %2")
        .arg(locale.toString(static_cast<double>(sampler.temperature), 'g', 3),
             locale.toString(static_cast<double>(sampler.topP), 'g', 3));
}

void SteeringViewModel::set(int row, double value)
{
    if (row < 0 || row >= rowCount()) {
        return;
    }
    const app::SamplerField& field = m_fields.at(row);
    // Steps of a slider leave traces of binary fractions.
    const double scale = std::pow(10, field.decimals);
    const double rounded = std::round(value * scale) / scale;
    QJsonObject changes = m_book.current().record().sampler;
    changes[QLatin1String(field.key)] = rounded;
    m_book.current().setSampler(changes);
}

void SteeringViewModel::reset(int row)
{
    if (row >= 0 && row < rowCount()) {
        QJsonObject changes = m_book.current().record().sampler;
        changes.remove(QLatin1String(m_fields.at(row).key));
        m_book.current().setSampler(changes);
    }
}

void SteeringViewModel::resetAll()
{
    m_book.current().setSampler({});
}
