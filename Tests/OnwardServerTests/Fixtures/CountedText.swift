// SPDX-License-Identifier: MIT
#if Server

import Mustache
import Synchronization

/// A text that counts how often a template draws it.
final class CountedText: Sendable, Equatable, MustacheCustomRenderable {
    let text: String
    let drawn: Drawings
    var isNull: Bool { false }

    init(_ text: String, _ drawn: Drawings) {
        self.text = text
        self.drawn = drawn
    }

    var renderText: String {
        drawn.note()
        return text
    }

    static func == (left: CountedText, right: CountedText) -> Bool { left.text == right.text }
}

/// How often something was drawn.
final class Drawings: Sendable {
    private let number = Mutex(0)

    var count: Int { number.withLock { $0 } }

    func note() { number.withLock { $0 += 1 } }
}
#endif
