// What all rows of a conversation share.
// SPDX-License-Identifier: Apache-2.0
import QtQuick
import Vitrine.Chat
import Vitrine.Theme

QtObject {
    id: shared

    required property ChatViewModel chat
    readonly property ConversationModel conversation: chat.conversation
    // Text to mark everywhere.
    property string find: ""
    // The question that is being edited; -1 for none.
    property int editing: -1
    readonly property TextSelection selection: TextSelection {
        conversation: shared.conversation
    }
    readonly property TextLook look: TextLook {
        link: Theme.accent
        codeBackground: Theme.sunken
        match: Theme.match
        mono: Theme.mono
        codeSize: Theme.fontCode
        tablePadding: Theme.space2
        keyword: Theme.codeKeyword
        type: Theme.codeType
        literal: Theme.codeLiteral
        string: Theme.codeString
        comment: Theme.dim
        callee: Theme.codeFunction
        property: Theme.codeType
        inserted: Theme.codeString
        deleted: Theme.error
        meta: Theme.codeMeta
    }
}
