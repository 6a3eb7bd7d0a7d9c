// SPDX-License-Identifier: MIT

@MainActor public final class UITableView: UIView {
    public enum Style: Int, Sendable { case plain }

    public func register(_ type: UITableViewCell.Type, forCellReuseIdentifier name: String) {}
    public func dequeueReusableCell(
        withIdentifier name: String, for place: IndexPath
    ) -> UITableViewCell { UITableViewCell() }
}

@MainActor public final class UITableViewCell: UIView {
    public var contentConfiguration: UIListContentConfiguration?
    public func defaultContentConfiguration() -> UIListContentConfiguration { .init() }
}

public struct UIListContentConfiguration {
    public var text: String?
}

@MainActor open class UITableViewController: UIViewController {
    public let tableView = UITableView()

    public init(style: UITableView.Style) { super.init(nibName: nil, bundle: nil) }
    public required init?(coder: NSCoder) { nil }
}

/// The rows that a table is to show.
public struct NSDiffableDataSourceSnapshot<Section: Hashable, Item: Hashable> {
    public private(set) var itemIdentifiers: [Item] = []
    var reconfigured: [Item] = []

    public init() {}
    public mutating func appendSections(_ sections: [Section]) {}
    public mutating func appendItems(_ items: [Item]) { itemIdentifiers += items }
    public mutating func reconfigureItems(_ items: [Item]) { reconfigured += items }
}

/// Brings a table from one snapshot to the next.
@MainActor public final class UITableViewDiffableDataSource<Section: Hashable, Item: Hashable> {
    public typealias CellProvider = (UITableView, IndexPath, Item) -> UITableViewCell?

    private let table: UITableView
    private let cell: CellProvider
    private var shown: [Item: UITableViewCell] = [:]
    private var order: [Item] = []
    /// How many cells were made or written anew, for tests.
    public private(set) var work = 0

    public init(tableView: UITableView, cellProvider: @escaping CellProvider) {
        (table, cell) = (tableView, cellProvider)
    }

    public func apply(
        _ snapshot: NSDiffableDataSourceSnapshot<Section, Item>, animatingDifferences: Bool = true
    ) {
        order = snapshot.itemIdentifiers
        for (row, item) in order.enumerated()
        where shown[item] == nil || snapshot.reconfigured.contains(item) {
            shown[item] = cell(table, IndexPath(indexes: [0, row]), item)
            work += 1
        }
    }

    /// The texts of the rows, for tests.
    public var texts: [String?] { order.map { shown[$0]?.contentConfiguration?.text } }
}
