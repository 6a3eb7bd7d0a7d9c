// SPDX-License-Identifier: MIT

import ComposableArchitecture2

enum Plan: String { case free, paid }
@Feature struct SignUp {
    struct State {
        var name = ""
        var mail = ""
        var age: Int?
        var plan = Plan.free
        var wantsNews = false
        var note = ""
        var isSending = false
        var problem: String?

        var isValid: Bool { !name.isEmpty && mail.contains("@") }
    }
    enum Action { case send }

    var register: @Sendable (State) async throws -> Void

    var body: some Feature {
        Update { state, action in
            guard state.isValid else { return }
            state.isSending = true
            let form = state
            store.addTask {
                var problem: String?
                do { try await register(form) } catch { problem = "\(error)" }
                try store.modify { ($0.isSending, $0.problem) = (false, problem) }
            }
        }
    }
}
