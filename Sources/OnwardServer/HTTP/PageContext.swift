// SPDX-License-Identifier: MIT
#if Server

import Hummingbird

/// What belongs to a request besides itself: its sender.
struct PageContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The sender's address; that of the nearest proxy, if there are any.
    let address: ClientAddress

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        address = ClientAddress(source.channel.remoteAddress)
    }
}
#endif
