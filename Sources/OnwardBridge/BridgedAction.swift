// SPDX-License-Identifier: MIT

public import Onward

/// An action of another library as an Onward store logs it: under its own name and with its own
/// fields, which readers of the log find by reflection.
///
/// Such an action need not be `Sendable`, hence `@unchecked`. Invariant: an action says what
/// happened and is only read after it was dispatched. An action that is, or refers to, a class
/// shares that object with all readers of the log, and must no longer change it.
public struct BridgedAction<Base>: Action, @unchecked Sendable {
    /// The action itself.
    public let base: Base

    /// Wraps an action.
    @inlinable
    public init(_ base: Base) {
        self.base = base
    }

    /// The name of the wrapped action's type, without its module.
    public var entryName: String { TypeName.withoutModule(type(of: base as Any)) }
}

extension BridgedAction: CustomReflectable, CustomStringConvertible {
    /// The mirror of the wrapped action.
    public var customMirror: Mirror { Mirror(reflecting: base) }
    /// The description of the wrapped action.
    public var description: String { "\(base)" }
}
