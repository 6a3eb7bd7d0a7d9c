// SPDX-License-Identifier: MIT

/// What a subscriber is notified of a row: a part of it, and only what is news to the subscriber.
///
/// The part is selected and compared before a delivery policy decides when to call. So a change of
/// another part of the row neither begins a pause nor takes the place of a change that waits.
struct RowNotification: Sendable {
    typealias Refine =
        @Sendable (
            UnsafeRawPointer, UnsafeRawPointer, (UnsafeRawPointer, UnsafeRawPointer) -> Void
        ) -> Void

    /// Makes a change of the part from one of the row; calls the closure if there is one.
    private var refine: Refine = { old, new, notify in notify(old, new) }
    private let type: ValueType
    /// Whether two values of the part are the same; nil where no two are.
    let isSame: Change.IsSame?
    /// Is notified of the part.
    let subscriber: Subscriber

    init(_ type: ValueType, isSame: Change.IsSame?, _ subscriber: Subscriber) {
        self.type = type
        self.isSame = isSame
        self.subscriber = subscriber
    }

    /// The same for a whole, from which `step` makes what this one is notified.
    func after(_ step: @escaping Refine) -> RowNotification {
        var whole = self
        whole.refine = { [refine] old, new, notify in
            step(old, new) { old, new in refine(old, new, notify) }
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
