// SPDX-License-Identifier: MIT

/// Why a check refuses an action: an error that can be compared, stored and sent.
///
/// ```swift
/// enum BidRefusal: RefusalReason {
///     case closed, tooLow(least: Int)
///     var sentence: String {
///         switch self {
///         case .closed: "The auction is over."
///         case .tooLow(let least): "Please bid at least \(least)."
///         }
///     }
/// }
/// ```
public protocol RefusalReason: Error, Hashable, Codable {
    /// The name of the type in statistics and on the wire, unique within a store.
    ///
    /// By default, as for actions: the name of the type with its enclosing types but without its module.
    static var reasonName: String { get }

    /// What the person is told whose action is refused, as on a page; by default, that it can't be done now.
    var sentence: String { get }
}

extension RefusalReason {
    /// The type's name without its module.
    public static var reasonName: String { TypeName.withoutModule(Self.self) }

    /// Says that it can't be done now.
    public var sentence: String { "This can't be done now." }

    /// The name of this value: the type's name, followed for an enum by "/" and the case.
    ///
    /// - Complexity: O(length of the name), by reflection.
    public var wireName: String {
        TypeName.withCase(Self.reasonName, of: self)
    }
}

/// The refusal of an action by a check, with the check's reason.
public struct CheckFailure: Sendable, Hashable, CustomStringConvertible {
    /// The reason that the check has thrown.
    public let reason: any RefusalReason

    /// Makes a refusal for a reason, as for comparing results.
    public init(_ reason: some RefusalReason) {
        self.reason = reason
    }

    /// The reason's name and value.
    public var description: String { "\(type(of: reason).reasonName).\(reason)" }

    /// Whether both have equal reasons of one type.
    public static func == (one: CheckFailure, other: CheckFailure) -> Bool {
        AnyHashable(one.reason) == AnyHashable(other.reason)
    }

    /// Hashes the reason.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(AnyHashable(reason))
    }
}

extension DispatchResult {
    /// The reason for which a check has refused the action; nil if none of that type has.
    ///
    /// ```swift
    /// if let refusal = store.dispatch(bid).reason(as: BidRefusal.self) { show(refusal.sentence) }
    /// #expect(store.dispatch(bid).reason() == BidRefusal.tooLow(least: 12))
    /// ```
    public func reason<Reason: RefusalReason>(as type: Reason.Type = Reason.self) -> Reason? {
        guard case .refused(.failedCheck(let failure)) = self else { return nil }
        return failure.reason as? Reason
    }
}
