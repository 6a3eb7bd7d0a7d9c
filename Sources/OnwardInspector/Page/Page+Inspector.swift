// SPDX-License-Identifier: MIT
#if Inspector

internal import Mustache
internal import Onward
internal import OnwardNavigation
internal import OnwardServer

extension Page<InspectorState> {
    /// Creates the inspector as a page on which each browser tab has its own place.
    ///
    /// - Parameter root: The path below which it is shown.
    /// - Returns: The page.
    /// - Throws: The parser's error if a template has a mistake.
    static func inspector(at root: String) throws -> Page<InspectorState> {
        try Page(
            tabs: \.tabs, codec: Place.codec(at: root), title: { $0.title }, templates: templates(),
            accepts: [Steer.self, FillIn.self, Play.self, StopPlaying.self],
            isThere: { state, place in place.store.map { state[$0] != nil } ?? true }
        ) { state, routes in
            InspectorView(state, at: routes.current).fragments
        }
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
            "routes": PackageResources.routes_mustache,
            "costs": PackageResources.costs_mustache,
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
    /// The document's title.
    fileprivate var title: String {
        [entry.map { "#\($0)" }, store, "Inspector"].compactMap { $0 }.joined(separator: " – ")
    }
}
#endif
