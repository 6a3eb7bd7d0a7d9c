// SPDX-License-Identifier: MIT

import Onward

/// The selectors that histories read.
enum Selectors {
    static let sum = StateSelector<World, Int>(\.x, \.y) { x, y in
        soakPoint()
        return x &+ 1_000 &* y
    }

    static let family = SelectorFamily<World, Int, Int> { factor in
        StateSelector(\.x) { x in x &* factor }
    }

    static let view = StateSelector<World, EntityTable<Row>>(\.rows).filter { row in
        soakPoint()
        return row.open
    }
}
