// SPDX-License-Identifier: MIT

/// The last two values of something that is subscribed to.
///
/// Belongs to whoever delivers.
@usableFromInline
class Change: @unchecked Sendable {
    /// Compares two values; nil where none are the same.
    @usableFromInline
    typealias IsSame = @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Bool

    /// The value that the subscribers saw before the current one; nil outside a delivery.
    @exclusivity(unchecked) final private(set) var old: ValueCopy?
    /// The value being delivered, or the last one that was; nil before the first.
    @usableFromInline @exclusivity(unchecked) final private(set) var new: ValueCopy?

    @usableFromInline
    init(_ first: ValueCopy?) {
        new = first
    }

    /// Takes the next value; false when it is the same as the last one.
    final func advance(to value: ValueCopy, _ isSame: IsSame?) -> Bool {
        if let isSame, let new, isSame(new.pointer, value.pointer) { return false }
        put(value)
        return true
    }

    /// Takes the next value, which is another one.
    @usableFromInline
    final func put(_ value: ValueCopy) {
        old = new
        new = value
    }

    /// Notes the first value late.
    final func start(from value: ValueCopy) { new = value }

    /// Gives away the last value, which nobody asks for any more.
    final func surrender() -> [Any?] {
        defer { new = nil }
        return [new]
    }

    /// Lets go of the value before the current one, which may hold storage that the next reducer
    /// would have to copy.
    final func settle() { old = nil }
}
