// SPDX-License-Identifier: MIT

import Onward
public import OnwardSync
public import SwiftUI
public import ToDoShared
import ToDoTasks

/// The list that everybody shares.
public struct ListView: View {
    private let store: Store<SharedList>
    private let status: Store<SyncStatus>
    @State private var name = ""

    /// A window of a client.
    public init(_ synced: SyncedStore<SharedList>) {
        (store, status) = (synced.store, synced.status)
    }

    /// A field for the next task, the tasks, and how it stands with the server.
    public var body: some View {
        VStack {
            HStack {
                TextField("New task", text: $name)
                Button("Add", systemImage: "plus") {
                    if store.dispatch(TaskAction.add(name: name)).version != nil { name = "" }
                }
            }
            List {
                ForEach(store[\.ids], id: \.self) { id in
                    TaskRow(store: store, id: id)
                }
            }
            StatusLine(status: status)
        }
        .padding()
        .navigationTitle("To-do")
    }
}

/// A task; it is drawn again when it changes, and no other.
private struct TaskRow: View {
    let store: Store<SharedList>
    let id: TaskItem.ID

    var body: some View {
        if let task = store[\.tasks, id: id] {
            HStack {
                Button {
                    store.dispatch(TaskAction.mark(id: id, isDone: task.state != .done))
                } label: {
                    Image(systemName: task.state == .done ? "checkmark.circle.fill" : "circle")
                }
                .accessibilityLabel("\(task.state == .done ? "Done" : "To do"): \(task.name)")
                Text(task.name)
                Spacer()
                Button("Delete", systemImage: "trash") {
                    store.dispatch(TaskAction.delete(id: id))
                }
                .accessibilityLabel("Delete: \(task.name)")
            }
        }
    }
}

/// Whether the server answers, what it doesn't have yet, and what it has refused.
private struct StatusLine: View {
    let status: Store<SyncStatus>

    var body: some View {
        HStack {
            Text(status[\.isOnline] ? "In step" : "Offline")
            if status[\.pending] > 0 {
                Text("\(status[\.pending]) not on the server yet")
            }
            if let refusal = status[\.lastRefusal] { Text(refusal.sentence) }
        }
        .font(.footnote)
        .foregroundStyle(.secondary)
    }
}
