// Figures in words.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/answer_figures.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QLocale>

using app::Outcome;

namespace {

struct Figures
{
    Q_DECLARE_TR_FUNCTIONS(AnswerFigures)
};

QString speedText(double tokensPerSecond)
{
    // Three figures are what a measurement like this is good for.
    const int decimals = tokensPerSecond >= 100 ? 0 : 1;
    return Figures::tr("%1 tokens/s").arg(QLocale().toString(tokensPerSecond, 'f', decimals));
}

QString durationText(double ms)
{
    const QLocale locale;
    return ms < 10'000 ? Figures::tr("%1 ms").arg(locale.toString(ms, 'f', 0))
                       : Figures::tr("%1 s").arg(locale.toString(ms / 1000, 'f', 1));
}

} // namespace

QString finishText(Outcome::Finish finish)
{
    switch (finish) {
    case Outcome::Finish::End:
        return Figures::tr("stopped: end of turn");
    case Outcome::Finish::Length:
        return Figures::tr("stopped: length limit");
    case Outcome::Finish::Stop:
        return Figures::tr("stopped: stop text");
    case Outcome::Finish::Context:
        return Figures::tr("stopped: context full");
    case Outcome::Finish::Cancelled:
        return Figures::tr("stopped by you");
    case Outcome::Finish::Failed:
        return Figures::tr("stopped: error");
    }
    return {};
}

QString tokensText(qint64 tokens)
{
    return tokens < 0 ? QString()
        : tokens == 1 ? Figures::tr("1 token")
                      : Figures::tr("%1 tokens").arg(QLocale().toString(tokens));
}

QString answerFigures(const Outcome& outcome)
{
    QStringList parts;
    if (outcome.tokensPerSecond > 0) {
        parts << speedText(outcome.tokensPerSecond);
    }
    if (outcome.tokens > 0) {
        parts << Figures::tr("first token %1").arg(durationText(outcome.firstTokenMs));
        parts << tokensText(static_cast<qint64>(outcome.tokens));
    }
    parts << finishText(outcome.finish);
    return parts.join(QStringLiteral("  ·  "));
}

QString attachmentText(const app::Attachment& attachment)
{
    QStringList parts { attachment.name,
                        sizeText(static_cast<quint64>(attachment.text.toUtf8().size())) };
    if (attachment.tokens >= 0) {
        parts << tokensText(attachment.tokens);
    }
    return parts.join(QStringLiteral(" · "));
}

QString sizeText(quint64 bytes)
{
    return QLocale().formattedDataSize(static_cast<qint64>(bytes), 1, QLocale::DataSizeSIFormat);
}
