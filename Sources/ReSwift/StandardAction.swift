// SPDX-License-Identifier: MIT

/// An action without a type of its own: a name and a dictionary, as recorded actions are.
///
/// Part of ReSwift up to version 4; types of actions need nothing of it.
public struct StandardAction: Action {
    /// The name of the kind of action.
    public let type: String
    /// What belongs to it.
    public let payload: [String: AnyObject]?
    /// Whether it stands for an action with a type.
    public let isTypedAction: Bool

    /// An action by its name.
    public init(type: String, payload: [String: AnyObject]? = nil, isTypedAction: Bool = false) {
        self.type = type
        self.payload = payload
        self.isTypedAction = isTypedAction
    }
}

extension StandardAction: Coding {
    /// Reads an action; nil without a name.
    public init?(dictionary: [String: AnyObject]) {
        guard let type = dictionary["type"] as? String else { return nil }
        self.init(
            type: type, payload: dictionary["payload"] as? [String: AnyObject],
            isTypedAction: dictionary["isTypedAction"] as? Bool ?? false)
    }

    /// The action as a dictionary.
    public var dictionaryRepresentation: [String: AnyObject] {
        var dictionary: [String: AnyObject] = [
            "type": type as AnyObject, "isTypedAction": isTypedAction as AnyObject,
        ]
        if let payload { dictionary["payload"] = payload as AnyObject }
        return dictionary
    }
}
