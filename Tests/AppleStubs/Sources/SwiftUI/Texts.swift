// SPDX-License-Identifier: MIT

public import Foundation

/// A text.
public struct Text: View, DrawnView {
    let content: String

    public init(_ key: LocalizedStringKey) { content = key.text }
    @_disfavoredOverload public init(_ content: some StringProtocol) {
        self.content = String(content)
    }

    public func monospacedDigit() -> Text { self }

    func draw(into canvas: Canvas) { canvas.elements.append(.init(label: content)) }
}

/// A literal in the code, which an app may translate.
public struct LocalizedStringKey: ExpressibleByStringInterpolation {
    let text: String

    public init(stringLiteral text: String) { self.text = text }
}

/// A picture.
public struct Image: View, DrawnView {
    public init(systemName: String) {}

    public func resizable() -> Image { self }

    func draw(into canvas: Canvas) {}
}

/// A picture from the web; none of it has come here.
public struct AsyncImage<Content: View>: View, DrawnView {
    private let placeholder: any View

    public init<I: View, P: View>(
        url: URL?, @ViewBuilder content: @escaping (Image) -> I,
        @ViewBuilder placeholder: @escaping () -> P
    ) where Content == ConditionalContent<I, P> {
        self.placeholder = placeholder()
    }

    func draw(into canvas: Canvas) { canvas.draw(placeholder) }
}

/// A text with a picture.
public struct Label: View, DrawnView {
    let title: String

    public init(_ key: LocalizedStringKey, systemImage: String) { title = key.text }
    @_disfavoredOverload public init(_ title: some StringProtocol, systemImage: String) {
        self.title = String(title)
    }

    func draw(into canvas: Canvas) { canvas.elements.append(.init(label: title)) }
}

/// That something is going on.
public struct ProgressView: View, DrawnView {
    let label: String

    public init(_ key: LocalizedStringKey) { label = key.text }

    func draw(into canvas: Canvas) { canvas.elements.append(.init(label: label)) }
}

/// That there is nothing to see, and why.
public struct ContentUnavailableView<Title: View, Description: View, Actions: View>: View, DrawnView
{
    let title: Title, description: Description, actions: Actions

    public init(
        @ViewBuilder label: () -> Title,
        @ViewBuilder description: () -> Description = { EmptyView() },
        @ViewBuilder actions: () -> Actions = { EmptyView() }
    ) {
        (title, self.description, self.actions) = (label(), description(), actions())
    }

    func draw(into canvas: Canvas) {
        canvas.draw(title)
        canvas.draw(description)
        canvas.draw(actions)
    }
}
