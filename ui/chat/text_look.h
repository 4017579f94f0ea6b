// How the text of blocks looks: what the theme says, for the documents of all rows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QObject>
#include <QtCore/QString>
#include <QtGui/QColor>
#include <QtQml/qqmlregistration.h>

/// One for all rows of a view. Sizes are in pixels.
class TextLook : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QColor link MEMBER link NOTIFY changed)
    Q_PROPERTY(QColor codeBackground MEMBER codeBackground NOTIFY changed)
    Q_PROPERTY(QColor match MEMBER match NOTIFY changed)
    Q_PROPERTY(QString mono MEMBER mono NOTIFY changed)
    Q_PROPERTY(int codeSize MEMBER codeSize NOTIFY changed)
    Q_PROPERTY(int tablePadding MEMBER tablePadding NOTIFY changed)
    // Of code.
    Q_PROPERTY(QColor keyword MEMBER keyword NOTIFY changed)
    Q_PROPERTY(QColor type MEMBER type NOTIFY changed)
    Q_PROPERTY(QColor literal MEMBER literal NOTIFY changed)
    Q_PROPERTY(QColor string MEMBER string NOTIFY changed)
    Q_PROPERTY(QColor comment MEMBER comment NOTIFY changed)
    Q_PROPERTY(QColor callee MEMBER callee NOTIFY changed)
    Q_PROPERTY(QColor property MEMBER property NOTIFY changed)
    Q_PROPERTY(QColor inserted MEMBER inserted NOTIFY changed)
    Q_PROPERTY(QColor deleted MEMBER deleted NOTIFY changed)
    Q_PROPERTY(QColor meta MEMBER meta NOTIFY changed)

public:
    QColor link;
    QColor codeBackground;
    QColor match;
    QString mono;
    int codeSize = 13;
    int tablePadding = 8;
    QColor keyword;
    QColor type;
    QColor literal;
    QColor string;
    QColor comment;
    QColor callee;
    QColor property;
    QColor inserted;
    QColor deleted;
    QColor meta;

Q_SIGNALS:
    void changed();
};
