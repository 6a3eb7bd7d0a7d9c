// SPDX-License-Identifier: MIT
#if Server

internal import Mustache
internal import Onward
internal import OnwardNavigation
internal import OnwardServer

extension Page<InspectorState> {
    /// Creates the inspector as a page on which each browser tab has its own place.
    ///
    /// - Parameters:
    ///   - root: The path below which it is shown.
    ///   - app: The name of the app that has a store, by the name of the store.
    /// - Returns: The page.
    /// - Throws: The parser's error if a template has a mistake.
    static func inspector(
        at root: String, app: @escaping @Sendable (_ store: String?) -> String?
    ) throws -> Page<InspectorState> {
        var page = try Page(
            tabs: \.tabs, codec: Place.codec(at: root), title: { $0.title(app($0.store)) },
            templates: templates(),
            accepts: [Steer.self, FillIn.self, Play.self, StopPlaying.self],
            isThere: { state, place in place.store.map { state[$0] != nil } ?? true }
        ) { state, routes in
            InspectorView(state, at: routes.current).fragments
        }
        page.isForThisSite = true
        return page
    }

    private static func templates() throws -> MustacheLibrary {
        let sources = [
            "layout": PackageResources.layout_mustache,
            "stores": PackageResources.stores_mustache,
            "transport": PackageResources.transport_mustache,
            "filter": PackageResources.filter_mustache,
            "entry": PackageResources.entry_mustache,
            "pages": PackageResources.pages_mustache,
            "head": PackageResources.head_mustache,
            "lines": PackageResources.lines_mustache,
            "action": PackageResources.action_mustache,
            "state": PackageResources.state_mustache,
            "diff": PackageResources.diff_mustache,
            "trace": PackageResources.trace_mustache,
            "chart": PackageResources.chart_mustache,
            "table": PackageResources.table_mustache,
            "search": PackageResources.search_mustache,
            "test": PackageResources.test_mustache,
            "activity": PackageResources.activity_mustache,
            "effects": PackageResources.effects_mustache,
            "page": PackageResources.page_mustache,
            "cell": PackageResources.cell_mustache,
            "dispatch": PackageResources.dispatch_mustache,
            "file": PackageResources.file_mustache,
            "question": PackageResources.question_mustache,
            "gone": PackageResources.gone_mustache,
            "missing": PackageResources.missing_mustache,
            "waiting": PackageResources.waiting_mustache,
            "none": [],
        ]
        return MustacheLibrary(
            templates: try sources.mapValues {
                try MustacheTemplate(string: String(decoding: $0, as: UTF8.self))
            })
    }
}

extension Place {
    /// The document's title, which names the app first, as browsers cut titles at the end.
    fileprivate func title(_ app: String?) -> String {
        [app, store, entry.map { "#\($0)" }, "Inspector"].compactMap { $0 }
            .joined(separator: " – ")
    }
}
#endif
