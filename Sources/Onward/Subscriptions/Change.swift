// SPDX-License-Identifier: MIT

/// The last two values of something that is subscribed to.
///
/// Belongs to whoever delivers.
class Change<Value: Sendable>: @unchecked Sendable {
    /// The value that the subscribers saw before the current one; nil outside a delivery.
    final private(set) var old: Value?
    /// The value being delivered, or the last one that was; nil before the first.
    final private(set) var new: Value?

    init(_ first: Value?) {
        new = first
    }

    /// Takes the next value; false when it is the same as the last one.
    final func advance(to value: Value, _ isSame: ((Value, Value) -> Bool)?) -> Bool {
        if let isSame, let new, isSame(new, value) { return false }
        old = new
        new = value
        return true
    }

    /// Notes the first value late.
    final func start(from value: Value?) { new = value }

    /// Lets go of the value before the current one, which may hold storage that the next reducer
    /// would have to copy.
    final func settle() { old = nil }
}
