// SPDX-License-Identifier: MIT

/// Names something that a layer above the core takes from a store's surroundings.
package protocol StoreOptionKey {
    associatedtype Value: Sendable
    /// What holds unless a client says otherwise.
    static var defaultValue: Value { get }
}
