// SPDX-License-Identifier: MIT

package import OnwardCore

/// Selectors that differ in a parameter: one for each value of it.
///
/// ```swift
/// let todos = SelectorFamily<App, Person.ID, EntityTable<Todo>> { owner in
///     StateSelector(\.todos).filter { $0.owner == owner }
/// }
/// let token = store.subscribe(todos(7)) { old, new in … }
/// ```
///
/// Keep the family in a constant. Equal parameters give the same selector, cached for the
/// parameter.
public struct SelectorFamily<
    State: Sendable, Parameter: Hashable & Sendable, Value: Sendable
>: Sendable {
    /// Where the family was made.
    package let origin: ActionOrigin
    private let identity = SelectorIdentity()
    private let body: @Sendable (Parameter) -> StateSelector<State, Value>

    /// A family of selectors.
    ///
    /// - Parameters:
    ///   - file: The source file, for reports.
    ///   - line: The source line, for reports.
    ///   - body: Makes the selector for a parameter; runs when a store begins to use it.
    public init(
        file: String = #fileID, line: Int = #line,
        _ body: @escaping @Sendable (Parameter) -> StateSelector<State, Value>
    ) {
        origin = ActionOrigin(file: file, line: line)
        self.body = body
    }

    /// The selector for a parameter.
    ///
    /// A parameter that does not equal itself, such as `Double.nan`, has a selector that is not
    /// shared.
    public func callAsFunction(_ parameter: Parameter) -> StateSelector<State, Value> {
        let (origin, body) = (origin, body)
        let member = SelectorIdentity(identity, parameter: parameter)
        return StateSelector(identity: member, origin: origin) { site, member in
            site.member(member, origin) { body(parameter) }
        }
    }
}
