// SPDX-License-Identifier: MIT

/// The action types that a store handles, by name.
///
/// Code that reads actions from outside (a page, a journal, an inspector) looks them up here,
/// so that only registered types come in.
public struct ActionRegistry: Sendable {
    private let types: [String: any Action.Type]

    init(types: [any Action.Type]) {
        self.types = Dictionary(types.map { ($0.actionName, $0) }) { first, _ in first }
    }

    /// The registered names, sorted.
    public var names: [String] { types.keys.sorted() }

    /// The type with a name, nil when no feature of the store handles such actions.
    ///
    /// - Complexity: O(1).
    public func type(named name: String) -> (any Action.Type)? { types[name] }
}
