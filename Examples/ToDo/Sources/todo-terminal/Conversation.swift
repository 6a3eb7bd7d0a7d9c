// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardJournal
import OnwardSync
import ToDoShared
import ToDoTasks

/// Does what is typed, and says what happens, one after the other.
struct Conversation {
    /// What it reacts to.
    enum Event: Sendable {
        /// A line was typed; nil at the end of the input.
        case typed(String?)
        /// Others have changed the list, or the server has decided about a change of ours.
        case changed(from: SharedList, to: SharedList)
        case status(SyncStatus)
    }

    private let synced: SyncedStore<SharedList>
    private let network: SwitchedTransport
    private let say: (String) -> Void
    private var screen = Screen()
    private var status = (isOnline: false, pending: 0, refused: 0, failure: String?.none)

    init(
        _ synced: SyncedStore<SharedList>, over network: SwitchedTransport,
        say: @escaping (String) -> Void
    ) {
        (self.synced, self.network, self.say) = (synced, network, say)
    }

    /// Says what there is, then goes on until somebody quits.
    mutating func run(_ events: AsyncStream<Event>) async {
        await list()
        for await event in events {
            switch event {
            case .typed(nil): return
            case .typed(let line?):
                guard let command = Command(line) else {
                    say(Command.help)
                    continue
                }
                if command == .quit { return }
                await perform(command)
            case .changed(let old, let new):
                for line in screen.changes(from: old.tasks, to: new.tasks) { say(line) }
            case .status(let new): note(new)
            }
        }
    }

    private mutating func list() async {
        let confirmed = await synced.confirmed
        for line in screen.lines(synced.store.state.tasks, confirmed: confirmed.tasks) { say(line) }
    }

    private mutating func perform(_ command: Command) async {
        switch command {
        case .add(let name): await dispatch(.add(name: name))
        case .done(let number): await change(number) { .mark(id: $0, isDone: true) }
        case .rename(let number, let name): await change(number) { .rename(id: $0, name: name) }
        case .delete(let number): await change(number) { .delete(id: $0) }
        case .offline: network.isOn = false
        case .online: network.isOn = true
        case .list: await list()
        case .quit: break
        }
    }

    private mutating func change(
        _ number: Int, _ action: (TaskItem.ID) -> TaskAction
    ) async {
        guard let id = screen.id(of: number) else { return say("There is no number \(number).") }
        await dispatch(action(id))
    }

    /// Shows at once, and is kept before anything else is read.
    private mutating func dispatch(_ action: TaskAction) async {
        let before = synced.store.state.tasks
        do {
            let result = try await synced.store.dispatch(action, durable: .written)
            guard result.version != nil else {
                let reason = result.reason(as: TaskRefusal.self)
                return say(reason?.sentence ?? "This can't be done now.")
            }
        } catch {
            say("It can't be kept here: \(error)")
        }
        let (tasks, confirmed) = (synced.store.state.tasks, await synced.confirmed.tasks)
        if let id = action.id {
            say(tasks[id: id].map { screen.line($0, confirmed: confirmed[id: id]) } ?? "deleted")
        } else {
            // Others may have added some at the same moment: those are said twice.
            for id in tasks.changes(since: before).inserted {
                if let task = tasks[id: id] { say(screen.line(task, confirmed: confirmed[id: id])) }
            }
        }
    }

    private mutating func note(_ new: SyncStatus) {
        defer { status = (new.isOnline, new.pending, new.refused, new.failure) }
        if new.isOnline != status.isOnline { say(new.isOnline ? "online" : "offline") }
        if new.refused > status.refused {
            say("refused: \(new.lastRefusal?.sentence ?? "the server doesn't say why")")
        }
        if new.pending == 0, status.pending > 0 { say("everything is on the server") }
        if let failure = new.failure, status.failure == nil { say("not kept: \(failure)") }
    }
}
