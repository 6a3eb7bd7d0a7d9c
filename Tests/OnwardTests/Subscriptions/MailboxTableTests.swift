// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardCore
@testable import TestSupport

@Suite struct MailboxTableTests {
    private actor Screen {}

    /// What the engine does before it asks for a mailbox.
    private func sweep(_ table: inout MailboxTable) -> Int {
        guard let all = table.inventory() else { return 0 }
        table.remove(all.filter { !$0.isAlive })
        return all.count
    }

    @Test
    func `an actor has one mailbox`() {
        var table = MailboxTable()
        let (one, other) = (Screen(), Screen())
        let mailbox = table.mailbox(of: one)
        #expect(table.mailbox(of: one) === mailbox)
        #expect(table.mailbox(of: other) !== mailbox)
        #expect(table.count == 2)
    }

    @Test
    func `many actors cost a constant number of looks each, alive or gone`() {
        for keeps in [true, false] {
            var table = MailboxTable()
            var screens: [Screen] = []
            var looks = 0
            for _ in 0..<10_000 {
                let screen = Screen()
                if keeps { screens.append(screen) }
                looks += sweep(&table)
                _ = table.mailbox(of: screen)
            }
            #expect(looks <= 3 * 10_000)
            #expect(keeps ? table.count == 10_000 : table.count <= 16)
        }
    }

    @Test
    func `a new actor at the address of one that is gone gets a mailbox of its own`() {
        var table = MailboxTable()
        for _ in 0..<100 {
            let screen = Screen()
            let mailbox = table.mailbox(of: screen)
            #expect(mailbox.isAlive)
        }
    }
}
