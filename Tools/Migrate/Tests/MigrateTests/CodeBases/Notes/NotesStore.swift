// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import Foundation
import ReduxSwift

struct NotesState { var notes: [Note] = []; var editor: Editor? }
struct Note { var text: String; var changed: Date }

class Editor { // difficulty: shared-state
    var cursor = 0
}

struct AddNote: ActionType { let text: String }
final class Touch: ActionType { // difficulty: shared-action
    var index = 0
}

let notesReducer: (ActionType, NotesState?) -> NotesState = { action, state in
    var state = state ?? NotesState()
    if let add = action as? AddNote {
        state.notes.append(Note(text: add.text, changed: Date())) // difficulty: impure-reducer
    }
    if let touch = action as? Touch {
        _ = notesStore.dispatch(AddNote(text: "\(touch.index)")) // difficulty: dispatch-in-reducer
    }
    return state
}

final class AuditedNotes: Store<NotesState>, @unchecked Sendable {
    var count = 0

    override var state: NotesState { // difficulty: state-observer
        didSet { count += 1 }
    }
}

let subscriptions = Subscriptions<NotesState, String>()

let notesStore = Store<NotesState>(
    reducer: notesReducer, state: nil,
    middlewares: [Middlewares<NotesState>.logger, subscriptions.middleware]) // difficulty: subscriptions-place
