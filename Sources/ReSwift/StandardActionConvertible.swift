// SPDX-License-Identifier: MIT

/// An action with a type that can be written as a ``StandardAction`` and made of one.
///
/// Part of ReSwift up to version 4.
public protocol StandardActionConvertible: Action {
    /// Makes the action of its standard form.
    init(_ standardAction: StandardAction)

    /// The standard form.
    func toStandardAction() -> StandardAction
}
