// SPDX-License-Identifier: MIT

/// What a subscriber is told of a row: a part of it, and only what is news to the subscriber.
///
/// The part is selected and compared before a delivery policy decides when to call. So a change of
/// another part of the row neither begins a pause nor takes the place of a change that waits.
struct RowHearing: Sendable {
    typealias Refine =
        @Sendable (
            UnsafeRawPointer, UnsafeRawPointer, (UnsafeRawPointer, UnsafeRawPointer) -> Void
        ) -> Void

    /// Makes a change of the part from one of the row; calls the closure if there is one.
    private var refine: Refine = { old, new, hear in hear(old, new) }
    private let type: ValueType
    /// Whether two values of the part are the same; nil where no two are.
    let isSame: Change.IsSame?
    /// Hears of the part.
    let subscriber: Subscriber

    init(_ type: ValueType, isSame: Change.IsSame?, _ subscriber: Subscriber) {
        self.type = type
        self.isSame = isSame
        self.subscriber = subscriber
    }

    /// The same for a whole, from which `step` makes what this one is told.
    func after(_ step: @escaping Refine) -> RowHearing {
        var whole = self
        whole.refine = { [refine] old, new, hear in
            step(old, new) { old, new in refine(old, new, hear) }
        }
        return whole
    }

    /// The change of the part; nil when there is nothing new.
    func refined(_ change: Change) -> Change? {
        var refined: Change?
        change.withPointers { old, new in
            refine(old, new) { old, new in
                let copy = ValueCopy(of: new, type)
                refined = Change(from: old == new ? copy : ValueCopy(of: old, type), to: copy)
            }
        }
        return refined
    }
}
