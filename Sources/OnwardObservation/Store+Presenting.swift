// SPDX-License-Identifier: MIT

public import OnwardCore

extension Store {
    /// Whether a child is presented: reading observes it, assigning false dismisses the child.
    ///
    /// ```swift
    /// .sheet(isPresented: $store[presenting: \.editor]) { … }
    /// ```
    ///
    /// The child is placed with a ``Present``. Assigning true does nothing; an action of the app
    /// presents the child. The value is read for the main actor, where views are.
    ///
    /// - Parameters:
    ///   - path: The child.
    ///   - name: The step of the address, if the ``Present`` was given one.
    ///   - file: The source file, for the entry.
    ///   - line: The source line, for the entry.
    public subscript<Child: Sendable>(
        presenting path: any WritableKeyPath<State, Child?> & Sendable, name name: String? = nil,
        file file: String = #fileID, line line: Int = #line
    ) -> Bool {
        get { self[.presence(of: path), isolation: MainActor.shared] }
        set {
            guard !newValue else { return }
            scoped(to: path, name: name).dispatch(
                PresentationAction.dismiss, file: file, line: line, isolation: nil)
        }
    }
}

extension FeatureStore {
    /// Whether a child is presented: reading observes it, assigning false dismisses the child; see
    /// ``Store/subscript(presenting:name:file:line:)``.
    public subscript<Child: Sendable>(
        presenting path: any WritableKeyPath<State, Child?> & Sendable, name name: String? = nil,
        file file: String = #fileID, line line: Int = #line
    ) -> Bool {
        get { base[presenting: path, name: name, file: file, line: line] }
        set { base[presenting: path, name: name, file: file, line: line] = newValue }
    }
}
