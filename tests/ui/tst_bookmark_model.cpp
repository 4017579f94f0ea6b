// Bookmarks: set, named, removed, brought back, kept for the next start, within the file.
// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/inspector_file.h"
#include "ui/inspector/bookmark_model.h"

#include <QAbstractItemModelTester>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

using app::Settings;

namespace {

/// What one start of the application has.
struct Start
{
    Settings settings;
    InspectorSelection selection;
    HexViewModel hex { selection };
    BookmarkModel bookmarks { hex };
    QAbstractItemModelTester tester { &bookmarks };

    explicit Start(const QString& folder)
        : settings(folder)
    {
        bookmarks.keepIn(settings);
    }
    bool open(const QString& path)
    {
        const auto file = tests::openFile(path);
        selection.setFile(file, false);
        hex.setFile(file);
        return file != nullptr;
    }
    void set(double offset)
    {
        hex.moveTo(offset, false);
        bookmarks.toggle();
    }
    [[nodiscard]] QString text(int row, int role) const
    {
        return bookmarks.data(bookmarks.index(row, 0), role).toString();
    }
};

} // namespace

class TestBookmarkModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = m_folder->filePath("a.gguf");
        QVERIFY(tests::writeInspectorFile(m_path));
    }

    void setsAndTells()
    {
        Start start(m_folder->path());
        start.bookmarks.toggle(); // without a file: nothing
        QCOMPARE(start.bookmarks.count(), 0);
        QVERIFY(start.open(m_path));
        start.set(20);
        start.set(4);
        QCOMPARE(start.bookmarks.count(), 2);
        QCOMPARE(start.bookmarks.current(), 0);
        QCOMPARE(start.text(0, BookmarkModel::FieldRole), QString("Version"));
        QCOMPARE(start.text(1, BookmarkModel::OffsetTextRole), QString("0x0000_0014"));
        start.hex.moveTo(5, false);
        QCOMPARE(start.bookmarks.current(), -1);
        start.bookmarks.rename(1, "  counts \n end ");
        QCOMPARE(start.text(1, BookmarkModel::NameRole), QString("counts end"));
        start.bookmarks.rename(1, QString(500, u'x'));
        QCOMPARE(start.text(1, BookmarkModel::NameRole).size(), Settings::kMaxBookmarkName);
        start.bookmarks.rename(2, "nobody"); // there is none
        start.bookmarks.remove(-1);
        QCOMPARE(start.bookmarks.count(), 2);
    }

    void comeBackAtTheNextStart()
    {
        {
            Start start(m_folder->path());
            QVERIFY(start.open(m_path));
            start.set(1000);
            start.set(4);
            start.bookmarks.rename(1, "the first token");
            QVERIFY(start.open(other()));
            QCOMPARE(start.bookmarks.count(), 0); // each file has its own
            start.set(8);
        }
        Start start(m_folder->path());
        QVERIFY(start.open(m_path));
        QCOMPARE(start.bookmarks.count(), 2);
        QCOMPARE(start.text(0, BookmarkModel::NameRole), QString());
        QCOMPARE(start.text(1, BookmarkModel::NameRole), QString("the first token"));
        start.bookmarks.goTo(1);
        QCOMPARE(start.hex.cursor(), 1000.0);
        QVERIFY(start.open(other()));
        QCOMPARE(start.bookmarks.count(), 1);
        start.hex.setFile(nullptr);
        QCOMPARE(start.bookmarks.count(), 0);
    }

    void removedOnesCanBeBroughtBack()
    {
        Start start(m_folder->path());
        QVERIFY(start.open(m_path));
        start.set(4);
        start.set(30);
        start.bookmarks.rename(0, "version");
        QCOMPARE(start.bookmarks.removedText(), QString());
        start.bookmarks.remove(0);
        QCOMPARE(start.bookmarks.count(), 1);
        QCOMPARE(start.bookmarks.removedText(), QString("Bookmark “version” removed"));
        start.bookmarks.undo();
        QCOMPARE(start.bookmarks.count(), 2);
        QCOMPARE(start.text(0, BookmarkModel::NameRole), QString("version"));
        QCOMPARE(start.bookmarks.removedText(), QString());
        start.bookmarks.undo(); // nothing to bring back
        QCOMPARE(start.bookmarks.count(), 2);
        start.hex.moveTo(30, false);
        start.bookmarks.toggle();
        QCOMPARE(start.bookmarks.count(), 1);
        QVERIFY(start.bookmarks.removedText().contains("0x0000_001E"));
        QVERIFY(start.open(other())); // is not brought back into another file
        start.bookmarks.undo();
        QCOMPARE(start.bookmarks.count(), 0);
    }

    void stepsAround()
    {
        Start start(m_folder->path());
        QVERIFY(start.open(m_path));
        start.bookmarks.step(true);
        QCOMPARE(start.hex.cursor(), 0.0);
        for (const double offset : { 10.0, 20.0, 30.0 }) {
            start.set(offset);
        }
        start.hex.moveTo(12, false);
        const auto stepped = [&](bool forward) {
            start.bookmarks.step(forward);
            return start.hex.cursor();
        };
        QCOMPARE(stepped(true), 20.0);
        QCOMPARE(stepped(true), 30.0);
        QCOMPARE(stepped(true), 10.0);
        QCOMPARE(stepped(false), 30.0);
        QCOMPARE(stepped(false), 20.0);
        start.hex.moveTo(25, false);
        QCOMPARE(stepped(false), 20.0);
    }

    void areBounded()
    {
        Start start(m_folder->path());
        QVERIFY(start.open(m_path));
        for (int offset = 0; offset < Settings::kMaxBookmarks + 5; ++offset) {
            start.set(offset);
        }
        QCOMPARE(start.bookmarks.count(), Settings::kMaxBookmarks);
        QVERIFY(start.bookmarks.isFull());
        start.bookmarks.remove(3);
        QVERIFY(!start.bookmarks.isFull());
        start.bookmarks.undo();
        QVERIFY(start.bookmarks.isFull());
        start.hex.moveTo(0, false);
        start.bookmarks.toggle(); // one can always be removed
        QCOMPARE(start.bookmarks.count(), Settings::kMaxBookmarks - 1);
    }

    // Those that a shorter file has no room for come back with the rest of it.
    void stayWithinAFileThatChanged()
    {
        Start start(m_folder->path());
        QVERIFY(start.open(m_path));
        const auto whole = static_cast<std::uintmax_t>(start.hex.fileSize());
        start.set(24);
        start.set(static_cast<double>(whole) - 1);
        start.hex.setFile(nullptr);
        std::filesystem::resize_file(m_path.toStdString(), whole - 1);
        QVERIFY(start.open(m_path));
        QCOMPARE(start.bookmarks.count(), 1);
        start.set(30);
        QCOMPARE(start.bookmarks.count(), 2);
        start.hex.setFile(nullptr);
        std::filesystem::resize_file(m_path.toStdString(), whole);
        QVERIFY(start.open(m_path));
        QCOMPARE(start.bookmarks.count(), 3);
    }

private:
    [[nodiscard]] QString other() const
    {
        const QString path = m_folder->filePath("b.gguf");
        QFile::copy(m_path, path);
        return path;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
};

QTEST_MAIN(TestBookmarkModel)
#include "tst_bookmark_model.moc"
