// SPDX-License-Identifier: MIT

public import Foundation

/// Views that are drawn one after the other; how they lie is not drawn.
public struct Stack<Content: View>: View, DrawnView {
    let content: Content

    public init(
        alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) {
        self.content = content()
    }
    public init(
        alignment: VerticalAlignment, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
    ) {
        self.content = content()
    }
    public init(alignment: Alignment, @ViewBuilder content: () -> Content) {
        self.content = content()
    }

    func draw(into canvas: Canvas) { canvas.draw(content) }
}

public typealias VStack = Stack
public typealias HStack = Stack
public typealias ZStack = Stack
public typealias Group = Stack
public typealias ScrollView = Stack
public typealias List = Stack

/// A grid that makes its rows as they come into sight.
public struct LazyVGrid<Content: View>: View, DrawnView {
    let content: Content

    public init(
        columns: [GridItem], spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
    ) {
        self.content = content()
    }

    func draw(into canvas: Canvas) { canvas.draw(content) }
}

/// A column of a grid.
public struct GridItem: Sendable {
    public enum Size: Sendable {
        case flexible(minimum: CGFloat = 10, maximum: CGFloat = .infinity)
    }
    public init(_ size: Size = .flexible(), spacing: CGFloat? = nil) {}
}

/// Room between views.
public struct Spacer: View, DrawnView {
    public init() {}
    func draw(into canvas: Canvas) {}
}

public enum HorizontalAlignment: Sendable { case leading, center, trailing }
public enum VerticalAlignment: Sendable { case top, center, bottom, firstTextBaseline }
public enum Alignment: Sendable { case center, bottom, bottomLeading, topTrailing, leading }

/// Edges of a view.
public struct Edge {
    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }
        public static let horizontal = Set(rawValue: 1)
        public static let vertical = Set(rawValue: 2)
        public static let top = Set(rawValue: 4)
        public static let bottom = Set(rawValue: 8)
        public static let all = Set(rawValue: 15)
    }
}
