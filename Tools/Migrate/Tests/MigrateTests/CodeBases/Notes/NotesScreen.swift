// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import Foundation
import ReduxSwift

class NotesScreen {
    let lock = NSLock()

    func appear() {
        subscriptions.subscribe(key: "notes") { state in
            self.show(state.notes)
            if state.notes.isEmpty {
                _ = notesStore.dispatch(AddNote(text: "Welcome")) // difficulty: dispatch-in-new-state
            }
        }
    }

    func show(_ notes: [Note]) {}

    func add(_ text: String) {
        lock.withLock {
            _ = notesStore.dispatch(AddNote(text: text)) // difficulty: locked-dispatch
        }
    }

    func load() {
        Thread.detachNewThread {
            _ = notesStore.dispatch(AddNote(text: "old")) // difficulty: background-dispatch
        }
        _ = notesStore.dispatch(THUNK<NotesState> { store in
            _ = store.dispatch(AddNote(text: "from a thunk"))
        })
    }
}
