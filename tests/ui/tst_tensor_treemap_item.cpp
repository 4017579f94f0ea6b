// The treemap with mouse, wheel and keyboard.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/tiny_gguf.h"
#include "tests/ui/map_window.h"
#include "ui/inspector/map/tensor_treemap_item.h"

#include <QSignalSpy>

#include <set>

using engine::gguf::GgufFile;

class TestTensorTreemapItem : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        std::vector<tests::TinyTensor> tensors;
        for (const char* name : { "embd", "blk.0.a", "blk.0.b", "blk.1.a", "blk.1.b" }) {
            tensors.push_back({ name, 0, { 256 }, std::vector<std::byte>(1024) });
        }
        m_bytes = tests::tinyGguf(tensors);
        auto file = GgufFile::parse(m_bytes, "tiny");
        QVERIFY(file.has_value());
        m_file = { *file };
    }
    void init()
    {
        m_window = std::make_unique<tests::MapWindow>("TensorTreemap { width: 500; height: 300 }");
        QVERIFY2(m_window->item() != nullptr, qPrintable(m_window->error));
        QVERIFY(m_window->show());
        map().setFile(m_file);
    }

    void picksWhatIsClicked()
    {
        QSignalSpy picked(&map(), &TensorTreemapItem::picked);
        for (int i = 0; i < 5; ++i) {
            const QPointF middle = map().rectOf(i).center();
            m_window->click(middle.x(), middle.y());
            QCOMPARE(picked.size(), i + 1);
            const auto& tensor = m_file.gguf->tensors()[static_cast<std::size_t>(i)];
            QCOMPARE(picked.last()[0].toDouble(), static_cast<double>(tensor.data.offset));
            QCOMPARE(picked.last()[1].toDouble(), 1024.0);
            QCOMPARE(picked.last()[2].toInt(), i);
        }
    }

    void tellsWhatIsUnderThePointer()
    {
        QSignalSpy hovered(&map(), &TensorTreemapItem::hovered);
        QTest::mouseMove(&m_window->window, map().rectOf(3).center().toPoint());
        QTRY_VERIFY(!hovered.isEmpty());
        QCOMPARE(hovered.last()[2].toString(), QString("blk.1.a"));
        QCOMPARE(hovered.last()[3].toInt(), 3);
    }

    // What is under the pointer stays there, and hits follow the zoom.
    void zoomsAtThePointer()
    {
        const QPointF corner = map().rectOf(2).topLeft() + QPointF(3, 3);
        const QRectF before = map().rectOf(2);
        for (int i = 0; i < 5; ++i) {
            m_window->wheel(corner.x(), corner.y(), 120);
        }
        QVERIFY(map().rectOf(2).width() > 2 * before.width());
        QVERIFY(map().rectOf(2).contains(corner));
        QSignalSpy picked(&map(), &TensorTreemapItem::picked);
        m_window->click(corner.x(), corner.y());
        QCOMPARE(picked.last()[2].toInt(), 2);
        map().fit();
        QCOMPARE(map().rectOf(2), before);
    }

    void opensItsLayerByDoubleClick()
    {
        QTest::mouseDClick(&m_window->window, Qt::LeftButton, {},
                           map().rectOf(1).center().toPoint());
        QVERIFY(map().isZoomed());
        const QRectF all(0, 0, 500, 300);
        QVERIFY(all.intersects(map().rectOf(1)) && all.intersects(map().rectOf(2)));
    }

    void goesByKeyboard()
    {
        QSignalSpy picked(&map(), &TensorTreemapItem::picked);
        map().forceActiveFocus(Qt::TabFocusReason);
        std::set<int> visited;
        m_window->key(Qt::Key_Home);
        for (const Qt::Key key : { Qt::Key_Right, Qt::Key_Right, Qt::Key_Down, Qt::Key_Left,
                                   Qt::Key_Left, Qt::Key_Up }) {
            m_window->key(key);
            m_window->key(Qt::Key_Return);
            visited.insert(picked.last()[2].toInt());
        }
        QVERIFY(visited.size() >= 3);
        QVERIFY(map().spoken().contains("F32"));
        m_window->key(Qt::Key_Plus);
        QVERIFY(map().isZoomed());
        m_window->key(Qt::Key_End);
        m_window->key(Qt::Key_Return);
        const QRectF shown = map().rectOf(picked.last()[2].toInt());
        QVERIFY(QRectF(0, 0, 500, 300).intersects(shown));
    }

    void bringsTheSelectionIntoView()
    {
        const QPointF corner(2, 2);
        for (int i = 0; i < 20; ++i) {
            m_window->wheel(corner.x(), corner.y(), 120);
        }
        const auto& last = m_file.gguf->tensors()[4].data;
        map().setSelectedOffset(static_cast<double>(last.offset + 7));
        QVERIFY(QRectF(-1, -1, 502, 302).intersects(map().rectOf(4)));
    }

    void keepsItsTilesWhenTheWindowGrows()
    {
        m_window->item()->setSize({ 900, 200 });
        double area = 0;
        for (int i = 0; i < 5; ++i) {
            area += map().rectOf(i).width() * map().rectOf(i).height();
        }
        QVERIFY(std::abs(area - 900 * 200) < 1);
    }

    void survivesNoFile()
    {
        map().setFile({});
        m_window->click(100, 30);
        m_window->wheel(100, 30, 120);
        m_window->key(Qt::Key_Home);
        m_window->key(Qt::Key_Return);
        QVERIFY(map().rectOf(0).isEmpty());
    }

private:
    [[nodiscard]] TensorTreemapItem& map() const { return m_window->as<TensorTreemapItem>(); }

    std::vector<std::byte> m_bytes;
    InspectedFile m_file;
    std::unique_ptr<tests::MapWindow> m_window;
};

QTEST_MAIN(TestTensorTreemapItem)
#include "tst_tensor_treemap_item.moc"
