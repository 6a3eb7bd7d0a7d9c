// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import rows

@Suite struct `A list of rows` {
    @Test func `changes by its actions, and ids are never used again`() {
        var list = RowList(count: 3)
        list.apply(.remove(id: 2))
        list.apply(.insert(id: 1))
        list.apply(.raise(id: 1))
        list.apply(.count(id: 0))
        list.apply(.rename(id: 0, title: "First"))
        #expect(list.rows.map(\.id) == [1, 0, 3])
        #expect(list.rows[id: 0] == Row(id: 0, title: "First", count: 1))
    }

    @Test func `actions for a row that is gone do nothing`() {
        var list = RowList(count: 2)
        list.apply(.remove(id: 0))
        for action: RowAction in [
            .count(id: 0), .rename(id: 0, title: ""), .insert(id: 0), .remove(id: 0), .raise(id: 0),
        ] {
            list.apply(action)
        }
        #expect(list.rows.map(\.id) == [1] && list.rows[id: 1]?.count == 0)
    }
}
