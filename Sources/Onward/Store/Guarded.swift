// SPDX-License-Identifier: MIT

/// A value under a lock of its own.
package final class Guarded<Value>: @unchecked Sendable {  // `value` is touched under `lock` only.
    private let lock = Lock()
    private var value: Value

    package init(_ value: sending Value) {
        self.value = value
    }

    /// Runs `body` on the value, alone; it must not call out.
    package func withValue<Result>(_ body: (inout Value) -> Result) -> Result {
        lock.withLock { body(&value) }
    }
}
