// SPDX-License-Identifier: MIT

internal import OnwardCore

/// Keeps selectors that were read remembered until the next time.
package final class SelectorHold: Sendable {
    private let nodes = Guarded<[ObjectIdentifier: AnySelectorNode]>([:])

    package init() {}

    func keep(_ node: AnySelectorNode) {
        nodes.withValue { $0[ObjectIdentifier(node)] = node }
    }
}
