// SPDX-License-Identifier: MIT

public import Onward

/// A change of the server's data that shows at once, as an action.
///
/// ```swift
/// struct Rename: Mutation {
///     static let name = "rename"
///     typealias Failure = APIError
///     let id: Int, title: String
///     func apply(to server: inout Server) { server.notes[id: id]?.title = title }
///     var invalidates: [QueryTag] { [.note(id)] }
/// }
///
/// store.dispatch(Rename(id: 7, title: "Milk"))
/// ```
///
/// ``Send`` sends it. Until the server has answered, it is applied over the confirmed data of an
/// ``Overlaid``; then it becomes part of that, or falls out.
public protocol Mutation<Base>: Action, Codable, Equatable {
    /// The data that it changes.
    associatedtype Base: Sendable
    /// What the server answers.
    associatedtype Answer: Equatable, Codable, Sendable = Done
    /// Why the server refuses it.
    associatedtype Failure: Error, Equatable, Codable, Sendable

    /// The name of the action in logs and journals, unique within a store.
    static var name: String { get }
    /// Changes the data, as the server will; must be pure. Applied again whenever the data under it
    /// changes, so it must do without what is no longer there.
    func apply(to base: inout Base)
    /// The tags of the answers that are stale once the server has confirmed it; none by default.
    var invalidates: [QueryTag] { get }
    /// Which others it waits for; all mutations of the same data by default.
    var order: MutationOrder { get }
    /// What this mutation and a later one come to; both by default. Must be pure. Asked only while
    /// this one was never sent, such as for the last of many titles that were typed.
    func merged(with next: Self) -> MutationMerge<Self>
    /// What is to be sent of this mutation over data that has changed; itself by default. Must be
    /// pure. Asked only while this one was never sent, such as for a creation of what is there by
    /// now.
    ///
    /// - Parameter base: The confirmed data with the mutations that are pending before this one.
    /// - Returns: The mutation that takes its place.
    func revised(over base: Base) -> Self
}

extension Mutation {
    /// The name of the mutation.
    public static var actionName: String { name }
    /// No tags.
    public var invalidates: [QueryTag] { [] }
    /// After all others of the same data.
    public var order: MutationOrder { .serial }
    /// Both.
    public func merged(with next: Self) -> MutationMerge<Self> { .both }
    /// Itself.
    public func revised(over base: Base) -> Self { self }
}

/// What a server answers that has nothing to say.
public struct Done: Equatable, Codable, Sendable {
    /// Creates the answer.
    public init() {}
}

/// Which mutations of the same data wait for each other.
public enum MutationOrder: Hashable, Codable, Sendable {
    /// Sent at once.
    case concurrent
    /// Sent after all earlier ones of the same key.
    case serial(by: String)

    /// Sent after all earlier ones without a key of their own.
    public static var serial: MutationOrder { .serial(by: "") }
}

/// What two mutations of the same data come to, of which the first was never sent.
public enum MutationMerge<M: Mutation>: Equatable, Sendable {
    /// Both are sent.
    case both
    /// One is sent in their place, and with the key of the first.
    case one(M)
    /// They cancel each other out, and neither is sent.
    case neither
}

/// What becomes of the mutations of a type.
public enum MutationAction<M: Mutation>: Action, Equatable, Codable {
    /// The store began to run; mutations get idempotency keys that begin with this id.
    case started(UniqueID)
    /// A mutation was sent, or sent again by a retry.
    case sent(Int, at: Timestamp)
    /// The server confirmed a mutation.
    case confirmed(Int, M, M.Answer)
    /// The server refused a mutation, and trying again won't help.
    case refused(Int, M.Failure)
    /// A mutation could not be sent, and keeps its place: nothing more is sent for the time being.
    case paused(Int, M.Failure)
    /// Sends what waits since a pause.
    case resume
    /// A mutation could not be stored, and so wasn't sent.
    case blocked(Int)
    /// Sends a refused or blocked mutation again, changed or not, with another key, after all
    /// others.
    case resend(Int, M)
    /// Gives a mutation up. One that is being sent may have reached the server.
    case drop(Int)

    /// The name of the mutation, and what this is.
    public static var actionName: String { M.name + ".sending" }
}

/// A mutation that the server has not confirmed.
public struct PendingMutation<Base: Sendable>: Identifiable, Sendable, Equatable {
    /// What it is doing.
    public enum Phase: String, Equatable, Codable, Sendable {
        /// It waits for others, for a network, or for the end of a pause.
        case waiting
        /// It is being sent.
        case sending
        /// The server refused it; see ``PendingMutation/failure(of:)``.
        case refused
        /// It could not be stored: it waits until the store starts again, the network returns, or it
        /// is resent.
        case blocked
    }

    /// Its number in its data; numbers are never used again.
    public let id: Int
    /// The change.
    public internal(set) var mutation: any Mutation<Base>
    /// The same for each attempt, so that the server can apply it once; nil until the store runs.
    public internal(set) var key: String?
    /// What it is doing.
    public internal(set) var phase = Phase.waiting
    /// Whether it is kept when it was refused.
    public internal(set) var isDurable: Bool
    /// How often it was sent.
    public internal(set) var attempts = 0
    var failure: (any Error & Codable & Equatable & Sendable)?

    init(id: Int, _ mutation: any Mutation<Base>, isDurable: Bool) {
        self.id = id
        self.mutation = mutation
        self.isDurable = isDurable
    }

    /// Why the server refused it, or why it could not be sent the last time.
    public func failure<M: Mutation>(of type: M.Type) -> M.Failure? { failure as? M.Failure }

    /// Whether the server can't know it, so that it may still change.
    var isUnsent: Bool { phase == .waiting && attempts == 0 }

    /// Whether it shows.
    var isApplied: Bool { phase != .refused }

    var name: String { Swift.type(of: mutation).name }

    /// Whether the part that sends mutations of a name has to send this one.
    subscript(isSending name: String) -> Bool { phase == .sending && self.name == name }

    /// What it and a later one come to; nil where both are sent.
    func merged<M: Mutation<Base>>(with next: M) -> MutationMerge<M>? {
        guard isUnsent, let merge = (mutation as? M)?.merged(with: next), merge != .both else {
            return nil
        }
        return merge
    }

    /// The mutation that takes its place over other data.
    func revised(over base: Base) -> any Mutation<Base> {
        func revised(_ mutation: some Mutation<Base>) -> any Mutation<Base> {
            mutation.revised(over: base)
        }
        return isUnsent ? revised(mutation) : mutation
    }

    /// Whether all parts are equal.
    public static func == (left: PendingMutation, right: PendingMutation) -> Bool {
        left.id == right.id && left.key == right.key && left.phase == right.phase
            && left.isDurable == right.isDurable && left.attempts == right.attempts
            && areEqual(left.mutation, right.mutation) && haveEqualFailures(left, right)
    }

    private static func areEqual(_ left: any Mutation<Base>, _ right: any Mutation<Base>) -> Bool {
        func isEqual<M: Mutation>(_ left: M) -> Bool { left == right as? M }
        return isEqual(left)
    }

    private static func haveEqualFailures(_ left: PendingMutation, _ right: PendingMutation)
        -> Bool
    {
        func isEqual<F: Equatable>(_ failure: F) -> Bool { failure == right.failure as? F }
        return left.failure.map { isEqual($0) } ?? (right.failure == nil)
    }
}
