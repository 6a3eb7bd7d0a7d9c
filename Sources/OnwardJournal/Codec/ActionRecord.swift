// SPDX-License-Identifier: MIT

/// An action as a journal keeps it, with a readable payload; migrations transform these.
public struct ActionRecord: Sendable, Hashable {
    /// The registered name of the action's type.
    public var type: String
    /// The case of an enum; nil for other types.
    public var caseName: String?
    /// The schema version of the type that the payload fits.
    public var schema: Int
    /// The fields of the action, or of the case.
    public var payload: DataValue

    /// Creates a record, such as one that a migration returns.
    public init(type: String, caseName: String? = nil, schema: Int = 1, payload: DataValue = [:]) {
        self.type = type
        self.caseName = caseName
        self.schema = schema
        self.payload = payload
    }

    /// The name on the wire: the type; for an enum, followed by "/" and the case.
    public var name: String { caseName.map { "\(type)/\($0)" } ?? type }
}
