// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import Foundation
import ReSwift

actor Socket {
    static let shared = Socket()
    private var isOpen = false

    func open() async { isOpen = true }

    func send(_ text: String) async throws -> String { "echo " + text }

    func heartbeat() {
        guard isOpen else { return }
        chat.dispatch(Connect()) // difficulty: background-dispatch
    }

    @MainActor
    func show(_ text: String) {
        chat.dispatch(SetDraft(text: text))
    }

    func relay(_ text: String) async {
        await MainActor.run { chat.dispatch(SetDraft(text: text)) }
    }
}

/// Listens without an actor of its own.
final class Listener: Sendable {
    func listen() {
        Task {
            let text = try await Socket.shared.send("hello")
            chat.dispatch(SetDraft(text: text)) // difficulty: background-dispatch
        }
    }
}
