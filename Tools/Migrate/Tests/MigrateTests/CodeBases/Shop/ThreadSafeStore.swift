// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import Foundation
import ReSwift

final class ThreadSafeStore {
    private let store: Store<ShopState>
    private let queue = DispatchQueue(label: "shop.store")
    private let lock = NSRecursiveLock()

    init(store: Store<ShopState>) { self.store = store }

    var state: ShopState { return queue.sync { store.state } }

    func send(_ action: Action) {
        queue.async {
            self.store.dispatch(action) // difficulty: locked-dispatch
        }
    }

    func sendNow(_ action: Action) {
        queue.sync { store.dispatch(action) } // difficulty: locked-dispatch
    }

    func sendLocked(_ action: Action) {
        lock.lock()
        defer { lock.unlock() }
        store.dispatch(action) // difficulty: locked-dispatch
    }

    func sendSynchronized(_ action: Action) {
        objc_sync_enter(self)
        store.dispatch(action) // difficulty: locked-dispatch
        objc_sync_exit(self)
    }

    func sendFree(_ action: Action) {
        lock.lock()
        let copy = action
        lock.unlock()
        store.dispatch(copy)
    }
}
