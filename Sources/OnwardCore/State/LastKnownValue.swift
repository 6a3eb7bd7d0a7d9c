// SPDX-License-Identifier: MIT

/// The last seen value of something that may be gone.
final class LastKnownValue<Value: Sendable>: LastKnownIdentity, @unchecked Sendable {  // Guarded.
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
package class LastKnownIdentity: Hashable, @unchecked Sendable {  // Without anything to guard.
    package static func == (left: LastKnownIdentity, right: LastKnownIdentity) -> Bool {
        left === right
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Getter {
    /// The value inside an optional; while there is none, the last one.
    func unwrapped<Wrapped>(_ last: LastKnownValue<Wrapped>) -> Getter<Wrapped>
    where Value == Wrapped? {
        Getter<Wrapped>(
            range: range, derive: { last.take(read(from: $0)) },
            source: stableSource.map { .unwrapped($0, by: last) },
            isThere: { isThere?($0) != false && read(from: $0) != nil })
    }
}
