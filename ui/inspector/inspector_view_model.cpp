#include "ui/inspector/inspector_view_model.h"

#include "ui/inspector/figures.h"
#include "ui/inspector/file_summary.h"
#include "ui/inspector/magic_bytes.h"

#include <QtCore/QFileInfo>
#include <QtCore/QLocale>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>

#include <algorithm>
#include <chrono>

using app::InspectionService;

namespace {

/// Who waits longer wants to be told.
constexpr std::chrono::milliseconds kSlow { 150 };
/// In which the map and the facts of a file are drawn, on two cores without a GPU, before its
/// tables are filled.
constexpr std::chrono::milliseconds kFirstPicture { 50 };

} // namespace

InspectorViewModel::InspectorViewModel(InspectionService& service, QObject* parent)
    : QObject(parent)
    , m_service(service)
{
    m_slowOpening.setSingleShot(true);
    m_slowOpening.setInterval(kSlow);
    connect(&m_slowOpening, &QTimer::timeout, this, [this] { setOpening(true); });
    m_filling.setSingleShot(true);
    m_filling.setInterval(kFirstPicture);
    connect(&m_filling, &QTimer::timeout, this, &InspectorViewModel::fillTables);
    connect(&service, &InspectionService::openingChanged, this, [this] {
        if (!m_service.isOpening()) {
            m_slowOpening.stop();
            setOpening(false);
        } else if (!m_isOpening && !m_slowOpening.isActive()) {
            m_slowOpening.start();
        }
    });
    connect(&service, &InspectionService::opened, this, &InspectorViewModel::onOpened);
    connect(&service, &InspectionService::failed, this, [this] {
        m_place.reset();
        m_isDismissed = false;
        setModels(true);
    });
    connect(&service, &InspectionService::closed, this, [this] { setModels(false); });
    connect(&service, &InspectionService::problemsFound, this, &InspectorViewModel::takeProblems);
    connect(&m_weights, &WeightCheckViewModel::problemsChanged, this,
            &InspectorViewModel::takeProblems);
    connect(&service, &InspectionService::openingChanged, this, &InspectorViewModel::busyChanged);
    connect(&service, &InspectionService::diagnosingChanged, this,
            &InspectorViewModel::busyChanged);
    connect(&m_tensor, &TensorDetail::statisticsChanged, this, &InspectorViewModel::busyChanged);
    connect(&m_picture, &TensorPictureModel::runningChanged, this,
            &InspectorViewModel::busyChanged);
    connect(&m_templateExample, &TemplateExample::changed, this, &InspectorViewModel::busyChanged);
    connect(&m_architecture, &ArchitectureModel::busyChanged, this,
            &InspectorViewModel::busyChanged);
    connect(m_entry.elements(), &ArrayModel::busyChanged, this, &InspectorViewModel::busyChanged);
    connect(&m_metadata, &MetadataModel::indexingChanged, this, &InspectorViewModel::busyChanged);
    connect(&m_metadata, &MetadataModel::vocabularyReady, this,
            [this] { m_entry.setVocabulary(m_metadata.vocabulary()); });
    connect(&m_comparison, &FileComparison::changed, this, &InspectorViewModel::busyChanged);
    connect(&m_comparison, &FileComparison::fileWanted, this, &InspectorViewModel::open);
    connect(&m_comparison, &FileComparison::metadataWanted, &m_selection,
            &InspectorSelection::selectMetadata);
    connect(&m_comparison, &FileComparison::tensorWanted, &m_selection,
            &InspectorSelection::selectTensor);
}

QString InspectorViewModel::name() const
{
    const QString name = QFileInfo(path()).fileName();
    return name.isEmpty() ? path() : name;
}

Notice InspectorViewModel::notice() const
{
    return m_service.error() && !m_isDismissed ? Notice(*m_service.error()) : Notice();
}

QString InspectorViewModel::failure() const
{
    return m_service.error() && !isShown() ? m_service.error()->what : QString();
}

bool InspectorViewModel::isBusy() const
{
    return m_service.isOpening() || m_filling.isActive() || m_service.isDiagnosing()
        || m_tensor.isGathering() || m_picture.isRunning() || m_templateExample.isRunning()
        || m_entry.elements()->isBusy() || m_metadata.isIndexing() || m_architecture.isBusy()
        || m_comparison.isBusy();
}

void InspectorViewModel::open(const QString& path)
{
    m_isChosen = true;
    m_place.reset();
    m_service.open(path);
    Q_EMIT stateChanged();
}

void InspectorViewModel::openUrl(const QUrl& url)
{
    open(url.isLocalFile() ? url.toLocalFile() : url.toString());
}

void InspectorViewModel::openPlace(const QString& path, double offset, const QString& subject)
{
    m_comparison.leave(); // it would hide the place
    open(path);
    engine::Where where { .file = path.toStdString(), .subject = subject.toStdString() };
    if (offset >= 0) {
        where.offset = static_cast<std::uint64_t>(offset);
    }
    m_place = where;
}

void InspectorViewModel::setChatPath(const QString& path)
{
    if (path != m_chatPath) {
        m_chatPath = path;
        follow();
        Q_EMIT stateChanged();
    }
}

void InspectorViewModel::activate()
{
    m_isActive = true;
    follow();
}

void InspectorViewModel::showChatsModel()
{
    m_isChosen = false;
    follow();
}

void InspectorViewModel::follow()
{
    // Without a model for the chat the last one stays in sight.
    if (m_isActive && !m_isChosen && !m_chatPath.isEmpty() && path() != m_chatPath) {
        m_service.open(m_chatPath);
        Q_EMIT stateChanged();
    }
}

void InspectorViewModel::dismissNotice()
{
    m_isDismissed = true;
    Q_EMIT stateChanged();
}

void InspectorViewModel::onOpened(bool again)
{
    m_isDismissed = false;
    setModels(again);
    if (m_place) {
        m_selection.selectPlace(*m_place);
        m_place.reset();
    }
}

void InspectorViewModel::setModels(bool again)
{
    const auto& file = m_service.file();
    m_facts = file ? file_summary::facts(*file) : QString();
    m_totals = file ? file_summary::totals(*file) : QVariantList();
    m_legend = file ? file_summary::legend(*file) : QVariantList();
    m_selection.setFile(file, again);
    m_weights.setFile(file);
    takeProblems();
    m_entry.setFile(file);
    m_tensor.setFile(file);
    m_picture.setFile(file);
    m_hex.setFile(file);
    m_templateExample.setFile(file);
    m_exports.setFile(file);
    m_residency.setFile(file);
    Q_EMIT fileChanged();
    Q_EMIT stateChanged();
    // Rows take most of the time: the first picture has the map and the facts. The wait begins when
    // all of that is done.
    if (file) {
        m_filling.start();
    } else {
        fillTables();
    }
}

void InspectorViewModel::fillTables()
{
    m_filling.stop();
    const auto& file = m_service.file();
    m_metadata.setFile(file);
    m_tensors.setFile(file);
    m_architecture.setFile(file);
    Q_EMIT busyChanged();
}

void InspectorViewModel::setOpening(bool opening)
{
    if (opening != m_isOpening) {
        m_isOpening = opening;
        Q_EMIT openingChanged();
    }
}

void InspectorViewModel::takeProblems()
{
    auto problems = m_service.problems();
    const auto ofWeights = m_weights.problems();
    problems.insert(problems.end(), ofWeights.begin(), ofWeights.end());
    m_problems.setProblems(std::move(problems), m_service.file());
    Q_EMIT obstacleChanged();
}

Notice InspectorViewModel::obstacle() const
{
    const auto& obstacle = m_service.obstacle();
    return obstacle ? Notice(*obstacle) : Notice();
}

QVariantList InspectorViewModel::headerFields() const
{
    return isShown() ? file_summary::headerFields(*m_service.file()) : QVariantList();
}

QVariantList InspectorViewModel::magic() const
{
    constexpr std::size_t kBytes = 4;
    if (!isShown()) {
        return magic_bytes::cells(m_service.firstBytes());
    }
    QByteArray first;
    const auto bytes = m_service.file()->bytes();
    for (const std::byte byte : bytes.first(std::min(kBytes, bytes.size()))) {
        first += static_cast<char>(byte);
    }
    return magic_bytes::cells(first);
}

QVariantList InspectorViewModel::firstLines() const
{
    return isShown() ? QVariantList() : magic_bytes::lines(m_service.firstBytes());
}

QVariantList InspectorViewModel::stages() const
{
    return isShown() ? file_summary::stages(*m_service.file()) : QVariantList();
}

QString InspectorViewModel::openTime() const
{
    return tr("Opened in %1 ms").arg(QLocale().toString(m_service.openMilliseconds(), 'f', 1));
}

bool InspectorViewModel::showProblem(int row)
{
    return m_selection.selectPlace(m_problems.whereOf(row));
}

QString InspectorViewModel::rangeText(double first, double last) const
{
    const auto address = [this](double at) {
        const auto offset = static_cast<quint64>(std::max(at, 0.0));
        return isShown() ? figures::address(*m_service.file(), offset) : figures::offset(offset);
    };
    return tr("%1 … %2").arg(address(first), address(last));
}

QString InspectorViewModel::placeText(double at, double size, const QString& owner) const
{
    const auto offset = static_cast<quint64>(std::max(at, 0.0));
    return QStringList { isShown() ? figures::place(*m_service.file(), offset)
                                   : figures::offset(offset),
                         figures::size(static_cast<quint64>(std::max(size, 0.0))), owner }
        .join(QStringLiteral(" · "));
}

void InspectorViewModel::copy(const QString& text)
{
    if (!text.isEmpty()) {
        QGuiApplication::clipboard()->setText(text);
    }
}
