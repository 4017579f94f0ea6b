#include "app/services/first_bytes.h"

#include <QFile>
#include <QFileInfo>

namespace app {

QByteArray firstBytes(const std::string& path, qint64 count)
{
    const QString name = QFile::decodeName(path.c_str());
    QFile file(name);
    // Not of a pipe, which would wait for a writer.
    if (!QFileInfo(name).isFile() || !file.open(QIODevice::ReadOnly)) {
        return {};
    }
    return file.read(count);
}

} // namespace app
