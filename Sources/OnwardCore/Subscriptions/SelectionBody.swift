// SPDX-License-Identifier: MIT

/// What a subscriber calls, as it is stored: passing the closure itself would wrap it once more.
@usableFromInline
package struct SelectionBody<Value>: Sendable {
    @usableFromInline package let call: @Sendable (_ old: Value, _ new: Value) -> Void

    @inlinable @inline(__always)
    package init(_ call: @escaping @Sendable (_ old: Value, _ new: Value) -> Void) {
        self.call = call
    }
}
