// SPDX-License-Identifier: MIT

#if canImport(Dispatch)
internal import Dispatch
#endif

/// Whether the current thread runs on the main queue.
package enum MainQueue {
    #if canImport(Dispatch)
    // Thread ids don't answer this: on Linux the main actor leaves the first thread of the process.
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether it does; also false where there is no such queue.
    package static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }
    #else
    package static var isCurrent: Bool { false }
    #endif
}
