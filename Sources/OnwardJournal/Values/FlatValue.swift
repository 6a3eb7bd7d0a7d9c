// SPDX-License-Identifier: MIT

/// A value as a flat list of its parts: either being encoded, or read from bytes.
///
/// Problem: an encoding type may fill several containers in turn, even after the encoder that made
/// them is gone. A tree that allows for this needs an object for each container and a dictionary
/// for each object, which is most of the cost of writing and reading an action with two fields.
///
/// Strategy: all parts are in one array. Each is identified by its number, which never changes, and
/// refers to the next one; so a container is a number too.
///
/// Only the coding thread has access to it.
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
        /// Whether anything was encoded here, or a container asked for.
        var isBegun = false
        /// Whether it is a field that was asked for as a container.
        var isContainer = false
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

    /// Checking exclusive access, which the functions here ensure, takes a fifth of the time.
    @exclusivity(unchecked) private var parts: [Part] = []
    /// Which parts are encoded, if not all are.
    private var scopes: [Place: DataScope]?
    /// Counts the parts in the scopes; nil if they may be any number.
    private let meter: DataMeter?
    /// Whether redacted values are encoded as they are.
    let revealsRedacted: Bool
    /// Reorders the dictionaries and sets of a second copy differently from those of the first.
    var reordering: DataDecoder.Reordering?
    /// What a text may stand for, which depends on where the value comes from.
    var texts = TextMeaning.anything
    /// Where the fields of objects are that have many, once a field was asked for; for encoding.
    private var indices: [Place: [String: Place]]?

    // What may be lost, see `DataEncoder+Checking.swift`:

    /// How much was encoded of which only reading shows whether it is lost.
    var doubts = 0
    /// Why the value is refused, where the request could not throw.
    var misuse: EncodingError?
    /// Whether a writer found a name twice in one object.
    var hasRepeatedNames = false
    /// What is refused.
    let checks: EncodingChecks
    var hasChecks: Bool { checks != .none }

    /// An empty object, to be written.
    init(
        revealsRedacted: Bool = false, within scope: DataScope? = nil,
        checks: EncodingChecks = .none
    ) {
        self.revealsRedacted = revealsRedacted
        self.checks = checks
        // What a small action has.
        parts.reserveCapacity(8)
        parts.append(Part())
        scopes = scope.map { [Self.root: $0] }
        meter = scope?.meter
    }

    /// A value to be decoded.
    convenience init(_ value: DataValue, texts: TextMeaning = .anything) {
        self.init()
        self.texts = texts
        set(value, at: Self.root)
    }

    /// How many values are in lists and objects altogether, from a part on.
    func elements(from place: Place) -> Int { parts.count - 1 - Int(place) }

    // MARK: Reading

    func kind(of place: Place) -> Kind { parts[Int(place)].kind }

    /// The value of a part; for a list or an object, an empty one.
    func leaf(at place: Place) -> DataValue {
        switch parts[Int(place)].kind {
        case .leaf: parts[Int(place)].value
        case .list: .list([])
        case .object: .object([:])
        }
    }

    /// Whether a part is the value null.
    func isNull(_ place: Place) -> Bool {
        guard parts[Int(place)].kind == .leaf, case .null = parts[Int(place)].value else {
            return false
        }
        return true
    }

    /// Whether anything was encoded in a part, or a container asked for.
    func isBegun(_ place: Place) -> Bool { parts[Int(place)].isBegun }

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

    /// The fields of an object by name, if it has so many that searching for each would take long.
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
                // Of two with the same name the last one counts.
                object[name(of: field)] = value(at: field)
                next = self.next(after: field)
            }
            if object.count != count(in: place) { hasRepeatedNames = true }
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

    /// Sets a part to a value.
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

    /// Turns a part into a list, unless it is one.
    func becomeList(_ place: Place) {
        if kind(of: place) != .list { become(.list, at: place) }
    }

    /// Turns a part into an object, unless it is one.
    func becomeObject(_ place: Place) {
        parts[Int(place)].isBegun = true
        if kind(of: place) != .object { become(.object, at: place) }
    }

    /// Makes a part as empty as a new one.
    func clear(_ place: Place) {
        become(.object, at: place)
        parts[Int(place)].isBegun = false
    }

    private func become(_ kind: Kind, at place: Place) {
        parts[Int(place)].kind = kind
        parts[Int(place)].isBegun = true
        (parts[Int(place)].first, parts[Int(place)].last) = (-1, -1)
        parts[Int(place)].count = 0
        indices?[place] = nil
    }

    /// Adds a plain value to an object or a list.
    func append(_ leaf: DataValue, named name: String = "", to place: Place) {
        append(Part(name: name, kind: .leaf, isBegun: true, value: leaf, parent: place))
    }

    /// Adds a field to an object, or an element to a list.
    @discardableResult
    func append(_ name: String = "", to place: Place) -> Place {
        append(Part(name: name, parent: place))
    }

    @discardableResult
    private func append(_ part: consuming Part) -> Place {
        let (new, place) = (Place(parts.count), part.parent)
        if checks == .names, kind(of: place) == .object, lastField(part.name, in: place) != nil {
            doubts += 1
        }
        if indices != nil { indices?[place]?[part.name] = new }
        let (last, count) = (parts[Int(place)].last, parts[Int(place)].count)
        part.position = count
        parts.append(part)
        if last < 0 { parts[Int(place)].first = new } else { parts[Int(last)].next = new }
        parts[Int(place)].last = new
        parts[Int(place)].count = count + 1
        return new
    }

    /// The field of an object that is being encoded with a name; of several, the last one.
    ///
    /// - Complexity: O(1) on average.
    func lastField(_ name: String, in place: Place) -> Place? {
        if count(in: place) > 8 {
            if let index = indices?[place] { return index[name] }
            let index = index(of: place) ?? [:]
            indices = indices ?? [:]
            indices?[place] = index
            return index[name]
        }
        var (last, next) = (Place(-1), parts[Int(place)].first)
        while next >= 0 {
            if parts[Int(next)].name == name { last = next }
            next = parts[Int(next)].next
        }
        return Self.place(last)
    }

    /// The field of an object that has the name already, to be continued; else a new one.
    ///
    /// What continues a value that was encoded as a whole may be meant to replace it, which is a doubt.
    ///
    /// - Complexity: O(1) on average.
    func containerField(_ name: String, in place: Place) -> Place {
        if count(in: place) > 0, let field = lastField(name, in: place) {
            if !parts[Int(field)].isContainer { doubts += 1 }
            return field
        }
        let field = append(name, to: place)
        parts[Int(field)].isContainer = true
        return field
    }

    /// Adds a value that belongs to an object, but is none of its fields.
    func appendLoose(_ name: String, to place: Place) -> Place {
        parts.append(Part(name: name, kind: .leaf, isBegun: true, parent: place))
        return Place(parts.count - 1)
    }

    /// Removes a field or an element.
    ///
    /// - Complexity: O(fields or elements).
    func remove(_ place: Place) {
        let parent = parts[Int(place)].parent
        indices?[parent] = nil
        arrange(children(of: parent).filter { $0 != place }, in: parent)
    }

    /// Replaces or reorders the elements of a list.
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

    /// Sorts a list in groups of a given size, depending only on the first element of each.
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

    /// The error of too many parts; nil if there may be more.
    var overflow: DataError? {
        meter.flatMap { $0.isFull ? .tooManyValues(limit: $0.encoded) : nil }
    }

    /// Encodes everything in a part.
    func widenScope(of place: Place) { scopes?[place] = DataScope(DataPath(), meter: meter) }

    /// Notes which part of a new field or element is encoded.
    func enterScope(_ place: Place) {
        let part = parts[Int(place)]
        let isElement = kind(of: part.parent) == .list
        let step = isElement ? "\(part.position)" : part.name
        let scope = scopes?[part.parent]?.inside(step, isElement: isElement)
        scopes?[place] = scope
    }
}
