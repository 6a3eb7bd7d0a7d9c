// SPDX-License-Identifier: MIT
#if Server

import NIOCore
import Onward

/// The bytes of an event, shared by its readers: plain, and compressed once one wants that.
final class EventBytes: Sendable {
    private let plain: ByteBuffer
    private let packed = Guarded<ByteBuffer?>(nil)

    init(_ plain: ByteBuffer) { self.plain = plain }

    /// The bytes for a reader.
    ///
    /// - Complexity: O(1), except for the first reader that wants them compressed.
    func bytes(isPacked: Bool) -> ByteBuffer {
        guard isPacked else { return plain }
        if let packed = packed.withValue({ $0 }) { return packed }
        let made = Gzip.piece(plain)
        // Two simultaneous readers may both make it; the first result is kept.
        return packed.withValue { packed in
            if let packed { return packed }
            packed = made
            return made
        }
    }
}
#endif
