// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import ReSwift
import SwiftUI

@MainActor
final class ChatModel: ObservableObject, StoreSubscriber {
    @Published var messages: [Message] = []

    init() {
        chat.subscribe(self) { $0.select(\.messages).skipRepeats() }
    }

    nonisolated func newState(state: [Message]) {
        MainActor.assumeIsolated { messages = state }
    }

    func send(_ text: String) {
        Task {
            chat.dispatch(SetDraft(text: text))
        }
    }

    nonisolated func sendLater(_ text: String) {
        Task {
            chat.dispatch(SetDraft(text: text)) // difficulty: background-dispatch
        }
    }
}

struct ChatScreen: View {
    @StateObject var model = ChatModel()

    var body: some View {
        List(model.messages) { Text($0.text) }
            .task { chat.dispatch(Connect()) }
    }
}
