// SPDX-License-Identifier: MIT

public import Foundation

/// What a button is for.
public struct ButtonRole: Equatable, Sendable {
    private let name: String
    public static let cancel = ButtonRole(name: "cancel")
    public static let destructive = ButtonRole(name: "destructive")
}

/// A button.
public struct Button<Content: View>: View, DrawnView {
    let action: () -> Void
    let label: Content

    public init(action: @escaping () -> Void, @ViewBuilder label: () -> Content) {
        (self.action, self.label) = (action, label())
    }

    func draw(into canvas: Canvas) {
        canvas.draw(label) { elements in
            let labels = elements.map(\.label).joined(separator: ", ")
            elements = [.init(label: labels, tap: action)]
        }
    }
}

extension Button where Content == Text {
    public init(
        _ key: LocalizedStringKey, role: ButtonRole? = nil, action: @escaping () -> Void
    ) {
        self.init(action: action) { Text(key) }
    }
    @_disfavoredOverload public init(
        _ title: some StringProtocol, role: ButtonRole? = nil,
        action: @escaping () -> Void
    ) {
        self.init(action: action) { Text(title) }
    }
}

extension Button where Content == Label {
    public init(
        _ key: LocalizedStringKey, systemImage: String, action: @escaping () -> Void
    ) {
        self.init(action: action) { Label(key, systemImage: systemImage) }
    }
    @_disfavoredOverload public init(
        _ title: some StringProtocol, systemImage: String, action: @escaping () -> Void
    ) {
        self.init(action: action) { Label(title, systemImage: systemImage) }
    }
}

/// A line that can be edited.
public struct TextField: View, DrawnView {
    let title: String
    let text: Binding<String>

    public init(_ key: LocalizedStringKey, text: Binding<String>) {
        (title, self.text) = (key.text, text)
    }

    func draw(into canvas: Canvas) {
        canvas.elements.append(
            .init(label: "\(title): \(text.wrappedValue)", type: { text.wrappedValue = $0 }))
    }
}

/// Something that is on or off.
public struct Toggle: View, DrawnView {
    let title: String
    let isOn: Binding<Bool>

    public init(_ key: LocalizedStringKey, isOn: Binding<Bool>) {
        (title, self.isOn) = (key.text, isOn)
    }
    @_disfavoredOverload public init(_ title: some StringProtocol, isOn: Binding<Bool>) {
        (self.title, self.isOn) = (String(title), isOn)
    }

    func draw(into canvas: Canvas) {
        canvas.elements.append(
            .init(label: title, isSelected: isOn.wrappedValue, tap: { isOn.wrappedValue.toggle() }))
    }
}

// MARK: - Lists

extension ForEach {
    /// Lets rows be moved by dragging.
    public func onMove(perform action: ((IndexSet, Int) -> Void)?) -> some View {
        Changed(content: self) { elements in
            let move: ((Int, Int) -> Void)? = action.map { action in { action([$0], $1) } }
            for index in elements.indices { elements[index].move = move }
        }
    }

    /// Lets rows be deleted by swiping.
    public func onDelete(perform action: ((IndexSet) -> Void)?) -> some View { self }
}
