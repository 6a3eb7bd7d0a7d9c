// SPDX-License-Identifier: MIT
#if Server

import Onward

/// The renderers of a page, one for each location at which it is shown.
///
/// Renderers that are not read are kept for a while, so that a document and the stream that follows
/// it are one rendering; at most ``spare`` of them, because URLs come from outside.
struct RendererCache<State: Sendable>: Sendable {
    /// How many renderers that are not read are kept.
    static var spare: Int { 16 }

    private let page: Page<State>
    /// The log that other servers show as well, if there is one.
    private let log: SharedLog?
    private var renderers: [LocationKey: PageRenderer<State>] = [:]
    /// The keys of the renderers, the most recently used at the end.
    private var order: [LocationKey] = []

    init(_ page: Page<State>, of log: SharedLog? = nil) {
        self.page = page
        self.log = log
    }

    /// How many renderers there are.
    var count: Int { renderers.count }

    /// Whether there is a renderer for a location.
    func has(_ location: PageLocation<State>) -> Bool { renderers[location.key] != nil }

    /// Renders the page of a state at its version and a location.
    ///
    /// - Throws: ``PageError`` if the page's description is wrong.
    mutating func render(
        _ reader: SelectorReader<State>, at location: PageLocation<State>
    ) throws(PageError) -> RenderedPage {
        if order.last != location.key {
            order.removeAll { $0 == location.key }
            order.append(location.key)
        }
        let renderer = { [page, log] in Self.renderer(of: page, log, at: location) }
        return try renderers[location.key, default: renderer()].render(reader)
    }

    /// Creates the renderer of a page at a location.
    private static func renderer(
        of page: Page<State>, _ log: SharedLog?, at location: PageLocation<State>
    ) -> PageRenderer<State> {
        // A visitor's own state beside the store exists only on this server.
        guard let log, location.own == nil else {
            return PageRenderer(page, at: location, epoch: RandomID().description)
        }
        return PageRenderer(page, at: location, epoch: page.epoch(of: log, at: location), of: log)
    }

    /// Drops renderers that are not read, the least recently used first.
    ///
    /// - Parameter read: The keys of those that are read; called if there may be some to drop.
    mutating func tidy(keeping read: () -> Set<LocationKey>) {
        guard order.count > Self.spare else { return }
        let read = read()
        var surplus = order.count { !read.contains($0) } - Self.spare
        order.removeAll { key in
            guard surplus > 0, !read.contains(key) else { return false }
            surplus -= 1
            renderers[key] = nil
            return true
        }
    }
}
#endif
