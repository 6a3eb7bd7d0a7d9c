// SPDX-License-Identifier: MIT
#if Inspector

internal import OnwardInspection

/// The stores to choose from.
struct StoresView: Equatable, Sendable {
    struct Row: Equatable, Sendable {
        let name: String
        let url: String
        let count: Int
        let current: String?
    }

    let rows: [Row]

    init(_ view: InspectorView) {
        rows = view.state.stores.map { store in
            var place = Place().with { $0.root = view.place.root }
            place.store = store.name
            place.pane = view.place.pane
            return Row(
                name: store.name, url: place.url, count: store.summary.count,
                current: store.name == view.seen?.name ? "page" : nil)
        }
    }
}
#endif
