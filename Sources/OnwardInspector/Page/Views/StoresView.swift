// SPDX-License-Identifier: MIT
#if Server

internal import OnwardInspection

/// The stores to choose from, and what concerns the chosen one as a whole.
struct StoresView: Equatable, Sendable {
    struct Row: Equatable, Sendable {
        let name: String
        /// The app that has it, if it lives elsewhere.
        let app: String?
        let url: String
        let count: Int
        let current: String?
    }

    let rows: [Row]
    /// The tabs about the chosen store as a whole; empty if there is none.
    let tabs: [PaneTab]

    init(_ view: InspectorView) {
        tabs =
            view.seen == nil
            ? []
            : [
                PaneTab(.activity, "Activity", key: "v", view.place),
                PaneTab(.dispatch, "Dispatch", key: "x", view.place),
                PaneTab(.file, "Files", key: "f", view.place),
            ]
        rows = view.state.stores.map { store in
            var place = Place().with { $0.root = view.place.root }
            place.store = store.name
            (place.pane, place.page) = (view.place.pane, view.place.page)
            return Row(
                name: store.name, app: store.app, url: place.url, count: store.summary.count,
                current: store.name == view.seen?.name ? "page" : nil)
        }
    }
}
#endif
