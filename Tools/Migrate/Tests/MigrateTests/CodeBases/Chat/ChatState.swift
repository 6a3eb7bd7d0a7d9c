// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import Foundation
import ReSwift
import ReSwiftThunk

struct ChatState: Equatable {
    var messages: [Message] = []
    var draft = ""
    var isOnline = false
}

struct Message: Equatable, Identifiable { let id: UUID; let text: String; let date: Date }

struct Receive: Action { let message: Message }
struct Connect: Action {}
struct SetDraft: Action { let text: String }

func chatReducer(action: Action, state: ChatState?) -> ChatState {
    var state = state ?? ChatState()
    switch action {
    case let receive as Receive:
        state.messages.append(receive.message)
    case let draft as SetDraft:
        state.draft = draft.text
    case is Connect:
        Task { await Socket.shared.open() } // difficulty: task-in-reducer
        state.isOnline = true
    default:
        break
    }
    return state
}

func stamp(_ text: String) -> Message {
    Message(id: UUID(), text: text, date: Date())
}

func draftReducer(action: any Action, state: Message?) -> Message {
    stamp("draft") // difficulty: impure-reducer
}
