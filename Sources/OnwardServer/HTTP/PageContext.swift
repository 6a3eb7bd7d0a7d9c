// SPDX-License-Identifier: MIT
#if Server

import Hummingbird
import NIOCore

/// What belongs to a request besides itself: its sender and its connection.
struct PageContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The sender's address, or that of the nearest proxy if there are any.
    let address: ClientAddress

    private let channel: any Channel
    /// False only for the channel in a test of the router alone.
    private let wasActive: Bool

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        address = ClientAddress(source.channel.remoteAddress)
        channel = source.channel
        wasActive = channel.isActive
    }

    /// Whether the sender has left, so that nobody will get an answer.
    var isGone: Bool { wasActive && !channel.isActive }

    /// Closes the connection, with whatever is still to be sent; from any thread.
    func cutConnection() { channel.close(promise: nil) }
}
#endif
