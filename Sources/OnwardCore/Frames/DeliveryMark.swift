// SPDX-License-Identifier: MIT

/// Which delivery a call belongs to, for a call that is made later.
package struct DeliveryMark: Sendable {
    /// The entry being notified.
    package let version: Version
    let generation: Int
    let cause: DispatchChain?
    /// The thread that delivers.
    let thread = CurrentThread.id

    init(version: Version, generation: Int, cause: DispatchChain?) {
        self.version = version
        self.generation = generation
        self.cause = cause
    }

    /// The same as if this thread delivered it.
    package var onThisThread: DeliveryMark {
        DeliveryMark(version: version, generation: generation, cause: cause)
    }

    /// The mark of a first call, made with the state of a version, inside another delivery or none.
    package init(first version: Version, inside outer: DeliveryMark?) {
        self.init(version: version, generation: outer?.generation ?? 0, cause: outer?.cause)
    }
}
