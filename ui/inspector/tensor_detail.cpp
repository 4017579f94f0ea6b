#include "ui/inspector/tensor_detail.h"

#include "engine/eval/block_values.h"
#include "ui/inspector/figures.h"

#include <QtCore/QLocale>
#include <QtCore/QVariantMap>

#include <algorithm>

using app::InspectionService;
using engine::gguf::TensorInfo;

namespace {

constexpr quint64 kGatheredUnasked = 64 << 20; // bytes; more is read when someone asks for it
constexpr int kDigits = 6;

QVariantMap fact(const QString& name, const QString& value)
{
    return { { QStringLiteral("name"), name }, { QStringLiteral("value"), value } };
}

QString numberText(double number)
{
    return QLocale().toString(number, 'g', kDigits);
}

QString errorText(engine::Error error)
{
    error.where = {}; // the tensor's name stands above
    return app::errorText(error);
}

} // namespace

TensorDetail::TensorDetail(InspectionService& service, InspectorSelection& selection,
                           QObject* parent)
    : QObject(parent)
    , m_service(service)
    , m_selection(selection)
{
    constexpr int kPatienceMs = 150;
    m_patience.setSingleShot(true);
    m_patience.setInterval(kPatienceMs);
    connect(&m_patience, &QTimer::timeout, this, &TensorDetail::gather);
    m_quiet.setSingleShot(true);
    m_quiet.setInterval(kPatienceMs);
    connect(&m_quiet, &QTimer::timeout, this, &TensorDetail::statisticsChanged);
    connect(&selection, &InspectorSelection::changed, this, [this] {
        if (m_selection.tensor() != m_tensor) {
            follow();
        } else {
            showBlock();
        }
    });
    connect(&service, &InspectionService::gatheringChanged, this, &TensorDetail::statisticsChanged);
    connect(&service, &InspectionService::statisticsReady, this,
            [this](qsizetype tensor, const engine::eval::TensorSummary& summary) {
                if (tensor == m_tensor) {
                    takeStatistics(summary);
                }
            });
    connect(&service, &InspectionService::statisticsFailed, this,
            [this](qsizetype tensor, const app::ErrorMessage& error) {
                if (tensor == m_tensor) {
                    m_statisticsNote = error.what + u' ' + error.remedy;
                    Q_EMIT statisticsChanged();
                }
            });
}

void TensorDetail::setFile(const File& file)
{
    m_file = file;
    m_tensor = -1;
    follow();
}

const TensorInfo* TensorDetail::current() const
{
    return m_file && m_tensor >= 0 && m_tensor < static_cast<int>(m_file->tensors().size())
        ? &m_file->tensors()[static_cast<std::size_t>(m_tensor)]
        : nullptr;
}

void TensorDetail::follow()
{
    m_tensor = m_selection.tensor();
    m_statistics.clear();
    m_histogram.clear();
    m_statisticsNote.clear();
    m_patience.stop();
    m_service.cancelStatistics();
    const TensorInfo* tensor = current();
    m_perRow = 0;
    if (tensor != nullptr) {
        m_perRow = engine::eval::blocksPerRow(*m_file, *tensor).value_or(0);
    }
    Q_EMIT changed();
    Q_EMIT statisticsChanged();
    showBlock();
    if (tensor != nullptr && tensor->data.size <= kGatheredUnasked) {
        m_patience.start();
        Q_EMIT statisticsChanged();
    }
}

QString TensorDetail::name() const
{
    const TensorInfo* tensor = current();
    return tensor != nullptr ? figures::printable(tensor->name) : QString();
}

QString TensorDetail::typeName() const
{
    const TensorInfo* tensor = current();
    return tensor != nullptr ? figures::type(*tensor) : QString();
}

double TensorDetail::rows() const
{
    const TensorInfo* tensor = current();
    return tensor != nullptr ? static_cast<double>(tensor->rows()) : 0;
}

QVariantList TensorDetail::facts() const
{
    const TensorInfo* tensor = current();
    if (tensor == nullptr) {
        return {};
    }
    QVariantList facts {
        fact(tr("Shape"), figures::shape(*tensor)),
        fact(tr("Weights"), figures::count(tensor->elements)),
        fact(tr("Bits per weight"), figures::bits(*tensor)),
        fact(tr("Size"),
             QStringLiteral("%1 (%2)").arg(figures::size(tensor->data.size),
                                           figures::bytes(tensor->data.size))),
        fact(tr("Share of the file"), figures::share(tensor->data.size, figures::sizeOf(*m_file))),
        fact(tr("Weights at"), figures::place(*m_file, tensor->data.offset)),
        fact(tr("Directory entry at"), figures::place(*m_file, tensor->entry.offset)),
    };
    if (const auto* type = tensor->typeInfo(); type != nullptr && type->blockSize > 1) {
        facts << fact(
            tr("Block"),
            tr("%1 in %2").arg(figures::weights(type->blockSize), figures::bytes(type->typeSize)));
    }
    return facts;
}

void TensorDetail::cancelGathering()
{
    m_patience.stop();
    m_service.cancelStatistics();
    Q_EMIT statisticsChanged();
}

void TensorDetail::gather()
{
    m_patience.stop();
    m_statisticsNote.clear();
    m_quiet.start();
    m_service.gatherStatistics(m_tensor);
    Q_EMIT statisticsChanged();
}

void TensorDetail::takeStatistics(const engine::eval::TensorSummary& summary)
{
    const auto& statistics = summary.statistics;
    m_statistics = {
        fact(tr("Smallest"), numberText(static_cast<double>(statistics.min))),
        fact(tr("Largest"), numberText(static_cast<double>(statistics.max))),
        fact(tr("Mean"), numberText(statistics.mean)),
        fact(tr("Deviation"), numberText(statistics.standardDeviation)),
        fact(tr("Zeros"),
             QStringLiteral("%1 (%2)").arg(
                 figures::count(statistics.zeros),
                 figures::share(statistics.zeros, std::max<quint64>(1, statistics.elements)))),
        fact(tr("Not a number"), figures::count(statistics.nans)),
        fact(tr("Infinite"), figures::count(statistics.infinities)),
    };
    m_histogram.show(summary);
    Q_EMIT statisticsChanged();
}

/// The block that holds the first selected byte; the first one while the directory is selected.
void TensorDetail::showBlock()
{
    const TensorInfo* tensor = current();
    m_blockNote.clear();
    m_row = m_block = m_blockOffset = 0;
    if (tensor != nullptr) {
        const auto* type = tensor->typeInfo();
        const auto selected = m_selection.span().offset;
        if (type != nullptr && m_perRow > 0 && selected >= tensor->data.offset
            && selected < tensor->data.end()) {
            const quint64 number = (selected - tensor->data.offset) / type->typeSize;
            m_row = number / m_perRow;
            m_block = number % m_perRow;
        }
        // Numbers of a plain type have neighbours beside them.
        const bool isPlain = type != nullptr && type->blockSize == 1;
        const quint64 among = isPlain ? BlockExplorer::kPlainNumbers : 1;
        const auto found =
            engine::eval::blockValues(*m_file, *tensor, m_row, m_block / among * among, among);
        if (found) {
            m_blockOffset = found->offset + m_block % among * type->typeSize;
            m_explorer.show(type->type, found->bytes, found->values);
            if (isPlain) {
                m_explorer.setWeight(static_cast<int>(m_block % among));
            }
        } else {
            m_blockNote = errorText(found.error());
        }
    }
    if (tensor == nullptr || !m_blockNote.isEmpty()) {
        m_explorer.clear();
    }
    Q_EMIT blockChanged();
}

QString TensorDetail::blockSummary() const
{
    const TensorInfo* tensor = current();
    const auto* type = tensor != nullptr ? tensor->typeInfo() : nullptr;
    return type == nullptr ? QString()
                           : tr("%1 · %2 → %3")
                                 .arg(figures::type(*tensor), figures::bytes(type->typeSize),
                                      figures::weights(type->blockSize));
}

void TensorDetail::selectBlock(double row, double block)
{
    const TensorInfo* tensor = current();
    const auto* type = tensor != nullptr ? tensor->typeInfo() : nullptr;
    if (type == nullptr || m_perRow == 0 || tensor->rows() == 0) {
        return;
    }
    const auto perRow = static_cast<double>(m_perRow);
    const double last = perRow * static_cast<double>(tensor->rows()) - 1;
    const double number = std::clamp(row * perRow + block, 0.0, last);
    const auto size = static_cast<double>(type->typeSize);
    m_selection.move(static_cast<double>(tensor->data.offset) + number * size, size);
}
