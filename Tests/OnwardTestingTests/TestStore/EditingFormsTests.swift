// SPDX-License-Identifier: MIT

#if Testing
import Onward
import OnwardTesting
import Testing

@Suite struct `Editing forms in a test store` {
    private struct Form: Equatable, Editable {
        var name = "", mail = "", problem: String?
        static let fields = Fields<Form>(\.name, \.mail)
    }

    private func makeStore() -> TestStore<Form> {
        TestStore(Form()) {
            Edits()
            Reduce { (form, edit: Edit<Form>) in
                if let mail = edit.value(of: \.mail) { form.problem = mail.isEmpty ? "empty" : nil }
            }
        }
    }

    @Test func `the new value needs no statement, what follows from it does`() async {
        let right = await Issues.found {
            let store = makeStore()
            await store.edit(\.name, "Ann")
            await store.edit(\.mail, "ann@example.com")
            await store.edit(\.mail, "") { $0.problem = "empty" }
            await store.finish()
        }.texts
        #expect(right == [])
        let mistaken = await Issues.found {
            let store = makeStore()
            await store.edit(\.mail, "")
            await store.finish()
        }.texts
        #expect(mistaken.count == 1)
    }
}
#endif
