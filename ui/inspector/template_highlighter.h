// Colours for chat templates: Jinja statements, expressions and comments in plain text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QPointer>
#include <QtGui/QColor>
#include <QtGui/QSyntaxHighlighter>
#include <QtQml/qqmlregistration.h>
#include <QtQuick/QQuickTextDocument>

/// Works on the document of a TextEdit, while `active`. Linear in the text.
class TemplateHighlighter : public QSyntaxHighlighter
{
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QQuickTextDocument* edited READ edited WRITE setEdited NOTIFY changed)
    Q_PROPERTY(bool active READ isActive WRITE setActive NOTIFY changed)
    Q_PROPERTY(QColor mark READ mark WRITE setMark NOTIFY changed) ///< {{ }} {% %}
    Q_PROPERTY(QColor keyword READ keyword WRITE setKeyword NOTIFY changed)
    Q_PROPERTY(QColor string READ string WRITE setString NOTIFY changed)
    Q_PROPERTY(QColor name READ name WRITE setName NOTIFY changed)
    Q_PROPERTY(QColor comment READ comment WRITE setComment NOTIFY changed)

public:
    explicit TemplateHighlighter(QObject* parent = nullptr);

    [[nodiscard]] QQuickTextDocument* edited() const { return m_edited; }
    void setEdited(QQuickTextDocument* edited);
    [[nodiscard]] bool isActive() const { return m_active; }
    void setActive(bool active);
    [[nodiscard]] QColor mark() const { return m_mark; }
    void setMark(const QColor& color) { setColor(m_mark, color); }
    [[nodiscard]] QColor keyword() const { return m_keyword; }
    void setKeyword(const QColor& color) { setColor(m_keyword, color); }
    [[nodiscard]] QColor string() const { return m_string; }
    void setString(const QColor& color) { setColor(m_string, color); }
    [[nodiscard]] QColor name() const { return m_name; }
    void setName(const QColor& color) { setColor(m_name, color); }
    [[nodiscard]] QColor comment() const { return m_comment; }
    void setComment(const QColor& color) { setColor(m_comment, color); }

Q_SIGNALS:
    void changed();

protected:
    void highlightBlock(const QString& text) override;

private:
    /// What a line begins within; kept between lines as the block's state.
    enum Within { Text = 0, Expression, Statement, Comment };
    struct State
    {
        int within = Text;
        QChar quote; ///< of a string that goes on; null outside of strings
    };

    void setColor(QColor& target, const QColor& color);
    // Each colours one piece from `at` on and returns where it ends.
    [[nodiscard]] int plainPiece(const QString& text, int at, State& state);
    [[nodiscard]] int commentPiece(const QString& text, int at, State& state);
    [[nodiscard]] int codePiece(const QString& text, int at, State& state);
    [[nodiscard]] int stringPiece(const QString& text, int at, State& state);

    QPointer<QQuickTextDocument> m_edited;
    bool m_active = false;
    QColor m_mark;
    QColor m_keyword;
    QColor m_string;
    QColor m_name;
    QColor m_comment;
};
