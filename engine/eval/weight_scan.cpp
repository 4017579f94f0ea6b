#include "engine/eval/weight_scan.h"

#include "engine/eval/bad_numbers.h"
#include "engine/gguf/printable.h"
#include "engine/quant/block_fields.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace engine::eval {

namespace {

using gguf::Problem;
using gguf::Severity;

constexpr std::uint64_t kMaxListedTensors = 200;

Problem problemOf(const gguf::GgufFile& file, const gguf::TensorInfo& tensor, const BadNumbers& bad)
{
    return { Severity::Error,
             { ErrorCode::BadNumbers,
               { std::to_string(bad.nans), std::to_string(bad.infinities),
                 std::to_string(bad.looked), std::string(fieldKindName(bad.first->kind)) },
               { file.path(), bad.first->offset, gguf::printable(tensor.name) } } };
}

/// What becomes of one tensor after the other.
class Collector
{
public:
    Collector(const gguf::GgufFile& file, const ScanControl& control)
        : m_file(file)
        , m_control(control)
        , m_total(static_cast<double>(std::max<std::uint64_t>(1, scannableBytes(file))))
    {
    }

    /// Only what ends the whole scan is an error.
    Result<void> add(const gguf::TensorInfo& tensor)
    {
        const auto done = static_cast<double>(m_scan.bytes);
        m_control.beginPart(done / m_total,
                            (done + static_cast<double>(tensor.data.size)) / m_total);
        auto bad = findBadNumbers(m_file, tensor, m_control);
        if (!bad) {
            return skip(std::move(bad.error()));
        }
        ++m_scan.tensors;
        m_scan.bytes += tensor.data.size;
        if (!bad->first) {
            return {};
        }
        if (m_listed++ < kMaxListedTensors) {
            m_scan.problems.push_back(problemOf(m_file, tensor, *bad));
        }
        return {};
    }

    WeightScan take()
    {
        if (m_listed > kMaxListedTensors) {
            m_scan.problems.push_back({ Severity::Note,
                                        { ErrorCode::GgufProblemsOmitted,
                                          { std::to_string(m_listed - kMaxListedTensors) },
                                          { .file = m_file.path() } } });
        }
        return std::move(m_scan);
    }

private:
    Result<void> skip(Error error)
    {
        if (error.code == ErrorCode::Cancelled || error.code == ErrorCode::FileChanged) {
            return tl::unexpected(std::move(error));
        }
        ++m_scan.unread;
        // Missing data is a problem of the container, told already.
        if (error.code == ErrorCode::TensorNotDecodable && m_types.insert(error.arguments).second) {
            error.where.subject = gguf::printable(error.where.subject);
            m_scan.problems.push_back({ Severity::Note, std::move(error) });
        }
        return {};
    }

    const gguf::GgufFile& m_file;
    const ScanControl& m_control;
    double m_total;
    std::uint64_t m_listed = 0;
    std::set<std::vector<std::string>> m_types; // one note a type says enough
    WeightScan m_scan;
};

} // namespace

std::uint64_t scannableBytes(const gguf::GgufFile& file)
{
    std::uint64_t bytes = 0;
    for (const gguf::TensorInfo& tensor : file.tensors()) {
        bytes += decodableTensor(file, tensor) ? tensor.data.size : 0;
    }
    return bytes;
}

Result<WeightScan> scanWeights(const gguf::GgufFile& file, const ScanControl& control)
{
    Collector collector(file, control);
    for (const gguf::TensorInfo& tensor : file.tensors()) {
        if (auto added = collector.add(tensor); !added) {
            return tl::unexpected(std::move(added.error()));
        }
    }
    return collector.take();
}

} // namespace engine::eval
