#include "app/services/error_message.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QLocale>

namespace app {

namespace {

QString translated(const char* source)
{
    return QCoreApplication::translate("ErrorMessage", source);
}

QString filled(const QString& pattern, const std::vector<std::string>& arguments)
{
    return QString::fromStdString(engine::fillPattern(pattern.toStdString(), arguments)).trimmed();
}

// Sentences are "What is wrong. What to do.": the remedy begins after the first full stop that a
// space and no small letter follows ("e.g. this" is not an end). Cut in the pattern, so that a full
// stop in an argument never counts.
qsizetype remedyStart(const QString& pattern)
{
    static const QString kStops = QStringLiteral(".!?\u3002");
    for (qsizetype i = 0; i + 2 < pattern.size(); ++i) {
        if (!kStops.contains(pattern[i])) {
            continue;
        }
        if (pattern[i] == QChar(0x3002)) {
            return i + 1;
        }
        if (pattern[i + 1].isSpace() && !pattern[i + 2].isLower()) {
            return i + 2;
        }
    }
    return pattern.size();
}

QString placeInWords(const engine::Where& where)
{
    QStringList parts;
    if (!where.file.empty()) {
        const QString path = QString::fromStdString(where.file);
        const QString name = QFileInfo(path).fileName();
        parts << (name.isEmpty() ? path : name);
    }
    if (!where.subject.empty()) {
        parts << QString::fromStdString(where.subject);
    }
    if (where.offset) {
        parts << translated("byte %1 (0x%2)")
                     .arg(QLocale().toString(*where.offset), QString::number(*where.offset, 16));
    }
    return parts.join(QStringLiteral(", "));
}

} // namespace

QString ErrorMessage::text() const
{
    QStringList parts;
    for (const QString& part :
         { what, where.isEmpty() ? QString() : u'(' + where + u')', remedy }) {
        if (!part.isEmpty()) {
            parts << part;
        }
    }
    return parts.join(u' ');
}

ErrorMessage errorMessage(const engine::Error& error)
{
    const std::string source(engine::errorPattern(error.code));
    const QString pattern = QCoreApplication::translate("EngineError", source.c_str());
    const qsizetype cut = remedyStart(pattern);

    ErrorMessage message;
    const std::string_view slug = engine::errorSlug(error.code);
    message.code = QString::fromUtf8(slug.data(), static_cast<qsizetype>(slug.size()));
    message.what = filled(pattern.left(cut), error.arguments);
    message.remedy = filled(pattern.mid(cut), error.arguments);
    message.where = placeInWords(error.where);
    message.file = QString::fromStdString(error.where.file);
    message.offset = error.where.offset;
    message.subject = QString::fromStdString(error.where.subject);
    return message;
}

QString errorText(const engine::Error& error)
{
    return errorMessage(error).text();
}

} // namespace app
