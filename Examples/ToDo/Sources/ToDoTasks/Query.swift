// SPDX-License-Identifier: MIT

/// Which tasks of the list are shown.
public struct Query: Codable, Hashable, Sendable {
    /// Kinds of tasks.
    public enum Show: String, CaseIterable, Codable, Sendable {
        case all
        case toDo = "to-do"
        case done
    }

    /// The rows that a list begins with.
    public static let firstRows = 100
    /// The rows that a list shows at most; beyond that a search finds more.
    public static let mostRows = 10_000

    /// What the title or the notes have to contain, in small or capital letters.
    public var search: String
    /// Which of them.
    public var show: Show
    /// How many rows are shown at most.
    public var rows: Int

    /// A query, by default for all tasks.
    public init(search: String = "", show: Show = .all, rows: Int = firstRows) {
        (self.search, self.show) = (search, show)
        self.rows = min(max(rows, 1), Self.mostRows)
    }

    /// Reads a query, which may ask for more rows than there may be.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            search: try container.decode(String.self, forKey: .search),
            show: try container.decode(Show.self, forKey: .show),
            rows: try container.decode(Int.self, forKey: .rows))
    }

    /// The query with more rows, four times as many.
    public var withMoreRows: Query {
        Query(search: search, show: show, rows: rows * 4)
    }

    /// The tasks that are looked for, in their order, and of each kind how many there are.
    public func find(
        in tasks: some Sequence<TaskItem>
    ) -> (found: [TaskItem], counts: [Show: Int]) {
        let search = search.lowercased()
        var (found, done, toDo) = ([TaskItem](), 0, 0)
        for task in tasks where search.isEmpty || task.contains(search) {
            let isDone = task.state == .done
            if isDone { done += 1 } else { toDo += 1 }
            if show == .all || isDone == (show == .done) { found.append(task) }
        }
        return (found, [.all: toDo + done, .toDo: toDo, .done: done])
    }
}

extension TaskItem {
    fileprivate func contains(_ search: String) -> Bool {
        name.lowercased().contains(search) || notes?.lowercased().contains(search) == true
    }
}
