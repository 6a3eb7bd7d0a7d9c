// SPDX-License-Identifier: MIT

import OnwardJournal
import Synchronization

/// A value in memory.
final class MemoryValue: ValueStorage {
    private let bytes = Mutex<[UInt8]?>(nil)

    func read() -> [UInt8]? { bytes.withLock(\.self) }
    func write(_ new: [UInt8]) { bytes.withLock { $0 = new } }
}
