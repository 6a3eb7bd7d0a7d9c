// SPDX-License-Identifier: MIT

/// Places a feature at an optional property that is shown over the rest and can be dismissed from
/// inside.
///
/// ```swift
/// struct Desk: Equatable, Sendable { var editor: Editor?, question: Dialog<DeskAction>? }
///
/// let desk = Feature<Desk> {
///     Reduce { (desk, action: DeskAction) in … }      // opens it: desk.editor = Editor()
///     Present(\.editor, editor)
///     Present(\.question)
/// }
/// ```
///
/// It is a ``Scope`` whose property becomes nil when the child receives
/// ``PresentationAction/dismiss``: from an effect of the child with `context.dismiss()` or
/// `.dismiss`, from a view with `$store[presenting: \.editor]`, or from a form of a page. That is
/// an action like any other, so the parent can handle it with a `Reduce(child:)` listed before.
/// When the property becomes nil, the child's effects end.
public struct Present<State: Sendable>: Part {
    private let enter: @Sendable (inout Registration<State>) -> Void

    /// A feature at an optional property.
    ///
    /// - Parameters:
    ///   - path: The property, which must accept nil.
    ///   - name: The step of the address; by default the text of the key path, which only stored
    ///     properties have.
    ///   - feature: What handles actions there.
    public init<Child: Sendable>(
        _ path: any WritableKeyPath<State, Child?> & Sendable, name: String? = nil,
        _ feature: any Part<Child>
    ) {
        enter = { registration in
            Scope(path, name: name, feature).register(in: &registration)
            let options = registration.compiler.options
            Reduce(child: path, name: name) { (state, _: PresentationAction) in
                state[keyPath: path] = nil
                if state[keyPath: path] != nil { options.report(.ignoredDismissal("\(path)")) }
            }
            .register(in: &registration)
        }
    }

    /// Parts at an optional property, which make up a feature there.
    public init<Child: Sendable>(
        _ path: any WritableKeyPath<State, Child?> & Sendable, name: String? = nil,
        @FeatureBuilder<Child> parts: () -> [any Part<Child>]
    ) {
        self.init(path, name: name, Feature(parts))
    }

    /// A dialog, which disappears when the action of one of its buttons is dispatched.
    ///
    /// The actions belong to the feature that shows the dialog: its own ``Reduce``, wherever it is
    /// listed, still sees the dialog, and may show another one in its place, which stays.
    public init<A: Action & Equatable>(
        _ path: any WritableKeyPath<State, Dialog<A>?> & Sendable, name: String? = nil
    ) {
        let dialog = Present(path, name: name, Feature {})
        enter = { registration in
            dialog.register(in: &registration)
            registration.enclose(A.self) { state, action in
                guard let dialog = state[keyPath: path] else { return }
                let isAnswer = dialog.buttons.contains { $0.action == action }
                if isAnswer != dialog.isAnswered { state[keyPath: path]?.isAnswered = isAnswer }
            } after: { state, _ in
                if state[keyPath: path]?.isAnswered == true { state[keyPath: path] = nil }
            }
        }
    }

    /// Registers the feature at the property.
    public func register(in registration: inout Registration<State>) {
        enter(&registration)
    }
}

/// The action that dismisses a presented child; see ``Present``.
public enum PresentationAction: Action, Codable, Hashable {
    /// The property that holds the child becomes nil.
    case dismiss
}

/// An alert or a confirmation as part of the state: its text, and the action of each button.
///
/// ```swift
/// list.question = Dialog("Delete the task?", [
///     .init("Delete", role: .destructive, .delete(task.id)),
///     .init("Keep", role: .cancel),
/// ])
/// ```
///
/// With ``Present/init(_:name:)`` it disappears with the action of one of its buttons, or when
/// dismissed.
public struct Dialog<DialogAction: Action & Equatable>: Equatable, Identifiable, Sendable {
    /// Distinguishes the dialog from one that takes its place.
    public var id: String
    /// The question or message.
    public var title: String
    /// Additional text.
    public var message: String?
    /// The answers, in order.
    public var buttons: [Button]
    /// Whether the action under way is an answer to this dialog, not to one that a reducer shows
    /// instead.
    var isAnswered = false

    /// A dialog.
    ///
    /// - Parameters:
    ///   - title: The question or message.
    ///   - id: Distinguishes the dialog from the one before; by default its title. Number dialogs that
    ///     ask the same several times.
    ///   - message: Additional text.
    ///   - buttons: The answers, in order.
    public init(_ title: String, id: String? = nil, message: String? = nil, _ buttons: [Button]) {
        self.id = id ?? title
        self.title = title
        self.message = message
        self.buttons = buttons
    }

    /// An answer to a dialog.
    public struct Button: Equatable, Sendable {
        /// The text of the button.
        public var label: String
        /// The meaning of the button, which decides its appearance.
        public var role: Role?
        /// The action to dispatch; nil if the button only closes the dialog.
        public var action: DialogAction?

        /// A button.
        public init(_ label: String, role: Role? = nil, _ action: DialogAction? = nil) {
            self.label = label
            self.role = role
            self.action = action
        }
    }

    /// The meaning of a button.
    public enum Role: String, Codable, Sendable {
        /// Leaves everything as it is.
        case cancel
        /// Cannot be undone.
        case destructive
    }
}

extension Dialog {
    /// Whether both dialogs ask the same.
    public static func == (left: Dialog, right: Dialog) -> Bool {
        left.id == right.id && left.title == right.title && left.message == right.message
            && left.buttons == right.buttons
    }
}

extension Dialog: Codable where DialogAction: Codable {
    private enum CodingKeys: String, CodingKey { case id, title, message, buttons }

    /// Decodes a dialog; its id is its title if there is no other.
    ///
    /// - Throws: What the decoder throws.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try container.decode(String.self, forKey: .title),
            id: try container.decodeIfPresent(String.self, forKey: .id),
            message: try container.decodeIfPresent(String.self, forKey: .message),
            try container.decode([Button].self, forKey: .buttons))
    }

    /// Encodes the dialog, and its id if it is not its title.
    ///
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if id != title { try container.encode(id, forKey: .id) }
        try container.encode(title, forKey: .title)
        try container.encodeIfPresent(message, forKey: .message)
        try container.encode(buttons, forKey: .buttons)
    }
}
extension Dialog.Button: Codable where DialogAction: Codable {}
