// SPDX-License-Identifier: MIT

internal import Onward

/// Something to be done once: when it is called, or when it can no longer be called.
final class Completion: Sendable {
    private let action: Guarded<(@Sendable () -> Void)?>

    init(_ action: @escaping @Sendable () -> Void) {
        self.action = Guarded(action)
    }

    deinit {
        call()
    }

    func call() {
        let action = action.withValue { action in
            defer { action = nil }
            return action
        }
        action?()
    }
}
