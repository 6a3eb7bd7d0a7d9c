// SPDX-License-Identifier: MIT

internal import EntityTables

/// The stages on the way from the value at the start of a lens's range to the instances of its
/// slice: where these come and go, or can be found only by code.
package struct InstancePath: Sendable {
    private var stages: [InstanceStage] = []
    /// Where the next stage, or the slice, lies in what the last stage leads to.
    private var offset = 0

    /// The way to the value of a property.
    func property(at offset: Int) -> InstancePath {
        var path = self
        path.offset += offset
        return path
    }

    /// The way to the value of a computed property.
    func computed<Slice, Child>(
        _ path: any WritableKeyPath<Slice, Child> & Sendable
    ) -> InstancePath {
        appending(ComputedStage(path, at: offset))
    }

    /// The way to the value inside an optional.
    func unwrapped<Wrapped>(_ type: Wrapped.Type) -> InstancePath {
        appending(OptionalStage<Wrapped>(at: offset))
    }

    /// The way to the rows of a collection.
    func rows<Rows: RowCollection & Sendable>(of type: Rows.Type) -> InstancePath
    where Rows.Element: Sendable, Rows.Element.ID: Sendable {
        appending(RowsStage<Rows>(at: offset))
    }

    private func appending(_ stage: InstanceStage) -> InstancePath {
        var path = self
        path.stages.append(stage)
        path.offset = 0
        return path
    }

    /// Tells the way from others to slices of the same name; the same for all parts of one scope.
    package var identity: ObjectIdentifier? { stages.last.map { ObjectIdentifier($0) } }

    /// Whether a stage leads to the slice itself.
    func isLast(_ depth: Int) -> Bool { depth == stages.count - 1 }

    /// A node for what the stages before `depth` lead to.
    func makeNode(at depth: Int, under name: RowName?) -> InstanceNode {
        depth == stages.count
            ? InstanceLeaf(name, offset: offset)
            : stages[depth].makeNode(InstancePlace(path: self, depth: depth, name: name))
    }
}

/// Where a node of a tree belongs.
struct InstancePlace {
    let path: InstancePath
    let depth: Int
    /// The innermost row on the way to it.
    let name: RowName?

    /// A node for what its stage leads to.
    func makeNext(under row: RowName? = nil) -> InstanceNode {
        path.makeNode(at: depth + 1, under: row ?? name)
    }
}

/// One stage on the way to instances, without its types.
class InstanceStage: @unchecked Sendable {  // Immutable, here and in its subclasses.
    /// Where its value lies in what the stage before leads to.
    let offset: Int

    init(at offset: Int) { self.offset = offset }

    func makeNode(_ place: InstancePlace) -> InstanceNode { place.makeNext() }
}

private final class ComputedStage<Slice, Child>: InstanceStage, @unchecked Sendable {
    let path: any WritableKeyPath<Slice, Child> & Sendable

    init(_ path: any WritableKeyPath<Slice, Child> & Sendable, at offset: Int) {
        self.path = path
        super.init(at: offset)
    }

    override func makeNode(_ place: InstancePlace) -> InstanceNode {
        ComputedNode(self, place)
    }
}

private final class OptionalStage<Wrapped>: InstanceStage, @unchecked Sendable {
    let identity = ChildIdentity.of(Wrapped.self)

    override func makeNode(_ place: InstancePlace) -> InstanceNode {
        OptionalNode(self, place)
    }
}

private final class RowsStage<Rows: RowCollection & Sendable>: InstanceStage, @unchecked Sendable
where Rows.Element: Sendable, Rows.Element.ID: Sendable {
    let tracking = RowTracking<Rows>()

    override func makeNode(_ place: InstancePlace) -> InstanceNode { RowsNode(self, place) }
}

/// A row on the way to an instance, with those around it.
///
/// All instances inside a row share its name, which changes when the row gets another id.
class RowName: @unchecked Sendable {  // As its tree.
    let outer: RowName?

    init(in outer: RowName?) { self.outer = outer }

    var key: RowKey { RowKey(text: "") }

    /// The rows from the outermost one to this one.
    var path: [RowName] { (outer?.path ?? []) + [self] }
}

private final class TypedRowName<ID: Hashable & Sendable>: RowName, @unchecked Sendable {
    var id: ID

    init(_ id: ID, in outer: RowName?) {
        self.id = id
        super.init(in: outer)
    }

    override var key: RowKey { RowKey(unwritten: id) }
}

// MARK: - Nodes

/// What a tree keeps of a value on the way to instances.
package class InstanceNode: @unchecked Sendable {  // As its tree.
    /// Whether nothing is kept of any instance behind it.
    var isEmpty: Bool { true }

    /// Brings everything behind a value up to date; returns the node itself, or the one that takes
    /// its place.
    func updated(_ value: UnsafeRawPointer, _ walk: InstanceWalk) -> InstanceNode { self }

    /// The value is gone, and with it all instances behind it.
    func end(_ walk: InstanceWalk) {}

    /// A row on the way to the value has another id.
    func rename(_ walk: InstanceWalk) {}

    /// The leaf of an instance behind the value, which is added; nil when there is none.
    func leaf(at rows: ArraySlice<RowKey>, _ value: UnsafeRawPointer) -> InstanceLeaf? { nil }

    /// Takes out the leaf that rows lead to, if it is empty, and what is empty without it.
    func remove(_ names: ArraySlice<RowName>, _ rest: inout [any Sendable]) {}
}

/// A node with at most one node behind it.
private class LinkNode: InstanceNode, @unchecked Sendable {
    let place: InstancePlace
    final var next: InstanceNode?

    init(_ place: InstancePlace) { self.place = place }

    override var isEmpty: Bool { next == nil }

    override func end(_ walk: InstanceWalk) {
        guard let old = next.take() else { return }
        old.end(walk)
        walk.rest.append(old)
    }

    override func rename(_ walk: InstanceWalk) { next?.rename(walk) }

    override func remove(_ names: ArraySlice<RowName>, _ rest: inout [any Sendable]) {
        guard let next else { return }
        next.remove(names, &rest)
        if next.isEmpty {
            rest.append(next)
            self.next = nil
        }
    }

    /// Brings the node behind it up to date with what the stage leads to.
    final func updateNext(_ value: UnsafeRawPointer, _ walk: InstanceWalk) {
        guard let next = next ?? (walk.isComplete ? place.makeNext() : nil) else { return }
        let updated = next.updated(value, walk)
        if walk.keeps(updated) {
            self.next = updated
        } else {
            self.next = nil
            walk.rest.append(updated)
        }
    }
}

private final class ComputedNode<Slice, Child>: LinkNode, @unchecked Sendable {
    private let stage: ComputedStage<Slice, Child>

    init(_ stage: ComputedStage<Slice, Child>, _ place: InstancePlace) {
        self.stage = stage
        super.init(place)
    }

    override func updated(_ value: UnsafeRawPointer, _ walk: InstanceWalk) -> InstanceNode {
        walk.visits += 1
        withChild(in: value) { updateNext($0, walk) }
        return self
    }

    override func leaf(at rows: ArraySlice<RowKey>, _ value: UnsafeRawPointer) -> InstanceLeaf? {
        withChild(in: value) { child in
            let node = next ?? place.makeNext()
            let leaf = node.leaf(at: rows, child)
            if leaf != nil { next = node }
            return leaf
        }
    }

    private func withChild<R>(in value: UnsafeRawPointer, _ body: (UnsafeRawPointer) -> R) -> R {
        let slice = (value + stage.offset).assumingMemoryBound(to: Slice.self)
        return withUnsafePointer(to: slice.pointee[keyPath: stage.path]) {
            body(UnsafeRawPointer($0))
        }
    }
}

private final class OptionalNode<Wrapped>: LinkNode, @unchecked Sendable {
    private let stage: OptionalStage<Wrapped>
    /// The id of the child, where children have ids.
    private var id: (any Sendable)?

    init(_ stage: OptionalStage<Wrapped>, _ place: InstancePlace) {
        self.stage = stage
        super.init(place)
    }

    override func updated(_ value: UnsafeRawPointer, _ walk: InstanceWalk) -> InstanceNode {
        walk.visits += 1
        guard let child = child(in: value) else {
            end(walk)
            return self
        }
        if next != nil, let identity = stage.identity, !identity.isSame(id, child) { end(walk) }
        if next == nil, walk.isComplete { id = stage.identity?.note(child) }
        updateNext(child, walk)
        if next == nil, let id = id.take() { walk.rest.append(id) }
        return self
    }

    override func end(_ walk: InstanceWalk) {
        super.end(walk)
        if let id = id.take() { walk.rest.append(id) }
    }

    override func leaf(at rows: ArraySlice<RowKey>, _ value: UnsafeRawPointer) -> InstanceLeaf? {
        guard let child = child(in: value) else { return nil }
        let node = next ?? place.makeNext()
        guard let leaf = node.leaf(at: rows, child) else { return nil }
        if next == nil {
            id = stage.identity?.note(child)
            next = node
        }
        return leaf
    }

    override func remove(_ names: ArraySlice<RowName>, _ rest: inout [any Sendable]) {
        super.remove(names, &rest)
        if next == nil, let id = id.take() { rest.append(id) }
    }

    /// The value inside, which lies where the optional does; nil where there is none.
    private func child(in value: UnsafeRawPointer) -> UnsafeRawPointer? {
        let child = value + stage.offset
        return child.assumingMemoryBound(to: Wrapped?.self).pointee == nil ? nil : child
    }
}

private final class RowsNode<Rows: RowCollection & Sendable>: InstanceNode, @unchecked Sendable
where Rows.Element: Sendable, Rows.Element.ID: Sendable {
    typealias ID = Rows.Element.ID

    private let stage: RowsStage<Rows>
    private let place: InstancePlace
    /// The last state of a table that knows its changes.
    private var mark: EntityMark?
    private var next: [ID: Row] = [:]

    /// What is kept of a row.
    private struct Row: Sendable {
        let name: TypedRowName<ID>
        var node: InstanceNode
    }

    init(_ stage: RowsStage<Rows>, _ place: InstancePlace) {
        self.stage = stage
        self.place = place
    }

    override var isEmpty: Bool { next.isEmpty }

    private func rows(in value: UnsafeRawPointer) -> UnsafePointer<Rows> {
        (value + stage.offset).assumingMemoryBound(to: Rows.self)
    }

    override func updated(_ value: UnsafeRawPointer, _ walk: InstanceWalk) -> InstanceNode {
        walk.visits += 1
        let rows = rows(in: value)
        guard let tracking = stage.tracking else {
            updateEach(in: rows, walk)
            return self
        }
        let new = tracking.mark(rows)
        if walk.skipsUnchanged, new == mark { return self }
        defer { mark = new }
        guard walk.skipsUnchanged, let mark else {
            updateEach(in: rows, walk)
            return self
        }
        let departures = tracking.departures(mark, rows)
        if !departures.isEmpty {
            for id in departures.removed { end(id, walk) }
            rename(departures.renamed, walk)
        }
        let isLogged = tracking.forEachTouched(mark, rows) { update($0, in: rows, walk) }
        if !isLogged {
            if departures.isEveryone { end(walk) }
            updateEach(in: rows, walk)
        }
        return self
    }

    /// Brings one row up to date.
    private func update(_ id: ID, in rows: UnsafePointer<Rows>, _ walk: InstanceWalk) {
        walk.visits += 1
        let known = next[id]
        guard known != nil || walk.isComplete else { return }
        guard let row = rows.pointee[id: id] else { return end(id, walk) }
        update(known, row, walk)
    }

    private func update(_ known: Row?, _ row: Rows.Element, _ walk: InstanceWalk) {
        let id = row.id
        var kept = known ?? make(id)
        let updated = withUnsafePointer(to: row) { kept.node.updated($0, walk) }
        if !walk.keeps(updated) {
            walk.rest += [updated, kept.name]
            next[id] = nil
        } else if updated !== known?.node {
            kept.node = updated
            next[id] = kept
        }
    }

    /// Has what is kept of rows follow them to other ids.
    private func rename(_ ids: [ID: ID], _ walk: InstanceWalk) {
        // Rows may have exchanged their ids.
        let rows = ids.compactMap { old, new in next.removeValue(forKey: old).map { (new, $0) } }
        for (new, row) in rows {
            walk.visits += 1
            walk.rest.append(row.name.id)
            row.name.id = new
            next[new] = row
            row.node.rename(walk)
        }
    }

    /// Brings all rows up to date, of a collection that does not know its changes.
    private func updateEach(in rows: UnsafePointer<Rows>, _ walk: InstanceWalk) {
        guard walk.isComplete || stage.tracking == nil else {
            // Rather the few that are kept than all that there are.
            for id in Array(next.keys) { update(id, in: rows, walk) }
            return
        }
        var left = next
        for row in rows.pointee {
            walk.visits += 1
            let id = row.id
            if let known = left.removeValue(forKey: id) {
                update(known, row, walk)
            } else if walk.isComplete, next[id] == nil {
                update(nil, row, walk)
            }
        }
        for id in left.keys { end(id, walk) }
    }

    private func end(_ id: ID, _ walk: InstanceWalk) {
        guard let old = next.removeValue(forKey: id) else { return }
        old.node.end(walk)
        walk.rest.append(old)
    }

    override func end(_ walk: InstanceWalk) {
        for old in next.values {
            old.node.end(walk)
            walk.rest.append(old)
        }
        next = [:]
    }

    override func rename(_ walk: InstanceWalk) {
        for row in next.values { row.node.rename(walk) }
    }

    override func leaf(at rows: ArraySlice<RowKey>, _ value: UnsafeRawPointer) -> InstanceLeaf? {
        guard let key = rows.first, let id = key.id(as: ID.self) else { return nil }
        let known = next[id]
        // What is in the tree is there.
        if let known, place.path.isLast(place.depth) { return known.node.leaf(at: [], value) }
        let collection = self.rows(in: value)
        guard let row = collection.pointee[id: id] else { return nil }
        if next.isEmpty { mark = stage.tracking?.mark(collection) }
        let kept = known ?? make(row.id)
        let leaf = withUnsafePointer(to: row) { kept.node.leaf(at: rows.dropFirst(), $0) }
        if leaf != nil, known == nil { next[row.id] = kept }
        return leaf
    }

    override func remove(_ names: ArraySlice<RowName>, _ rest: inout [any Sendable]) {
        guard let name = names.first as? TypedRowName<ID>, let row = next[name.id] else { return }
        row.node.remove(names.dropFirst(), &rest)
        if row.node.isEmpty {
            rest.append(row)
            next[name.id] = nil
        }
    }

    private func make(_ id: ID) -> Row {
        let name = TypedRowName(id, in: place.name)
        return Row(name: name, node: place.makeNext(under: name))
    }
}
