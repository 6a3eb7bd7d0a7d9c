// SPDX-License-Identifier: MIT
#if Server

import Onward

/// Draws a page version by version, and each fragment only when its source changes.
struct PageRenderer<State: Sendable>: Sendable {
    private let page: Page<State>
    private let location: PageLocation<State>
    private let epoch: String
    /// The log that other servers show as well, if there is one.
    private let log: SharedLog?
    /// Marks where a document puts a fresh request id; unguessable, so that no text of a state can
    /// be mistaken for it.
    private let placeholder = RandomID().description
    private var rendered: RenderedPage?
    private var tokens = PageTokens()
    /// The selectors that were read last time, remembered until the next.
    private var hold = SelectorHold()

    /// Draws what a page shows at a location.
    init(
        _ page: Page<State>, at location: PageLocation<State>? = nil, epoch: String,
        of log: SharedLog? = nil
    ) {
        self.log = log
        self.page = page
        self.location = location ?? page.location(at: "/")
        self.epoch = epoch
    }

    /// Renders the page of a state at its version.
    ///
    /// - Throws: ``PageError`` if the page's description is wrong; the previous page stays.
    /// - Complexity: O(1) for the version that was rendered last; otherwise one call of the view
    ///   model, and one rendering for each fragment, or row of a list, whose model or the page's
    ///   token changed.
    mutating func render(_ reader: SelectorReader<State>) throws(PageError) -> RenderedPage {
        let version = log?.version(reader.version) ?? reader.version
        if let rendered, rendered.id.version >= version { return rendered }
        let tokens = page.tokens.draw(reader.state)
        // What is no longer read is released at the end.
        let old = hold
        hold = SelectorHold()
        defer { withExtendedLifetime(old) {} }
        let writer = TemplateWriter(
            templates: page.templates, tokens: tokens, placeholder: placeholder,
            isNew: tokens != self.tokens)
        let before = Dictionary(
            uniqueKeysWithValues: (rendered?.fragments ?? []).map { ($0.source.key, $0) })
        var fragments: [RenderedFragment] = []
        for fragment in try checked(location.draw(reader.keeping(hold), location.own)) {
            fragments.append(
                try RenderedFragment(
                    fragment, after: before[fragment.key], writer: writer, version: version))
        }
        let next = RenderedPage(
            id: EventID(epoch: epoch, version: version), fragments: fragments,
            after: rendered, isOfSharedLog: log != nil)
        rendered = next
        self.tokens = tokens
        return next
    }

    private func checked(_ fragments: [Fragment]) throws(PageError) -> [Fragment] {
        var keys: Set<String> = []
        for fragment in fragments {
            guard fragment.hasValidKey else { throw PageError(.badKey, key: fragment.key) }
            guard keys.insert(fragment.key).inserted else {
                throw PageError(.duplicateFragment, key: fragment.key)
            }
        }
        return fragments
    }
}
#endif
