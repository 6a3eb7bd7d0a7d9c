// SPDX-License-Identifier: MIT

/// A computed value whose comparison, description and end use the store, as those of an app may.
final class Model: Sendable, Equatable, CustomStringConvertible {
    let number: Int

    init(_ number: Int) {
        self.number = number
        Stage.current?.glance()
    }

    deinit { Stage.current?.glance() }

    static func == (left: Model, right: Model) -> Bool {
        Stage.current?.glance()
        return left.number == right.number
    }

    var description: String {
        Stage.current?.glance()
        return "Model(\(number))"
    }
}
