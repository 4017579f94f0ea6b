#include "ui/inspector/inspector_view_model.h"

#include "ui/inspector/figures.h"
#include "ui/inspector/type_totals.h"

#include <QtCore/QFileInfo>
#include <QtCore/QLocale>
#include <QtCore/QVariantMap>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>

#include <algorithm>

using app::InspectionService;
using engine::gguf::ByteSpan;
using engine::gguf::GgufFile;

namespace {

QString textOf(const GgufFile& file, std::string_view key)
{
    const auto* value = file.find(key);
    const auto text = value != nullptr ? value->asText() : std::nullopt;
    return text ? figures::printable(*text) : QString();
}

QVariantList totalsOf(const TypeTotals& totals)
{
    QVariantList list;
    for (const TypeTotal& each : totals.types()) {
        list << QVariantMap { { QStringLiteral("name"), each.name },
                              { QStringLiteral("tensors"), figures::count(each.tensors) },
                              { QStringLiteral("size"), figures::size(each.bytes) },
                              { QStringLiteral("share"),
                                figures::share(each.bytes, totals.bytes()) } };
    }
    return list;
}

ByteSpan spanOf(const GgufFile& file, engine::gguf::Section::Kind kind)
{
    for (const auto& section : file.sections()) {
        if (section.kind == kind) {
            return section.span;
        }
    }
    return {};
}

} // namespace

InspectorViewModel::InspectorViewModel(InspectionService& service, QObject* parent)
    : QObject(parent)
    , m_service(service)
{
    connect(&service, &InspectionService::openingChanged, this,
            &InspectorViewModel::openingChanged);
    connect(&service, &InspectionService::opened, this, &InspectorViewModel::onOpened);
    connect(&service, &InspectionService::failed, this, [this] {
        m_place.reset();
        m_isDismissed = false;
        setModels(true);
    });
    connect(&service, &InspectionService::closed, this, [this] { setModels(false); });
    connect(&service, &InspectionService::openingChanged, this, &InspectorViewModel::busyChanged);
    connect(&m_tensor, &TensorDetail::statisticsChanged, this, &InspectorViewModel::busyChanged);
    connect(&m_picture, &TensorPictureModel::runningChanged, this,
            &InspectorViewModel::busyChanged);
    connect(m_entry.elements(), &ArrayModel::busyChanged, this, &InspectorViewModel::busyChanged);
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

bool InspectorViewModel::isBusy() const
{
    return m_service.isOpening() || m_tensor.isGathering() || m_picture.isRunning()
        || m_entry.elements()->isBusy();
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
    open(path);
    engine::Where where { .subject = subject.toStdString() };
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
    m_facts.clear();
    m_totals.clear();
    if (file) {
        const TypeTotals totals(*file);
        m_totals = totalsOf(totals);
        const QString architecture = textOf(*file, "general.architecture");
        m_facts =
            QStringList {
                tr("GGUF %1").arg(file->header().version),
                architecture.isEmpty() ? tr("no architecture") : architecture,
                tr("%1 tensors").arg(figures::count(file->tensors().size())),
                tr("%1 weights").arg(figures::shortCount(totals.elements())),
                tr("%1 bits per weight").arg(QLocale().toString(totals.bitsPerWeight(), 'f', 2)),
                figures::size(file->bytes().size()),
            }
                .join(QStringLiteral(" · "));
    }
    m_selection.setFile(file, again);
    m_metadata.setFile(file);
    m_tensors.setFile(file);
    m_problems.setProblems(
        file ? std::vector<engine::gguf::Problem>(file->problems().begin(), file->problems().end())
             : std::vector<engine::gguf::Problem>());
    m_entry.setFile(file, m_metadata.vocabulary());
    m_tensor.setFile(file);
    m_picture.setFile(file);
    m_hex.setFile(file);
    m_exports.setFile(file);
    Q_EMIT fileChanged();
    Q_EMIT stateChanged();
}

QVariantList InspectorViewModel::headerFields() const
{
    const auto& file = m_service.file();
    if (!file) {
        return {};
    }
    const auto& header = file->header();
    const auto field = [](const QString& name, const QString& value, const QString& note,
                          ByteSpan span) {
        return QVariantMap { { QStringLiteral("name"), name },
                             { QStringLiteral("value"), value },
                             { QStringLiteral("note"), note },
                             { QStringLiteral("offset"), static_cast<double>(span.offset) },
                             { QStringLiteral("size"), static_cast<double>(span.size) } };
    };
    const std::uint64_t width = header.version == 1 ? 4 : 8;
    const auto* alignment = file->find("general.alignment");
    return {
        field(tr("Magic"), QStringLiteral("47 47 55 46"),
              tr("“GGUF” in ASCII: how a reader knows the format."), { 0, 4 }),
        field(tr("Version"), QString::number(header.version),
              tr("3 is current. Read the wrong way round it gives the byte order away."), { 4, 4 }),
        field(tr("Tensors"), figures::count(header.tensorCount),
              tr("Their number comes first, that of the metadata entries after it."), { 8, width }),
        field(tr("Metadata entries"), figures::count(header.metadataCount),
              tr("Keys and values, right after the header."), { 8 + width, width }),
        field(tr("Byte order"), header.bigEndian ? tr("big-endian") : tr("little-endian"),
              tr("Of all numbers in the file. There is no field for it."), { 4, 4 }),
        field(tr("Alignment"), figures::bytes(header.alignment),
              alignment != nullptr ? tr("As general.alignment says.")
                                   : tr("The default; general.alignment could say otherwise."),
              alignment != nullptr ? alignment->span() : ByteSpan {}),
        field(tr("Weights begin at"), figures::offset(file->dataOffset()),
              tr("Offsets in the tensor directory count from here."),
              { file->dataOffset(), file->dataOffset() < file->bytes().size() ? 1U : 0U }),
        field(tr("File size"), figures::bytes(file->bytes().size()), QString(), ByteSpan {}),
    };
}

QVariantMap InspectorViewModel::stage(const QString& title, const QString& detail,
                                      ByteSpan span) const
{
    return { { QStringLiteral("title"), title },
             { QStringLiteral("detail"), detail },
             { QStringLiteral("offset"), static_cast<double>(span.offset) },
             { QStringLiteral("size"), static_cast<double>(span.size) } };
}

QVariantList InspectorViewModel::stages() const
{
    using Kind = engine::gguf::Section::Kind;
    const auto& file = m_service.file();
    if (!file) {
        return {};
    }
    const ByteSpan metadata = spanOf(*file, Kind::Metadata);
    const ByteSpan directory = spanOf(*file, Kind::Directory);
    const std::uint64_t start = std::min<std::uint64_t>(file->dataOffset(), file->bytes().size());
    const ByteSpan data { start, file->bytes().size() - start };
    return {
        stage(tr("Header"),
              tr("%1: the magic, the version, how many tensors and metadata entries follow.")
                  .arg(figures::bytes(file->header().span.size)),
              file->header().span),
        stage(tr("Metadata"),
              tr("%1 entries in %2. Texts of arrays are stepped over, not copied.")
                  .arg(figures::count(file->metadata().size()), figures::size(metadata.size)),
              metadata),
        stage(tr("Tensor directory"),
              tr("%1 tensors in %2: name, shape, type and offset of each.")
                  .arg(figures::count(file->tensors().size()), figures::size(directory.size)),
              directory),
        stage(tr("Weights"),
              tr("%1 that nobody has read yet: the file is mapped into memory, and a page of it is "
                 "fetched when something first looks at it.")
                  .arg(figures::size(data.size)),
              data),
    };
}

QString InspectorViewModel::openTime() const
{
    return tr("Opened in %1 ms").arg(QLocale().toString(m_service.openMilliseconds(), 'f', 1));
}

bool InspectorViewModel::showProblem(int row)
{
    return m_selection.selectPlace(m_problems.whereOf(row));
}

void InspectorViewModel::copy(const QString& text)
{
    if (!text.isEmpty()) {
        QGuiApplication::clipboard()->setText(text);
    }
}
