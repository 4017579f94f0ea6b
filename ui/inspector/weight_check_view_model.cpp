#include "ui/inspector/weight_check_view_model.h"

#include "ui/inspector/figures.h"

#include <QtCore/QLocale>

#include <algorithm>
#include <cmath>

using app::WeightCheck;
using engine::gguf::Problem;
using engine::gguf::Severity;

namespace {

constexpr int kPatienceMs = 150;

QString secondsText(double seconds)
{
    constexpr double kMinute = 60;
    if (seconds < kMinute) {
        return WeightCheckViewModel::tr("%1 s left")
            .arg(static_cast<int>(std::max(1.0, std::ceil(seconds))));
    }
    return WeightCheckViewModel::tr("%1 min left")
        .arg(static_cast<int>(std::ceil(seconds / kMinute)));
}

std::uint64_t badTensors(const engine::eval::WeightScan& scan)
{
    return static_cast<std::uint64_t>(
        std::ranges::count(scan.problems, Severity::Error, &Problem::severity));
}

} // namespace

WeightCheckViewModel::WeightCheckViewModel(QObject* parent)
    : QObject(parent)
{
    m_patience.setSingleShot(true);
    m_patience.setInterval(kPatienceMs);
    connect(&m_patience, &QTimer::timeout, this, &WeightCheckViewModel::changed);
    connect(&m_check, &WeightCheck::changed, this, &WeightCheckViewModel::changed);
    connect(&m_check, &WeightCheck::outcomeChanged, this, [this] {
        Q_EMIT changed();
        Q_EMIT problemsChanged();
    });
}

void WeightCheckViewModel::start()
{
    m_patience.start();
    m_check.start();
}

std::vector<Problem> WeightCheckViewModel::problems() const
{
    return m_check.outcome() ? m_check.outcome()->scan.problems : std::vector<Problem>();
}

double WeightCheckViewModel::fraction() const
{
    return isRunning() && !m_patience.isActive() ? std::max(0.0, m_check.fraction()) : -1;
}

QString WeightCheckViewModel::offer() const
{
    const QString size = figures::size(m_check.bytes());
    return m_check.outcome() ? tr("Read all weights again (%1)").arg(size)
                             : tr("Read all weights (%1)").arg(size);
}

QString WeightCheckViewModel::progressText() const
{
    const double done = std::max(0.0, m_check.fraction()) * static_cast<double>(m_check.bytes());
    const QString bytes =
        tr("%1 of %2")
            .arg(figures::size(static_cast<quint64>(done)), figures::size(m_check.bytes()));
    const double seconds = m_check.secondsLeft();
    return seconds < 0 ? bytes : bytes + QStringLiteral(" · ") + secondsText(seconds);
}

bool WeightCheckViewModel::isSound() const
{
    return m_check.outcome() && badTensors(m_check.outcome()->scan) == 0;
}

QString WeightCheckViewModel::result() const
{
    const auto& outcome = m_check.outcome();
    if (!outcome || isRunning()) {
        return {};
    }
    const auto& scan = outcome->scan;
    const std::uint64_t bad = badTensors(scan);
    QString found = bad == 0
        ? tr("No bad numbers in %1").arg(figures::tensors(scan.tensors))
        : tr("Bad numbers in %1 of %2").arg(figures::count(bad), figures::tensors(scan.tensors));
    if (scan.unread > 0) {
        found += tr("; %1 could not be read").arg(figures::tensors(scan.unread));
    }
    constexpr double kSecond = 1000;
    return tr("%1. %2 read in %3 s at %4.")
        .arg(found, figures::size(scan.bytes),
             QLocale().toString(static_cast<double>(outcome->milliseconds) / kSecond, 'f', 1),
             QLocale().toString(outcome->at, QLocale::ShortFormat));
}

QString WeightCheckViewModel::failure() const
{
    const auto& error = m_check.error();
    return error ? error->what + u' ' + error->remedy : QString();
}
