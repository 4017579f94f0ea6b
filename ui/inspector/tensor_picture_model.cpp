#include "ui/inspector/tensor_picture_model.h"

#include "app/services/error_message.h"
#include "engine/eval/block_values.h"
#include "engine/quant/block_fields.h"
#include "ui/inspector/figures.h"

#include <QtCore/QLocale>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

using engine::eval::CellValue;
using engine::eval::PictureArea;
using engine::eval::PictureOf;
using engine::eval::TensorPicture;
using engine::gguf::TensorInfo;
using namespace std::chrono_literals;

namespace {

/// Shown by debuggers.
constexpr auto kThread = "vitrine-picture";
constexpr auto kPatience = 150ms; // before progress is told
constexpr auto kGlance = 50ms; // between two looks at it
constexpr double kMostCells = 4096; // in a row or a column
constexpr int kDigits = 6;

QString errorText(engine::Error error)
{
    error.where = {}; // the tensor's name stands above
    return app::errorText(error);
}

/// A number of the GUI as one of the engine's, within [0, most].
std::uint64_t within(double number, std::uint64_t most)
{
    return number > 0 ? static_cast<std::uint64_t>(std::min(number, static_cast<double>(most))) : 0;
}

} // namespace

/// What came of a wish.
struct TensorPictureModel::Answer
{
    HeatGrid grid;
    quint64 badCells = 0;
    QString note;
};

TensorPictureModel::TensorPictureModel(InspectorSelection& selection, QObject* parent)
    : QObject(parent)
    , m_selection(selection)
    , m_task(kThread)
{
    connect(&selection, &InspectorSelection::changed, this, [this] {
        if (m_selection.tensor() != m_tensor) {
            begin();
        }
    });
    connect(&m_task, &app::LatestTask::changed, this, &TensorPictureModel::runningChanged);
    connect(&m_watch, &QTimer::timeout, this, &TensorPictureModel::watch);
}

TensorPictureModel::~TensorPictureModel() = default;

void TensorPictureModel::setFile(const File& file)
{
    m_file = file;
    begin();
}

void TensorPictureModel::setWhat(What what)
{
    m_wanted = what;
    if (what != m_what && (what == Values || m_hasScales)) {
        begin();
    }
}

void TensorPictureModel::setActive(bool isActive)
{
    if (isActive == m_isActive) {
        return;
    }
    m_isActive = isActive;
    if (isActive) {
        next();
    } else {
        m_task.stop(); // its wish stays
        m_progress.reset();
        watch();
    }
    Q_EMIT activeChanged();
}

const TensorInfo* TensorPictureModel::current() const
{
    return m_file && m_tensor >= 0 && m_tensor < static_cast<int>(m_file->tensors().size())
        ? &m_file->tensors()[static_cast<std::size_t>(m_tensor)]
        : nullptr;
}

/// Something else is shown: what was given and wished for before is forgotten.
void TensorPictureModel::begin()
{
    m_task.stop();
    m_progress.reset();
    watch();
    m_wholeWish.reset();
    m_partWish.reset();
    ++m_generation;
    m_tensor = m_selection.tensor();
    measure();
    m_grid = {};
    m_badCells = 0;
    Q_EMIT changed();
    Q_EMIT gridChanged();
}

void TensorPictureModel::measure()
{
    m_note.clear();
    m_size = { 0, 0, 0, 0 };
    m_blockColumns = 1;
    m_what = Values;
    m_hasScales = false;
    const TensorInfo* tensor = current();
    if (tensor == nullptr) {
        return;
    }
    const auto values = engine::eval::pictureSize(*m_file, *tensor, PictureOf::Values);
    if (!values) {
        m_note = errorText(values.error());
        return;
    }
    const auto scales = engine::eval::pictureSize(*m_file, *tensor, PictureOf::Scales);
    m_hasScales = scales.has_value();
    m_what = m_hasScales ? m_wanted : Values;
    m_size = m_what == Scales ? *scales : *values;
    m_blockColumns = m_what == Scales ? 1 : tensor->typeInfo()->blockSize;
    if (m_size.rows == 0 || m_size.columns == 0) {
        m_note = tr("The tensor has no values.");
    }
}

QString TensorPictureModel::sizeText() const
{
    if (!m_note.isEmpty() || m_size.rows == 0) {
        return {};
    }
    const QString rows =
        m_size.rows == 1 ? tr("1 row") : tr("%1 rows").arg(figures::count(m_size.rows));
    const QString columns = figures::count(m_size.columns);
    if (m_size.columns == 1) {
        return m_what == Scales ? tr("%1 × 1 block").arg(rows) : tr("%1 × 1 column").arg(rows);
    }
    return m_what == Scales ? tr("%1 × %2 blocks").arg(rows, columns)
                            : tr("%1 × %2 columns").arg(rows, columns);
}

void TensorPictureModel::show(double x, double y, double w, double h, int cellsX, int cellsY)
{
    if (!m_note.isEmpty() || current() == nullptr) {
        return;
    }
    PictureArea area { .firstRow = within(std::floor(y), m_size.rows),
                       .firstColumn = within(std::floor(x), m_size.columns) };
    area.rows = within(std::ceil(y + h), m_size.rows) - area.firstRow;
    area.columns = within(std::ceil(x + w), m_size.columns) - area.firstColumn;
    if (area.rows == 0 || area.columns == 0) {
        return;
    }
    const auto cells = [](int wanted) {
        return static_cast<std::uint32_t>(std::clamp<double>(wanted, 1, kMostCells));
    };
    // Scales by their size: signs, which some types choose freely, would cancel out.
    const Wish wish { .of = m_what == Scales ? PictureOf::Scales : PictureOf::Values,
                      .cell = m_what == Scales ? CellValue::LargestMagnitude : CellValue::Mean,
                      .area = area,
                      .width = cells(cellsX),
                      .height = cells(cellsY) };
    if (isWhole(wish)) {
        m_wholeWish = wish;
        m_partWish.reset();
        next();
    } else {
        m_partWish = wish;
        if (!m_wholeWish) { // else after that one
            next();
        }
    }
}

void TensorPictureModel::next()
{
    if (!m_isActive) {
        return;
    }
    if (m_wholeWish) {
        run(*m_wholeWish);
    } else if (m_partWish) {
        run(*m_partWish);
    }
}

void TensorPictureModel::run(const Wish& wish)
{
    m_progress = std::make_shared<engine::eval::ScanProgress>();
    m_watch.start(kPatience);
    m_task.start([this, wish, file = m_file, tensor = m_tensor,
                  progress = m_progress](const app::TaskControl& control) {
        auto picture =
            engine::eval::tensorPicture(*file, file->tensors()[static_cast<std::size_t>(tensor)],
                                        wish, { control.stop, progress.get() });
        Answer answer;
        if (picture) {
            const PictureArea& area = picture->area;
            answer.grid = {
                QRectF(static_cast<double>(area.firstColumn), static_cast<double>(area.firstRow),
                       static_cast<double>(area.columns), static_cast<double>(area.rows)),
                static_cast<int>(picture->width), static_cast<int>(picture->height),
                std::make_shared<const std::vector<float>>(std::move(picture->cells))
            };
            answer.badCells = picture->badCells;
        } else {
            answer.note = errorText(picture.error());
        }
        return app::LatestTask::Delivery(
            [this, wish, answer = std::move(answer)] { take(wish, answer); });
    });
}

void TensorPictureModel::take(const Wish& wish, const Answer& answer)
{
    (isWhole(wish) ? m_wholeWish : m_partWish).reset();
    m_progress.reset();
    watch();
    m_grid = answer.grid;
    m_badCells = answer.badCells;
    m_note = answer.note;
    if (!m_note.isEmpty()) {
        m_wholeWish.reset();
        m_partWish.reset();
        Q_EMIT changed();
    }
    Q_EMIT gridChanged();
    next();
}

void TensorPictureModel::watch()
{
    const double fraction = m_progress ? m_progress->fraction() : -1;
    if (m_progress) {
        m_watch.start(kGlance);
    } else {
        m_watch.stop();
    }
    if (fraction != std::exchange(m_fraction, fraction)) {
        Q_EMIT progressChanged();
    }
}

std::optional<double> TensorPictureModel::numberAt(double row, double column) const
{
    const TensorInfo* tensor = current();
    if (tensor == nullptr || !(row >= 0 && row < rows() && column >= 0 && column < columns())) {
        return {};
    }
    const auto number = static_cast<std::uint64_t>(column);
    const auto block = engine::eval::blockValues(*m_file, *tensor, static_cast<std::uint64_t>(row),
                                                 number / m_blockColumns);
    if (!block) {
        return {};
    }
    if (m_what == Values) {
        return static_cast<double>(block->values[number % m_blockColumns]);
    }
    return engine::quant::floatFields(tensor->typeInfo()->type).front().read(block->bytes.data());
}

QString TensorPictureModel::numberText(double row, double column) const
{
    const auto number = numberAt(row, column);
    if (!number) {
        return {};
    }
    const QString value = QLocale().toString(*number, 'g', kDigits);
    const QString line = figures::count(static_cast<quint64>(row));
    const QString place = figures::count(static_cast<quint64>(column));
    if (m_what == Scales) {
        return tr("Row %1, block %2: scale %3").arg(line, place, value);
    }
    return tr("Row %1, column %2: %3").arg(line, place, value);
}
