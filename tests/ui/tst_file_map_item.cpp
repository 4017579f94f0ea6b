// The file map with mouse, wheel and keyboard: what is hit, picked and shown.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/tiny_gguf.h"
#include "tests/ui/map_window.h"
#include "ui/inspector/map/file_map_item.h"

#include <QSignalSpy>

using engine::gguf::GgufFile;

class TestFileMapItem : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        // Tensors of 4000 and 12000 bytes: most of the file.
        m_bytes = tests::tinyGguf({ { "small", 0, { 1000 }, std::vector<std::byte>(4000) },
                                    { "large", 0, { 3000 }, std::vector<std::byte>(12000) } });
        auto file = GgufFile::parse(m_bytes, "tiny");
        QVERIFY(file.has_value());
        m_file = { *file };
    }
    void init()
    {
        m_window = std::make_unique<tests::MapWindow>("FileMap { width: 800; height: 60 }");
        QVERIFY2(m_window->item() != nullptr, qPrintable(m_window->error));
        QVERIFY(m_window->show());
        map().setFile(m_file);
    }

    void picksWhatIsClicked()
    {
        QSignalSpy picked(&map(), &FileMapItem::picked);
        const auto tensors = m_file.gguf->tensors();
        for (int i = 0; i < 2; ++i) {
            const auto& span = tensors[static_cast<std::size_t>(i)].data;
            m_window->click(map().xOf(static_cast<double>(span.offset + span.size / 2)), 30);
            QCOMPARE(picked.size(), i + 1);
            QCOMPARE(picked.last()[0].toDouble(), static_cast<double>(span.offset));
            QCOMPARE(picked.last()[1].toDouble(), static_cast<double>(span.size));
            QCOMPARE(picked.last()[2].toInt(), i);
        }
    }

    void tellsTheByteUnderThePointer()
    {
        QSignalSpy hovered(&map(), &FileMapItem::hovered);
        const auto& span = m_file.gguf->tensors()[1].data;
        QTest::mouseMove(&m_window->window, { 600, 30 });
        QTRY_VERIFY(!hovered.isEmpty());
        const double at = hovered.last()[0].toDouble();
        QVERIFY(std::abs(map().xOf(at) - 600) <= 1);
        QCOMPARE(hovered.last()[1].toDouble(), static_cast<double>(span.offset));
        QCOMPARE(hovered.last()[3].toString(), QString("large"));
        QTest::mouseMove(&m_window->window, { 600, 2 }); // above the strip
        QTRY_COMPARE(hovered.last()[0].toDouble(), -1.0);
    }

    void zoomsAtThePointerToSingleBytes()
    {
        const double size = static_cast<double>(m_bytes.size());
        QCOMPARE(map().firstByte(), 0.0);
        QCOMPARE(map().lastByte(), size - 1);
        const double before = map().xOf(9000);
        for (int i = 0; i < 100; ++i) {
            m_window->wheel(before, 30, 120);
        }
        QVERIFY(map().isZoomed());
        QVERIFY(map().firstByte() < 9000 && map().lastByte() > 9000);
        QVERIFY(map().lastByte() - map().firstByte() <= 22);
        QVERIFY(std::abs(map().xOf(9000) - before) < 1);
        for (int i = 0; i < 100; ++i) {
            m_window->wheel(before, 30, -120);
        }
        QVERIFY(!map().isZoomed());
        QCOMPARE(map().lastByte(), size - 1);
    }

    // In the logarithmic strip each section has a scale of its own, and bytes of all can be
    // reached.
    void zoomsToBytesByLogarithm()
    {
        map().setMode(FileMapItem::Logarithmic);
        for (const double offset : { 3.0, 9000.0 }) {
            map().fit();
            map().showRange(offset, 1);
            QVERIFY(map().lastByte() - map().firstByte() <= 45);
            QVERIFY(map().firstByte() <= offset && offset <= map().lastByte());
        }
    }

    void zoomsWithTwoFingers()
    {
        const std::unique_ptr<QPointingDevice> screen(QTest::createTouchDevice());
        const auto touch = [&] { return QTest::touchEvent(&m_window->window, screen.get()); };
        const double before = map().xOf(8000);
        const auto middle = static_cast<int>(before);
        QSignalSpy picked(&map(), &FileMapItem::picked);
        touch().press(0, { middle - 20, 30 }).press(1, { middle + 20, 30 });
        touch().move(0, { middle - 30, 30 }).move(1, { middle + 30, 30 });
        touch().move(0, { middle - 80, 30 }).move(1, { middle + 80, 30 });
        // Moves come with the next frame.
        const double fitted = 1000 * 800.0 / static_cast<double>(m_bytes.size());
        QTRY_VERIFY(map().xOf(9000) - map().xOf(8000) > 2 * fitted);
        QVERIFY(std::abs(map().xOf(8000) - before) < 4);
        touch().release(0, { middle - 80, 30 }).release(1, { middle + 80, 30 });
        QVERIFY(picked.isEmpty());
        touch().press(0, { middle, 30 });
        touch().release(0, { middle, 30 });
        QCOMPARE(picked.size(), 1); // a tap
    }

    void pansByDragging()
    {
        map().zoomBy(4);
        const double before = map().xOf(8000);
        QSignalSpy picked(&map(), &FileMapItem::picked);
        m_window->drag({ 400, 30 }, { 300, 32 });
        QVERIFY(std::abs(map().xOf(8000) - (before - 100)) <= 1);
        QVERIFY(picked.isEmpty()); // no click
        m_window->wheel(400, 30, 120, Qt::ShiftModifier);
        QVERIFY(map().xOf(8000) > before - 100);
    }

    void opensAndFitsByDoubleClick()
    {
        const auto& span = m_file.gguf->tensors()[0].data;
        const double middle = map().xOf(static_cast<double>(span.offset + span.size / 2));
        QTest::mouseDClick(&m_window->window, Qt::LeftButton, {}, QPointF(middle, 30).toPoint());
        QVERIFY(map().isZoomed());
        const double left = map().xOf(static_cast<double>(span.offset));
        const double right = map().xOf(static_cast<double>(span.end()));
        QVERIFY(left >= 0 && std::abs(right - left - 400) < 1);
        QTest::mouseDClick(&m_window->window, Qt::LeftButton, {}, { 400, 30 });
        QVERIFY(!map().isZoomed());
    }

    void goesByKeyboard()
    {
        QSignalSpy picked(&map(), &FileMapItem::picked);
        map().forceActiveFocus(Qt::TabFocusReason);
        QVERIFY(map().hasVisualFocus());
        m_window->key(Qt::Key_Home);
        QVERIFY(map().spoken().contains("Header"));
        m_window->key(Qt::Key_Return);
        QCOMPARE(picked.last()[0].toDouble(), 0.0);
        QCOMPARE(picked.last()[1].toDouble(), 24.0);
        m_window->key(Qt::Key_End);
        QVERIFY(map().spoken().contains("large") && map().spoken().contains("F32"));
        m_window->key(Qt::Key_Enter);
        QCOMPARE(picked.last()[2].toInt(), 1);
        m_window->key(Qt::Key_Left);
        m_window->key(Qt::Key_Space);
        QCOMPARE(picked.last()[2].toInt(), 0);
        m_window->key(Qt::Key_Plus);
        QVERIFY(map().isZoomed());
        m_window->key(Qt::Key_Right);
        const double end = map().xOf(static_cast<double>(m_file.gguf->tensors()[1].data.offset));
        QVERIFY(end >= -1 && end <= 801); // the cursor is in view
        m_window->key(Qt::Key_0);
        QVERIFY(!map().isZoomed());
        m_window->key(Qt::Key_Minus);
        QVERIFY(!map().isZoomed());
        QTest::mouseClick(&m_window->window, Qt::LeftButton, {}, { 400, 30 });
        QVERIFY(!map().hasVisualFocus());
    }

    void bringsTheSelectionIntoView()
    {
        map().showRange(0, 24);
        QVERIFY(map().xOf(15000) > 800);
        map().setSelectedOffset(15000);
        map().setSelectedSize(4);
        QVERIFY(map().xOf(15000) <= 801 && map().xOf(15000) >= -1);
    }

    void survivesNoFile()
    {
        map().setFile({});
        m_window->click(100, 30);
        m_window->wheel(100, 30, 120);
        m_window->key(Qt::Key_Home);
        m_window->key(Qt::Key_Return);
        QCOMPARE(map().lastByte(), 0.0);
    }

private:
    [[nodiscard]] FileMapItem& map() const { return m_window->as<FileMapItem>(); }

    std::vector<std::byte> m_bytes;
    InspectedFile m_file;
    std::unique_ptr<tests::MapWindow> m_window;
};

QTEST_MAIN(TestFileMapItem)
#include "tst_file_map_item.moc"
