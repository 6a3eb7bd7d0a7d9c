// SPDX-License-Identifier: MIT

/// A value as a flat list of its parts: what is being encoded, and what was read from bytes.
///
/// Problem: whoever encodes may fill several containers in turns, even after the encoder that made them is gone. A tree
/// that allows for it takes an object for each container and a dictionary for each object, which is most of what an
/// action with two fields would cost, in writing and in reading.
///
/// Strategy: all parts lie in one array. Each is known by its number, which never changes, and says which one follows
/// it; so a container is a number too.
///
/// Only the thread that codes knows it.
final class FlatValue {
    /// The number of a part.
    typealias Place = Int32

    /// The value as a whole.
    static var root: Place { 0 }

    /// What a part is.
    enum Kind { case object, list, leaf }

    private struct Part {
        /// What it is called in an object.
        var name = ""
        var kind = Kind.object
        /// The value of a leaf.
        var value = DataValue.null
        /// The list or the object that it is in, and how many parts are before it there.
        var parent: Place = -1
        var position: Int32 = 0
        var next: Place = -1
        // Of a list or an object:
        var first: Place = -1
        var last: Place = -1
        var count: Int32 = 0
    }

    /// To check that access is exclusive, as the functions here have it, takes a fifth of what an action takes.
    @exclusivity(unchecked) private var parts: [Part] = []
    /// Which parts are encoded where not all are.
    private var scopes: [Place: DataScope]?
    /// Whether redacted values are encoded as they are.
    let revealsRedacted: Bool
    /// Has dictionaries and sets of a second copy get another order than those of the first one.
    var reordering: DataDecoder.Reordering?

    /// An empty object, to be written.
    init(revealsRedacted: Bool = false, within scope: DataScope? = nil) {
        self.revealsRedacted = revealsRedacted
        // What a small action has.
        parts.reserveCapacity(8)
        parts.append(Part())
        scopes = scope.map { [Self.root: $0] }
    }

    /// A value that is going to be decoded.
    convenience init(_ value: DataValue) {
        self.init()
        set(value, at: Self.root)
    }

    /// How many values came into lists and objects together, from a part on.
    func elements(from place: Place) -> Int { parts.count - 1 - Int(place) }

    // MARK: Reading

    func kind(of place: Place) -> Kind { parts[Int(place)].kind }

    /// The value of a part; of a list or an object an empty one.
    func leaf(at place: Place) -> DataValue {
        switch parts[Int(place)].kind {
        case .leaf: parts[Int(place)].value
        case .list: .list([])
        case .object: .object([:])
        }
    }

    func name(of place: Place) -> String { parts[Int(place)].name }

    func count(in place: Place) -> Int { Int(parts[Int(place)].count) }

    /// The first part of a list or an object.
    func first(in place: Place) -> Place? { Self.place(parts[Int(place)].first) }

    /// The part that follows one.
    func next(after place: Place) -> Place? { Self.place(parts[Int(place)].next) }

    private static func place(_ place: Place) -> Place? { place < 0 ? nil : place }

    /// The field of an object with a name.
    ///
    /// - Complexity: O(fields).
    func field(_ name: String, in place: Place) -> Place? {
        var next = parts[Int(place)].first
        while next >= 0, parts[Int(next)].name != name { next = parts[Int(next)].next }
        return Self.place(next)
    }

    /// Where the fields of an object are, where it has so many that looking for each would take long.
    ///
    /// - Complexity: O(fields).
    func index(of place: Place) -> [String: Place]? {
        guard count(in: place) > 8 else { return nil }
        return Dictionary(children(of: place).map { (name(of: $0), $0) }) { $1 }
    }

    /// The parts of a list or an object, in their order.
    func children(of place: Place) -> [Place] {
        var children: [Place] = []
        children.reserveCapacity(count(in: place))
        var next = first(in: place)
        while let child = next {
            children.append(child)
            next = self.next(after: child)
        }
        return children
    }

    /// A part with all that is in it.
    ///
    /// - Complexity: O(parts in it).
    func value(at place: Place = root) -> DataValue {
        switch kind(of: place) {
        case .leaf: return parts[Int(place)].value
        case .list: return .list(children(of: place).map(value))
        case .object:
            var object = [String: DataValue](minimumCapacity: count(in: place))
            var next = first(in: place)
            while let field = next {
                // Of two with one name the last counts.
                object[name(of: field)] = value(at: field)
                next = self.next(after: field)
            }
            return .object(object)
        }
    }

    /// The keys that lead to a part.
    func path(to place: Place) -> [any CodingKey] {
        var keys: [any CodingKey] = []
        var place = place
        while place != Self.root {
            let part = parts[Int(place)]
            keys.append(
                kind(of: part.parent) == .list
                    ? PlainKey(intValue: Int(part.position)) : PlainKey(stringValue: part.name))
            place = part.parent
        }
        return keys.reversed()
    }

    // MARK: Writing

    /// Makes a part a value.
    func set(_ value: DataValue, at place: Place) {
        switch value {
        case .list(let values):
            become(.list, at: place)
            for value in values { set(value, at: append(to: place)) }
        case .object(let fields):
            become(.object, at: place)
            for (name, value) in fields { set(value, at: append(name, to: place)) }
        default:
            become(.leaf, at: place)
            parts[Int(place)].value = value
        }
    }

    /// Makes a part a list, unless it is one.
    func becomeList(_ place: Place) {
        if kind(of: place) != .list { become(.list, at: place) }
    }

    /// Makes a part an object, unless it is one.
    func becomeObject(_ place: Place) {
        if kind(of: place) != .object { become(.object, at: place) }
    }

    /// Makes a part as empty as a new one.
    func clear(_ place: Place) { become(.object, at: place) }

    private func become(_ kind: Kind, at place: Place) {
        parts[Int(place)].kind = kind
        (parts[Int(place)].first, parts[Int(place)].last) = (-1, -1)
        parts[Int(place)].count = 0
    }

    /// Adds a plain value to an object or a list.
    func append(_ leaf: DataValue, named name: String = "", to place: Place) {
        append(Part(name: name, kind: .leaf, value: leaf, parent: place))
    }

    /// Adds a field to an object, or an element to a list.
    @discardableResult
    func append(_ name: String = "", to place: Place) -> Place {
        append(Part(name: name, parent: place))
    }

    @discardableResult
    private func append(_ part: consuming Part) -> Place {
        let (new, place) = (Place(parts.count), part.parent)
        let (last, count) = (parts[Int(place)].last, parts[Int(place)].count)
        part.position = count
        parts.append(part)
        if last < 0 { parts[Int(place)].first = new } else { parts[Int(last)].next = new }
        parts[Int(place)].last = new
        parts[Int(place)].count = count + 1
        return new
    }

    /// Adds a value that belongs to an object, but is none of its fields.
    func appendLoose(_ name: String, to place: Place) -> Place {
        parts.append(Part(name: name, kind: .leaf, parent: place))
        return Place(parts.count - 1)
    }

    /// Takes a field or an element out.
    ///
    /// - Complexity: O(fields or elements).
    func remove(_ place: Place) {
        let parent = parts[Int(place)].parent
        arrange(children(of: parent).filter { $0 != place }, in: parent)
    }

    /// Gives a list other elements, or its own in another order.
    private func arrange(_ elements: [Place], in place: Place) {
        parts[Int(place)].first = elements.first ?? -1
        parts[Int(place)].last = elements.last ?? -1
        parts[Int(place)].count = Int32(elements.count)
        for (position, element) in elements.enumerated() {
            let next = position + 1 < elements.count ? elements[position + 1] : -1
            parts[Int(element)].position = Int32(position)
            parts[Int(element)].next = next
        }
    }

    /// Puts the elements of a list in an order that depends only on themselves, so many at a time, by the first of them.
    func sort(_ place: Place, by stride: Int) {
        let elements = children(of: place)
        let groups = Swift.stride(from: 0, to: elements.count - stride + 1, by: stride).map {
            start in
            (
                elements[start..<start + stride],
                DataFormat.cbor.bytes(of: value(at: elements[start]))
            )
        }
        arrange(
            groups.sorted { $0.1.lexicographicallyPrecedes($1.1) }.flatMap(\.0), in: place)
    }

    // MARK: Scopes

    /// Whether only a part of the value is encoded.
    var isScoped: Bool { scopes != nil }

    /// Whether a part is encoded.
    func isInScope(_ place: Place) -> Bool { scopes?[place] != nil }

    /// Has everything in a part encoded.
    func widenScope(of place: Place) { scopes?[place] = DataScope(DataPath()) }

    /// Notes which part of a new field or element is encoded.
    func enterScope(_ place: Place) {
        let part = parts[Int(place)]
        let isElement = kind(of: part.parent) == .list
        let step = isElement ? "\(part.position)" : part.name
        let scope = scopes?[part.parent]?.inside(step, isElement: isElement)
        scopes?[place] = scope
    }
}
