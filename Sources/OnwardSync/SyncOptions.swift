// SPDX-License-Identifier: MIT

public import Onward
public import OnwardJournal

/// What a client and its server have to have in common, and what they may choose.
public struct SyncOptions<State: Codable & Sendable>: Sendable {
    /// A text that the program changes whenever its reducers or checks behave differently: a client with
    /// another one gets states instead of entries, until it is updated.
    public var revision = ""
    /// How old actions and states are migrated to the current schema versions.
    public var migrations = Migrations()
    /// How much is sent, kept and waited for.
    public var limits = SyncLimits()
    /// What clients may see; nil if they see everything.
    public var view: SyncView<State>?
    /// Which actions stay on a client: what it dispatches is proposed, unless its type is named here.
    ///
    /// They may change local slices only (``keepLocal(_:changedBy:)``).
    public var localActions: Set<String> = []
    var localSlices: [@Sendable (_ new: inout State, _ shown: State) -> Void] = []

    var replacements: [@Sendable (_ action: any Action, _ earlier: any Action) -> Bool] = []

    /// Creates the default options.
    public init() {}

    /// Has a client keep a slice to itself, such as what is on the screen: no server changes it.
    ///
    /// The actions that change it have to be ``localActions``. The slice lasts as long as the program: the next
    /// one begins with the initial value.
    public mutating func keepLocal<Slice: Sendable>(
        _ path: any WritableKeyPath<State, Slice> & Sendable, changedBy types: any Action.Type...
    ) {
        localSlices.append { new, shown in new[keyPath: path] = shown[keyPath: path] }
        localActions.formUnion(types.map { $0.actionName })
    }

    /// Has an action stand for the one before it, if that was not sent: such as the last of the texts
    /// of a field that is edited offline.
    ///
    /// Both have the same address, and nothing that is proposed lies between them. The earlier one is
    /// never proposed; its outcome is ``SyncOutcome/replaced``.
    ///
    /// - Parameters:
    ///   - type: The type of both.
    ///   - replaces: Whether the state after both is what it is after the later one.
    public mutating func compact<A: Action>(
        _ type: A.Type, when replaces: @escaping @Sendable (_ action: A, _ earlier: A) -> Bool
    ) {
        replacements.append { action, earlier in
            guard let action = action as? A, let earlier = earlier as? A else { return false }
            return replaces(action, earlier)
        }
    }
}
