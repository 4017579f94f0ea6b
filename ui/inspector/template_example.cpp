#include "ui/inspector/template_example.h"

#include "app/services/error_message.h"

#include <utility>

using app::LatestTask;
using app::TaskControl;
using Without = TemplateTrial::Without;

namespace {

constexpr std::string_view kTemplateKey = "tokenizer.chat_template";

/// As a text field shows it: one character for the end of a line, none that ends a text.
QString shownText(std::string_view bytes)
{
    QString text = QString::fromUtf8(bytes.data(), static_cast<qsizetype>(bytes.size()));
    return text.replace(QLatin1String("\r\n"), QLatin1String("\n"))
        .replace(QChar(0), QChar(0x2400));
}

/// "line 12" → 12.
int lineOf(const engine::Where& where)
{
    const QString subject = QString::fromStdString(where.subject);
    return subject.startsWith(QLatin1String("line ")) ? QStringView(subject).mid(5).toInt() : 0;
}

} // namespace

TemplateExample::TemplateExample(const InspectorSelection& selection, QObject* parent)
    : QObject(parent)
    , m_selection(selection)
    , m_task("vitrine-template")
{
    connect(&selection, &InspectorSelection::changed, this, [this] {
        if (selectedTemplate() != m_entry) {
            start();
        }
    });
    connect(&m_task, &LatestTask::changed, this, &TemplateExample::changed);
}

void TemplateExample::setFile(const InspectorSelection::File& file)
{
    m_file = file;
    start();
}

int TemplateExample::selectedTemplate() const
{
    const auto entry = static_cast<std::size_t>(m_selection.metadata());
    if (!m_file || m_selection.metadata() < 0 || entry >= m_file->metadata().size()) {
        return -1;
    }
    const auto& selected = m_file->metadata()[entry];
    return selected.key.starts_with(kTemplateKey) && selected.value.asText()
        ? m_selection.metadata()
        : -1;
}

void TemplateExample::clear()
{
    m_text.clear();
    m_marks.clear();
    m_note.clear();
    m_error.clear();
    m_errorLine = 0;
}

void TemplateExample::start()
{
    m_entry = selectedTemplate();
    clear();
    m_task.stop();
    if (m_entry >= 0) {
        m_task.start(
            [this, file = m_file, entry = static_cast<std::size_t>(m_entry)](const TaskControl&) {
                const auto source = file->metadata()[entry].value.asText();
                const TemplateTrial trial = tryTemplate(file, source.value_or(std::string_view()));
                return LatestTask::Delivery([this, trial] { take(trial); });
            });
    }
    Q_EMIT changed();
}

void TemplateExample::take(const TemplateTrial& trial)
{
    clear();
    if (trial.error && trial.text.empty()) {
        const auto message = app::errorMessage(*trial.error);
        m_error = message.text();
        m_errorLine = lineOf(trial.error->where);
    } else {
        takeText(trial);
    }
    Q_EMIT changed();
}

void TemplateExample::takeText(const TemplateTrial& trial)
{
    const std::string_view bytes = trial.text;
    std::size_t done = 0;
    for (const auto& token : trial.specialTokens) {
        m_text += shownText(bytes.substr(done, token.begin - done));
        const QString shown = shownText(bytes.substr(token.begin, token.end - token.begin));
        m_marks << m_text.size() << shown.size();
        m_text += shown;
        done = token.end;
    }
    m_text += shownText(bytes.substr(done));
    QStringList notes;
    if (trial.without == Without::System) {
        notes << tr("It takes no system message; here is the conversation without one.");
    } else if (trial.without == Without::EarlierTurns) {
        notes << tr("It takes neither a system message nor earlier turns; here is one question.");
    } else if (trial.dropsSystem) {
        notes << tr("It leaves the system message out.");
    }
    if (trial.error) {
        notes << tr("It said: %1").arg(app::errorMessage(*trial.error).text());
    }
    if (!trial.knowsTokens) {
        notes << tr("The vocabulary cannot be read, so special tokens are not told apart.");
    }
    m_note = notes.join(u' ');
}
