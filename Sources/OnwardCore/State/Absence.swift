// SPDX-License-Identifier: MIT

/// A value that can be absent: an optional, without its type.
///
/// Values that cannot be compared are notified with every commit; that there is nothing is notified once.
protocol Absence {
    var isAbsent: Bool { get }
}

extension Optional: Absence {
    var isAbsent: Bool { self == nil }
}

extension Change {
    /// The comparison of two values that cannot be compared: nothing is the same as nothing.
    @usableFromInline
    package static func bothAbsent<Value>(_ type: Value.Type) -> IsSame? {
        guard type is any Absence.Type else { return nil }
        @Sendable func isAbsent(_ pointer: UnsafeRawPointer) -> Bool {
            (pointer.assumingMemoryBound(to: Value.self).pointee as? any Absence)?.isAbsent ?? false
        }
        return { isAbsent($0) && isAbsent($1) }
    }
}
