// SPDX-License-Identifier: MIT

/// An alert or a confirmation as part of the state: what it says, and which action each button stands for.
///
/// ```swift
/// list.question = Dialog("Delete the task?", [
///     .init("Delete", role: .destructive, .delete(task.id)),
///     .init("Keep", role: .cancel),
/// ])
/// ```
///
/// ``Present/init(_:name:)`` has it go with the action of one of its buttons, and when it is dismissed.
public struct Dialog<DialogAction: Action & Equatable>: Equatable, Sendable {
    /// What it asks or says.
    public var title: String
    /// More about it.
    public var message: String?
    /// The answers, in their order.
    public var buttons: [Button]

    /// A dialog.
    public init(_ title: String, message: String? = nil, _ buttons: [Button]) {
        self.title = title
        self.message = message
        self.buttons = buttons
    }

    /// An answer to a dialog.
    public struct Button: Equatable, Sendable {
        /// What it says.
        public var label: String
        /// What it means, for its looks.
        public var role: Role?
        /// What happens; nil where the dialog only goes.
        public var action: DialogAction?

        /// A button.
        public init(_ label: String, role: Role? = nil, _ action: DialogAction? = nil) {
            self.label = label
            self.role = role
            self.action = action
        }
    }

    /// What a button means.
    public enum Role: String, Codable, Sendable {
        /// Leaves everything as it is.
        case cancel
        /// Cannot be taken back.
        case destructive
    }
}

extension Dialog: Codable where DialogAction: Codable {}
extension Dialog.Button: Codable where DialogAction: Codable {}
