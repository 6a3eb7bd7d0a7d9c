// SPDX-License-Identifier: MIT

public import OnwardCore

extension Store {
    /// Whether a child is presented: reading observes it, assigning false dismisses the child that
    /// was read.
    ///
    /// ```swift
    /// .sheet(isPresented: $store[presenting: \.editor]) { … }
    /// ```
    ///
    /// The child is placed with a ``Present``. Assigning true does nothing; an action of the app
    /// presents the child. The value is read for the main actor, where views are.
    ///
    /// A view may say late that what it showed is gone. By then another child may be shown, which
    /// stays: a binding dismisses only a child with the id of the one that it showed first, and what
    /// is assigned without a binding, one with the id of the last one read here. Views make a binding
    /// each time they are drawn, which happens when another child is shown. A child that is not
    /// `Identifiable` can't be told from another; a ``Dialog`` has an id.
    ///
    /// - Parameters:
    ///   - path: The child.
    ///   - name: The step of the address, if the ``Present`` was given one.
    ///   - file: The source file, for the entry.
    ///   - line: The source line, for the entry.
    ///   - shown: Made with each binding; remembers which child it showed.
    public subscript<Child: Sendable>(
        presenting path: any WritableKeyPath<State, Child?> & Sendable, name name: String? = nil,
        file file: String = #fileID, line line: Int = #line,
        shown shown: ShownChild = ShownChild()
    ) -> Bool {
        get {
            let sight = self[.child(at: path), isolation: MainActor.shared]
            shown.note(sight)
            engine.attached(LastPresentations.self).note(sight, at: address, path)
            return sight != .nothing
        }
        set {
            guard !newValue else { return }
            let last =
                shown.first ?? engine.attached(LastPresentations.self).last(at: address, path)
            if let last, last == .nothing || last != ShownChild.Sight(of: read(path)) { return }
            scoped(to: path, name: name).dispatch(
                PresentationAction.dismiss, file: file, line: line, isolation: nil)
        }
    }
}

extension FeatureStore {
    /// Whether a child is presented: reading observes it, assigning false dismisses the child that
    /// was read; see ``Store/subscript(presenting:name:file:line:shown:)``.
    public subscript<Child: Sendable>(
        presenting path: any WritableKeyPath<State, Child?> & Sendable, name name: String? = nil,
        file file: String = #fileID, line line: Int = #line,
        shown shown: ShownChild = ShownChild()
    ) -> Bool {
        get { base[presenting: path, name: name, file: file, line: line, shown: shown] }
        set { base[presenting: path, name: name, file: file, line: line, shown: shown] = newValue }
    }
}
