// SPDX-License-Identifier: MIT

/// The last seen value of something that may be gone.
final class Remembered<Value: Sendable>: Memory, @unchecked Sendable {  // `value` is guarded.
    private let value: Guarded<Value>

    init(_ first: Value) {
        value = Guarded(first)
    }

    /// The value given, or the last one where there is none.
    func take(_ new: Value?) -> Value {
        value.withValue { last in
            guard let new else { return (last, last) }
            // What was kept is released outside the lock, by being returned.
            defer { last = new }
            return (new, last)
        }.0
    }
}

/// What distinguishes one memory from another, which may have seen something else last.
package class Memory: Hashable, @unchecked Sendable {  // Without anything to guard.
    package static func == (left: Memory, right: Memory) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Projection {
    /// The value inside an optional; while there is none, the last one.
    func unwrapped<Wrapped>(_ last: Remembered<Wrapped>) -> Projection<Wrapped>
    where Value == Wrapped? {
        Projection<Wrapped>(
            range: range, derive: { last.take(read(from: $0)) },
            source: stableSource.map { .unwrapped($0, by: last) },
            isThere: { isThere?($0) != false && read(from: $0) != nil })
    }
}
