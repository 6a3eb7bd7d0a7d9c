// SPDX-License-Identifier: MIT

internal import Observation
internal import Synchronization

/// What a reader of the screen finds in a view, and can tap.
///
/// SwiftUI has no such type; it is what tests draw on. Bodies are tracked as SwiftUI does: after a
/// change ``outdated`` names the views whose bodies read something that has changed, and nothing is
/// drawn until the screen is looked at.
public final class DrawnScreen {
    /// Something to read or to touch.
    public struct Element {
        /// What is read.
        public var label: String
        /// Whether it is chosen, as a row of a list is.
        public var isSelected = false
        /// What a tap does; nil where there is nothing to tap.
        var tap: (() -> Void)?
        /// What typing does; nil where nothing can be typed.
        var type: ((String) -> Void)?
        /// What is dragged from here to there; nil where nothing can be moved.
        var move: ((Int, Int) -> Void)?
    }

    private let draw: (Canvas) -> Void
    private var appeared: Set<String> = []
    private var leaving: [String: () -> Void] = [:]
    private var tracked = Tracked()

    /// A screen with a view on it.
    public init(_ root: some View) {
        draw = { $0.draw(root) }
    }

    /// What is on the screen now, from top to bottom.
    public var elements: [Element] {
        var canvas = drawn()
        // What happens when views come may lead elsewhere.
        for _ in 0..<10 {
            let coming = canvas.coming.filter { !appeared.contains($0.key) }
            let gone = leaving.keys.filter { canvas.coming[$0] == nil && canvas.leaving[$0] == nil }
            leaving.merge(canvas.leaving) { $1 }
            appeared.formIntersection(canvas.coming.keys)
            appeared.formUnion(coming.keys)
            coming.values.forEach { $0() }
            gone.forEach { leaving.removeValue(forKey: $0)?() }
            if coming.isEmpty && gone.isEmpty { break }
            canvas = drawn()
        }
        return canvas.elements
    }

    /// The labels of what is on the screen.
    public var labels: [String] { elements.map(\.label) }

    /// The bodies that would run again, by the names of their views, in alphabetical order.
    public var outdated: [String] { tracked.names.withLock { $0.sorted() } }

    /// Taps the first element with this label.
    ///
    /// - Returns: Whether there is one that can be tapped.
    @discardableResult
    public func tap(_ label: String) -> Bool {
        guard let tap = elements.first(where: { $0.label == label && $0.tap != nil })?.tap
        else { return false }
        tap()
        return true
    }

    /// Replaces the text of the first field with this label.
    ///
    /// - Returns: Whether there is one.
    @discardableResult
    public func type(_ text: String, into label: String) -> Bool {
        guard
            let type = elements.first(where: { $0.label.hasPrefix(label) && $0.type != nil })?.type
        else { return false }
        type(text)
        return true
    }

    /// Moves a row of the first list whose rows can be moved, as a finger does: `target` is counted with the row there.
    public func move(row: Int, to target: Int) {
        elements.first { $0.move != nil }?.move?(row, target)
    }

    private func drawn() -> Canvas {
        tracked = Tracked()
        let canvas = Canvas(tracked)
        draw(canvas)
        return canvas
    }
}

/// Which bodies have read something that has changed since.
nonisolated final class Tracked: Sendable {
    let names = Mutex<[String]>([])
}

/// Where views are drawn.
final class Canvas {
    var elements: [DrawnScreen.Element] = []
    /// What is done when a view comes or has gone, by the view's place.
    var coming: [String: () -> Void] = [:]
    var leaving: [String: () -> Void] = [:]
    /// What is shown over the screens of a stack.
    var destinations: [(Any) -> ((Canvas) -> Void)?] = []
    private let tracked: Tracked
    private var path: [String] = []

    init(_ tracked: Tracked) { self.tracked = tracked }

    /// A canvas beside this one, whose elements are not yet on the screen.
    func beside() -> Canvas { Canvas(tracked) }

    /// Draws a view: by itself, or what its body says.
    func draw(_ view: some View) {
        if let drawn = view as? any DrawnView { return drawn.draw(into: self) }
        let name = String(describing: type(of: view))
        path.append("\(name) \(elements.count)")
        defer { path.removeLast() }
        let tracked = tracked
        let body = withObservationTracking {
            view.body
        } onChange: {
            tracked.names.withLock { $0.append(name) }
        }
        draw(body)
    }

    /// The place of what is drawn now.
    var place: String { path.joined(separator: "/") }

    /// Draws something, and changes what was drawn.
    func draw(_ content: some View, changing change: (inout [DrawnScreen.Element]) -> Void) {
        let before = elements
        elements = []
        draw(content)
        change(&elements)
        elements = before + elements
    }
}
