// SPDX-License-Identifier: MIT
#if Server

internal import OnwardInspection
internal import OnwardJournal

/// A part of the state drawn as a tree that grows to the right: its parts, and theirs.
struct ChartView: Equatable, Sendable {
    struct Node: Equatable, Sendable {
        let x: Int
        let y: Int
        let name: String
        let text: String
        let kind: String
        let url: String
    }
    struct Branch: Equatable, Sendable {
        let line: String
    }

    /// The points from one line of text to the next, and the approximate width of a character.
    private static let (lineHeight, letterWidth) = (22, 8)
    /// The maximum number of parts of one value, and of characters in one.
    private static let (mostParts, mostLetters) = (24, 28)

    private(set) var nodes: [Node] = []
    private(set) var branches: [Branch] = []
    private(set) var width = 0
    private(set) var height = 0
    private(set) var label: String

    init(_ root: StateNode, url: (DataPath) -> String) {
        label = "\(root.path.isEmpty ? "The state" : "\(root.path)"), \(root.count) parts"
        place(root, depth: 0, x: 8, url: url)
        height += Self.lineHeight
        width += 16
    }

    /// Places a value and its parts, the first one where the previous value ended.
    ///
    /// - Returns: The vertical position of the value.
    @discardableResult
    private mutating func place(
        _ node: StateNode, depth: Int, x: Int, url: (DataPath) -> String
    ) -> Int {
        let name = node.step.isEmpty ? "state" : Self.short(node.step)
        let isLeaf = node.parts.isEmpty
        let text =
            node.kind == .value || isLeaf
            ? Self.short(node.text) : node.kind == .list ? "[\(node.count)]" : ""
        let end = x + (name.count + (text.isEmpty ? 0 : text.count + 1)) * Self.letterWidth
        width = max(width, end)
        var places: [Int] = []
        for part in node.parts.prefix(Self.mostParts) {
            places.append(place(part, depth: depth + 1, x: end + 44, url: url))
        }
        let rest = node.count - min(node.parts.count, Self.mostParts)
        if rest > 0, !isLeaf {
            height += Self.lineHeight
            places.append(height)
            nodes.append(
                Node(
                    x: end + 44, y: height, name: "… \(rest) more", text: "", kind: "rest",
                    url: url(node.path)))
        }
        if places.isEmpty { height += Self.lineHeight }
        let y = ((places.first ?? height) + (places.last ?? height)) / 2
        nodes.append(
            Node(x: x, y: y, name: name, text: text, kind: node.kind.rawValue, url: url(node.path)))
        for place in places {
            let (start, goal, middle) = (end + 6, end + 38, end + 22)
            branches.append(
                Branch(
                    line:
                        "M\(start) \(y - 4)C\(middle) \(y - 4) \(middle) \(place - 4) \(goal) \(place - 4)"
                ))
        }
        return y
    }

    private static func short(_ text: String) -> String {
        text.count > mostLetters ? text.prefix(mostLetters - 1) + "…" : text
    }
}
#endif
