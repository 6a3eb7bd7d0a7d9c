// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal
internal import OnwardNavigation

/// Where the user is in a state: its stacks of routes, each encoded, by the path to it.
///
/// They are found in structs, in optionals and in what enums carry. Rows and elements of collections are not looked
/// through, as that would cost the size of the state after each entry.
struct ShownRoutes {
    private(set) var stacks: [String: DataValue] = [:]

    init(in state: some Sendable) { find(in: state, at: "", depth: 0) }

    private mutating func find(in value: Any, at path: String, depth: Int) {
        if let place = value as? any RoutePlace {
            guard let encodable = place.shownRoutes as? any Encodable else { return }
            // What can't be encoded was found to be so before.
            stacks[path] = try? DataValue(revealing: encodable)
            return
        }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .struct, .enum, .optional, .tuple: break
        default: return
        }
        // No state that people write is deeper.
        guard depth < 8 else { return }
        for (label, child) in mirror.children {
            find(in: child, at: "\(path).\(label ?? "")", depth: depth + 1)
        }
    }

    /// Whether other routes are the same ones, some of their values replaced.
    func agree(with others: ShownRoutes, by standIns: StandIns) -> Bool {
        stacks.count == others.stacks.count
            && stacks.allSatisfy { path, routes in
                others.stacks[path].map { standIns.agree(routes, $0) } ?? false
            }
    }
}

extension StandIns {
    /// Whether a value is another one, as it was or with stand-ins.
    func agree(_ value: DataValue, _ other: DataValue) -> Bool {
        switch (value, other) {
        case (.list(let values), .list(let others)):
            return values.count == others.count && zip(values, others).allSatisfy { agree($0, $1) }
        case (.object(let fields), .object(let others)):
            return fields.count == others.count
                && fields.allSatisfy { name, value in
                    (others[name] ?? known(name).flatMap { others[$0] })
                        .map { agree(value, $0) } ?? false
                }
        default: return value == other || standsFor(other, value)
        }
    }
}
