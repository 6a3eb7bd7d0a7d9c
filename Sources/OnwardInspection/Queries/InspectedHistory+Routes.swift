// SPDX-License-Identifier: MIT

internal import Onward
internal import OnwardJournal
internal import OnwardNavigation

extension InspectedHistory {
    /// Returns the entries that changed where the user is.
    public func routes(_ query: EntryQuery) -> EntryPage {
        var finder = RouteFinder()
        let page = EntryPage(of: log.staged.count, by: query) { stretch in
            var log = log
            var state = log.state(at: stretch.lowerBound)
            var routes = finder.routes(in: state)
            var found: [EntryLine] = []
            for place in stretch {
                if limits?.isOver == true { return nil }
                let entry = log.staged[place]
                guard !log.skipped.contains(entry.id) else { continue }
                state = log.replay([entry.replayed], state)
                let new = finder.routes(in: state)
                guard new != routes else { continue }
                var line = line(at: place)
                line.change = StateChange(from: routes, to: new)
                found.append(line)
                routes = new
            }
            return found
        }
        if page.examined > 0 { limits?.acceptPart() }
        return page
    }
}

/// Where the user is: by the path of the state that holds it, with the name of a window or tab.
private typealias ShownRoutes = [String: String]

/// Finds where the user is in a state: in structs, in optionals, in the payloads of enums, and in
/// the first elements of collections.
///
/// It doesn't search all elements, as that would cost the size of the state after each entry.
private struct RouteFinder {
    /// The maximum number of elements of a collection that are searched.
    private static let mostElements = 32

    /// The structs that never have any, by their types.
    private var barren: Set<ObjectIdentifier> = []

    mutating func routes(in state: some Sendable) -> ShownRoutes {
        var routes: ShownRoutes = [:]
        _ = find(in: state, at: "", depth: 0, &routes)
        return routes
    }

    /// Returns whether values of this type may contain routes.
    private mutating func find(
        in value: Any, at path: String, depth: Int, _ routes: inout ShownRoutes
    ) -> Bool {
        let type = ObjectIdentifier(Swift.type(of: value))
        guard !barren.contains(type) else { return false }
        if let place = value as? any RoutePlace {
            for (name, text) in place.shownStacks {
                routes[name.isEmpty ? path : path.isEmpty ? name : "\(path).\(name)"] = text
            }
            return true
        }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .collection, .dictionary, .set:
            guard depth < 8 else { return true }
            let mayHaveSome = find(inElementsOf: value, mirror, at: path, depth: depth, &routes)
            if !mayHaveSome { barren.insert(type) }
            return mayHaveSome
        default: break
        }
        let isStruct = mirror.displayStyle == .struct || mirror.displayStyle == .tuple
        // Another case of an enum may carry routes.
        let isChoice = mirror.displayStyle == .enum || mirror.displayStyle == .optional
        var mayHaveSome = isChoice
        // No handwritten state is deeper.
        if isStruct || isChoice, depth < 8 {
            for (label, child) in mirror.children {
                let inner =
                    mirror.displayStyle == .optional
                    ? path : path.isEmpty ? label ?? "" : "\(path).\(label ?? "")"
                if find(in: child, at: inner, depth: depth + 1, &routes) { mayHaveSome = true }
            }
        } else if isStruct {
            return true
        }
        if !mayHaveSome { barren.insert(type) }
        return mayHaveSome
    }

    /// Searches the first elements, each named by its id, key or position, up to a barren one.
    ///
    /// Returns whether collections of this type may contain routes.
    private mutating func find(
        inElementsOf collection: Any, _ mirror: Mirror, at path: String, depth: Int,
        _ routes: inout ShownRoutes
    ) -> Bool {
        for (index, child) in mirror.children.prefix(Self.mostElements).enumerated() {
            var (name, element) = ("\(index)", child.value)
            if mirror.displayStyle == .dictionary {
                let pair = Mirror(reflecting: child.value).children.map(\.value)
                guard pair.count == 2 else { return true }
                (name, element) = ("\(pair[0])", pair[1])
            } else if let row = element as? any Identifiable {
                name = "\(row.id)"
            }
            let inner = path.isEmpty ? name : "\(path).\(name)"
            guard find(in: element, at: inner, depth: depth + 1, &routes) else {
                // If the others have the same type, they have none either.
                return !Self.isElementType(type(of: element), of: collection)
            }
        }
        return true
    }

    private static func isElementType(_ type: Any.Type, of collection: Any) -> Bool {
        func element<Elements: Collection>(of elements: Elements) -> Any.Type {
            Elements.Element.self
        }
        return (collection as? any Collection).map { element(of: $0) == type } ?? false
    }
}

extension StateChange {
    /// The changes of routes: of one, or of all that differ.
    fileprivate init(from old: ShownRoutes, to new: ShownRoutes) {
        let names = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
        func text(_ routes: ShownRoutes) -> String? {
            let texts = names.compactMap { name in
                routes[name].map { names.count > 1 ? "\(name): \($0)" : $0 }
            }
            return texts.isEmpty ? nil : texts.joined(separator: "; ")
        }
        self.init(
            at: names.count == 1 ? DataPath(names[0]) : DataPath(), from: nil, to: nil)
        (self.old, self.new) = (text(old) ?? "", text(new) ?? "")
        kind = self.old.isEmpty ? .added : self.new.isEmpty ? .removed : .changed
        self.old = String(self.old.prefix(400))
        self.new = String(self.new.prefix(400))
    }
}
