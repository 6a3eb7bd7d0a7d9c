// SPDX-License-Identifier: MIT
#if Server

import NIOCore
import Onward

/// The bytes of an event, which all readers that lack the same share: plain, and packed once one asks for that.
final class EventBytes: Sendable {
    private let plain: ByteBuffer
    private let packed = Guarded<ByteBuffer?>(nil)

    init(_ plain: ByteBuffer) { self.plain = plain }

    /// The bytes for a reader.
    ///
    /// - Complexity: O(1) but for the first one that wants them packed.
    func bytes(isPacked: Bool) -> ByteBuffer {
        guard isPacked else { return plain }
        if let packed = packed.withValue({ $0 }) { return packed }
        let made = Gzip.piece(plain)
        // Two that ask at the same time may both make it; the first one's is kept.
        return packed.withValue { packed in
            if let packed { return packed }
            packed = made
            return made
        }
    }
}
#endif
