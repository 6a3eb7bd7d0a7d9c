// SPDX-License-Identifier: MIT

public import Foundation

/// A view whose elements are changed.
struct Changed<Content: View>: View, DrawnView {
    let content: Content
    let change: (inout [DrawnScreen.Element]) -> Void

    func draw(into canvas: Canvas) { canvas.draw(content, changing: change) }
}

/// A view with something over it or after it.
struct Followed<Content: View>: View, DrawnView {
    let content: Content
    let follow: (Canvas) -> Void

    func draw(into canvas: Canvas) {
        canvas.draw(content)
        follow(canvas)
    }
}

// MARK: - What a screen reader says

extension View {
    public func accessibilityLabel(_ label: some StringProtocol) -> some View {
        Changed(content: self) { elements in
            var one = elements.first ?? .init(label: "")
            one.label = String(label)
            elements = [one]
        }
    }
    public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View {
        Changed(content: self) { elements in
            for index in elements.indices where traits.contains(.isSelected) && !traits.isEmpty {
                elements[index].isSelected = true
            }
        }
    }
    public func accessibilityElement(children: AccessibilityChildBehavior) -> some View { self }
    public func accessibilityHidden(_ isHidden: Bool) -> some View {
        Changed(content: self) { elements in if isHidden { elements = [] } }
    }
}

// MARK: - What comes and goes

extension View {
    public func onAppear(perform action: (() -> Void)? = nil) -> some View {
        Followed(content: self) { canvas in canvas.coming[canvas.place] = action ?? {} }
    }
    public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
        Followed(content: self) { canvas in canvas.leaving[canvas.place] = action ?? {} }
    }

    public func alert<A: View, M: View>(
        _ key: LocalizedStringKey, isPresented: Binding<Bool>,
        @ViewBuilder actions: @escaping () -> A,
        @ViewBuilder message: @escaping () -> M
    ) -> some View {
        alert(key.text, isPresented: isPresented, actions: actions, message: message)
    }
    @_disfavoredOverload public func alert<A: View, M: View>(
        _ title: some StringProtocol, isPresented: Binding<Bool>,
        @ViewBuilder actions: @escaping () -> A, @ViewBuilder message: @escaping () -> M
    ) -> some View {
        Followed(content: self) { canvas in
            guard isPresented.wrappedValue else { return }
            canvas.draw(Text(title))
            canvas.draw(message())
            canvas.draw(actions()) { elements in
                for index in elements.indices {
                    let tap = elements[index].tap
                    elements[index].tap = {
                        isPresented.wrappedValue = false  // as SwiftUI does, before the action
                        tap?()
                    }
                }
            }
        }
    }
    public func sheet<Content: View>(
        isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil,
        @ViewBuilder content: @escaping () -> Content
    ) -> some View {
        Followed(content: self) { canvas in
            if isPresented.wrappedValue { canvas.draw(content()) }
        }
    }
    public func task(_ action: @escaping @Sendable () async -> Void) -> some View { self }
}

// MARK: - Stacks of screens

/// A screen, and those that were pushed over it; the topmost is drawn, and a way back.
public struct NavigationStack<Root: View>: View, DrawnView {
    private let root: Root
    private let top: () -> Any?
    private let back: () -> Void

    public init<Data: MutableCollection & RandomAccessCollection & RangeReplaceableCollection>(
        path: Binding<Data>, @ViewBuilder root: () -> Root
    ) where Data.Element: Hashable {
        self.root = root()
        top = { path.wrappedValue.last }
        back = { path.wrappedValue = Data(path.wrappedValue.dropLast()) }
    }

    func draw(into canvas: Canvas) {
        let under = canvas.beside()
        under.draw(root)
        let top = top()
        guard let top, let draw = under.destinations.lazy.compactMap({ $0(top) }).first else {
            return canvas.draw(root)
        }
        canvas.elements.append(.init(label: "Back", tap: back))
        draw(canvas)
    }
}

extension View {
    public func navigationDestination<Data: Hashable, Content: View>(
        for type: Data.Type, @ViewBuilder destination: @escaping (Data) -> Content
    ) -> some View {
        Followed(content: self) { canvas in
            canvas.destinations.append { value in
                (value as? Data).map { data in { $0.draw(destination(data)) } }
            }
        }
    }
    public func navigationTitle(_ title: some StringProtocol) -> some View { self }
    public func toolbar<Content: View>(@ViewBuilder content: () -> Content) -> some View {
        let content = content()
        return Followed(content: self) { $0.draw(content) }
    }
}

// MARK: - How it looks, which is not drawn

extension View {
    public func font(_ font: Font?) -> some View { self }
    public func fontDesign(_ design: Font.Design?) -> some View { self }
    public func foregroundStyle(_ style: some ShapeStyle) -> some View { self }
    public func tint(_ color: Color?) -> some View { self }
    public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View { self }
    public func padding(_ length: CGFloat) -> some View { self }
    public func frame(
        width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center
    ) -> some View { self }
    public func frame(
        minWidth: CGFloat? = nil, maxWidth: CGFloat? = nil, minHeight: CGFloat? = nil,
        maxHeight: CGFloat? = nil, alignment: Alignment = .center
    ) -> some View { self }
    public func aspectRatio(_ ratio: CGFloat? = nil, contentMode: ContentMode) -> some View { self }
    public func background<Content: View>(@ViewBuilder content: () -> Content) -> some View { self }
    public func ignoresSafeArea() -> some View { self }
    public func background(_ style: some ShapeStyle, in shape: some Shape) -> some View { self }
    public func clipShape(_ shape: some Shape) -> some View { self }
    public func contentShape(_ shape: some Shape) -> some View { self }
    public func shadow(radius: CGFloat, y: CGFloat = 0) -> some View { self }
    public func opacity(_ opacity: Double) -> some View { self }
    public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some View { self }
    public func lineLimit(_ number: Int?) -> some View { self }
    public func multilineTextAlignment(_ alignment: TextAlignment) -> some View { self }
    public func rotationEffect(_ angle: Angle) -> some View { self }
    public func rotation3DEffect(_ angle: Angle, axis: (x: CGFloat, y: CGFloat, z: CGFloat))
        -> some View
    {
        self
    }
    public func animation<Value: Equatable>(_ animation: Animation?, value: Value) -> some View {
        self
    }
    public func buttonStyle(_ style: some PrimitiveButtonStyle) -> some View { self }
    public func controlSize(_ size: ControlSize) -> some View { self }
    public func keyboardShortcut(_ key: KeyEquivalent) -> some View { self }
    public func overlay<Content: View>(
        alignment: Alignment = .center, @ViewBuilder content: () -> Content
    ) -> some View {
        let content = content()
        return Followed(content: self) { $0.draw(content) }
    }
}

public enum TextAlignment: Sendable { case center }
public enum AccessibilityChildBehavior: Sendable { case ignore }
