// SPDX-License-Identifier: MIT

@_exported public import Foundation
@_exported public import Observation

/// What is drawn: another view, or something that this module draws.
@MainActor public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

/// A view that this module draws by itself.
protocol DrawnView: View where Body == Never {
    func draw(into canvas: Canvas)
}

extension Never: View {
    public var body: Never { fatalError("never drawn") }
}

extension DrawnView {
    /// Drawn views have no body.
    public var body: Never { fatalError("drawn by itself") }
}

extension Optional: View, DrawnView where Wrapped: View {
    public var body: Never { fatalError("drawn by itself") }

    func draw(into canvas: Canvas) {
        if let view = self { canvas.draw(view) }
    }
}

/// A view without anything.
public struct EmptyView: View, DrawnView {
    public init() {}
    func draw(into canvas: Canvas) {}
}

/// Several views one after the other.
public struct TupleView<each Content: View>: View, DrawnView {
    let content: (repeat each Content)

    func draw(into canvas: Canvas) {
        for view in repeat each content { canvas.draw(view) }
    }
}

/// One of two views.
public enum ConditionalContent<First: View, Second: View>: View, DrawnView {
    case first(First), second(Second)

    public var body: Never { fatalError("drawn by itself") }

    func draw(into canvas: Canvas) {
        switch self {
        case .first(let view): canvas.draw(view)
        case .second(let view): canvas.draw(view)
        }
    }
}

/// Makes views of statements.
@resultBuilder public enum ViewBuilder {
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> TupleView<repeat each Content> {
        TupleView(content: (repeat each content))
    }
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<First: View, Second: View>(
        first: First
    ) -> ConditionalContent<First, Second> { .first(first) }
    public static func buildEither<First: View, Second: View>(
        second: Second
    ) -> ConditionalContent<First, Second> { .second(second) }
}

/// A view for each element.
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: View, DrawnView {
    let data: Data
    let content: (Data.Element) -> Content

    public init(
        _ data: Data, id: KeyPath<Data.Element, ID>,
        @ViewBuilder content: @escaping (Data.Element) -> Content
    ) {
        (self.data, self.content) = (data, content)
    }

    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
    where Data.Element: Identifiable, ID == Data.Element.ID {
        (self.data, self.content) = (data, content)
    }

    func draw(into canvas: Canvas) {
        for element in data { canvas.draw(content(element)) }
    }
}
