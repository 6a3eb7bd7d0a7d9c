// SPDX-License-Identifier: MIT

import Observation
import Testing

/// What is counted without a library compiles, and does what README.md says.
///
/// The search waits on the real clock, which no test does.
@MainActor @Suite(.timeLimit(.minutes(1))) struct `The features without a library` {
    @Test func `each does its work`() async throws {
        let counter = Counter()
        counter.increment()
        #expect(counter.count == 1)

        let form = SignUp { _ in }
        (form.name, form.mail) = ("Ann", "ann@example.com")
        await form.send()
        #expect(form.problem == nil && !form.isSending)

        let list = ItemList { ["made \($0)"] }
        list.add(7)
        try await list.open(7)
        list.save()
        #expect(list.items.map(\.history) == [["made 7"]])
    }
}
