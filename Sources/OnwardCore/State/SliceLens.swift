// SPDX-License-Identifier: MIT

internal import EntityTables

/// How the slice of a reducer is reached in the root state, without its type.
///
/// Problem: an action must get from the root to the slice of its reducer at the cost of an
/// addition, not of a key path (which copies, looks up metadata and allocates), and a commit must
/// know which bytes of the state it may have changed.
///
/// Strategy: a stored property has a constant byte offset, and offsets of nested properties add up.
/// Only where there is none (a computed property, an optional, a row) does a lens keep a step that
/// finds the slice; the reducers below such a step start from there.
///
/// The pointers always come from the engine, which holds the lock, and point to an initialised value
/// of the type the lens was made for; the typed initialisers in `Scope` see to that.
package struct SliceLens: Sendable {
    /// The way from the root, for addresses.
    package let steps: [PathStep]
    /// The bytes of the root state in which the slice lies.
    package let range: Range<Int>
    /// How to get from the value at the start of `range` to the slice; nil when it is that value.
    package let finder: Finder?
    /// How to look at the instances without changing anything; nil together with `finder`.
    package let scan: Scan?
    /// How to follow the instances through commits; of no use without `finder`.
    package let path: InstancePath
    /// Whether there is exactly one instance as long as the store lives: no optional and no rows lead here.
    package let isAlwaysThere: Bool
    /// How the rows are found by texts that are the instances; nil for any other slice.
    package private(set) var rowLookup: (any RowLookup)?

    /// Calls its closure with each instance of the slice that an address names, and says whether
    /// there was any.
    package typealias Finder =
        @Sendable (
            UnsafeMutableRawPointer, Address, (UnsafeMutableRawPointer) -> Void
        ) -> Bool

    /// The lens of the whole state.
    static func root<State>(_ type: State.Type) -> SliceLens {
        SliceLens(
            steps: [], range: 0..<MemoryLayout<State>.size, finder: nil, scan: nil,
            path: InstancePath(), isAlwaysThere: true)
    }

    /// Calls `body` with each instance that `address` names; false when there is none.
    func reach(
        in root: UnsafeMutableRawPointer, _ address: Address,
        _ body: (UnsafeMutableRawPointer) -> Void
    ) -> Bool {
        let start = root + range.lowerBound
        guard let finder else {
            body(start)
            return true
        }
        return finder(start, address, body)
    }

    /// Whether an action sent to `address` is meant for an instance here, for one around it or for
    /// one inside it.
    func isOnTheWay(of address: Address) -> Bool {
        zip(address.components, steps).allSatisfy { component, step in
            switch (component, step) {
            case (.slice(let name), .slice(let other)): name == other
            case (.row, .anyRow): true
            default: false
            }
        }
    }

    /// A copy of the first instance that `address` names; nil when there is none.
    ///
    /// - Precondition: `root` is a private copy; the way to the slice may write to it.
    func first<Slice>(in root: UnsafeRawPointer, _ address: Address, as type: Slice.Type) -> Slice?
    {
        // Only an address that leads here can say which row is meant.
        guard !steps.contains(.anyRow) || isOnTheWay(of: address) else { return nil }
        var found: Slice?
        _ = reach(in: UnsafeMutableRawPointer(mutating: root), address) { slice in
            found = found ?? slice.assumingMemoryBound(to: Slice.self).pointee
        }
        return found
    }

    /// The address of the instance here that handles an action sent to `address`: the way to this
    /// lens as far as it is known which rows it goes through.
    func address(within address: Address) -> Address {
        let isRelated = isOnTheWay(of: address)
        var components: [Address.Component] = []
        for (depth, step) in steps.enumerated() {
            switch step {
            case .slice(let name): components.append(.slice(name))
            case .anyRow:
                guard isRelated, let row = address.row(at: depth) else {
                    return Address(components)
                }
                components.append(.row(row))
            }
        }
        return Address(components)
    }

    /// The lens of a property of the slice.
    ///
    /// Where `isThere` is given, a computed property that isn't there is not written, either.
    func slice<Slice, Child>(
        _ path: any WritableKeyPath<Slice, Child> & Sendable, named name: String,
        where isThere: (@Sendable (Child) -> Bool)? = nil
    ) -> SliceLens {
        let steps = steps + [.slice(name)]
        let offset = MemoryLayout<Slice>.offset(of: path)
        if finder == nil, let offset {
            let start = range.lowerBound + offset
            return SliceLens(
                steps: steps, range: start..<start + MemoryLayout<Child>.size, finder: nil,
                scan: nil, path: InstancePath(), isAlwaysThere: true)
        }
        let way = offset.map { self.path.property(at: $0) } ?? self.path.computed(path)
        let scan: Scan = { slice, _, rows, body in
            if let offset { return body(rows, slice + offset) }
            let typed = slice.assumingMemoryBound(to: Slice.self)
            withUnsafePointer(to: typed.pointee[keyPath: path]) { body(rows, $0) }
        }
        return step(to: steps, way, scan, isAlwaysThere: isThere == nil) { slice, _, body in
            if let offset {
                body(slice + offset)
            } else {
                let typed = slice.assumingMemoryBound(to: Slice.self)
                if let isThere, !isThere(typed.pointee[keyPath: path]) { return false }
                withUnsafeMutablePointer(to: &typed.pointee[keyPath: path]) { body($0) }
            }
            return true
        }
    }

    /// The lens of the value inside an optional property of the slice.
    ///
    /// No setter is given nil: that of a case of an enum could take it for leaving another case.
    func slice<Slice, Wrapped>(
        unwrapping path: any WritableKeyPath<Slice, Wrapped?> & Sendable, named name: String
    ) -> SliceLens {
        slice(path, named: name, where: { $0 != nil }).unwrapped(Wrapped.self)
    }

    private func unwrapped<Wrapped>(_ type: Wrapped.Type) -> SliceLens {
        let scan: Scan = { slice, _, rows, body in
            guard slice.assumingMemoryBound(to: Wrapped?.self).pointee != nil else { return }
            body(rows, slice)
        }
        return step(to: steps, path.unwrapped(type), scan, isAlwaysThere: false) { slice, _, body in
            guard slice.assumingMemoryBound(to: Wrapped?.self).pointee != nil else { return false }
            // The payload of an optional starts where the optional does, so it can be changed in
            // place; every value of `Wrapped` leaves the optional a `.some`.
            body(slice)
            return true
        }
    }

    /// The lens of each row of a collection slice.
    func rows<Rows: RowCollection & Sendable>(of type: Rows.Type) -> SliceLens
    where Rows.Element: Sendable, Rows.Element.ID: Sendable {
        let depth = steps.count
        let lookup = TypedRowLookup<Rows>(in: self)
        let scan: Scan = { slice, address, found, body in
            let rows = slice.assumingMemoryBound(to: Rows.self)
            guard let key = address.row(at: depth) else {
                for row in rows.pointee {
                    withUnsafePointer(to: row) { body(found + [RowKey(unwritten: row.id)], $0) }
                }
                return
            }
            let row =
                lookup.id(key).flatMap { rows.pointee[id: $0] }
                ?? lookup.describedID(key, in: rows).flatMap { rows.pointee[id: $0] }
            guard let row else { return }
            // An instance is named by the row that was reached, however its address was written.
            withUnsafePointer(to: row) { body(found + [key.leading(to: row.id)], $0) }
        }
        var lens = step(
            to: steps + [.anyRow], path.rows(of: type), scan, isAlwaysThere: false
        ) { slice, address, body in
            let rows = slice.assumingMemoryBound(to: Rows.self)
            guard let key = address.row(at: depth) else {
                var any = false
                rows.pointee.updateEach { row in
                    any = true
                    withUnsafeMutablePointer(to: &row) { body($0) }
                }
                return any
            }
            func update(_ id: Rows.Element.ID) -> Bool {
                rows.pointee.update(id: id) { row in
                    withUnsafeMutablePointer(to: &row) { body($0) }
                } != nil
            }
            if let id = lookup.id(key), update(id) { return true }
            return lookup.describedID(key, in: UnsafePointer(rows)).map(update) ?? false
        }
        lens.rowLookup = lookup
        return lens
    }

    /// This lens followed by one more step.
    private func step(
        to steps: [PathStep], _ path: InstancePath, _ nextScan: @escaping Scan,
        isAlwaysThere isNextAlwaysThere: Bool, _ next: @escaping Finder
    ) -> SliceLens {
        let isAlwaysThere = isAlwaysThere && isNextAlwaysThere
        guard let finder, let scan else {
            return SliceLens(
                steps: steps, range: range, finder: next, scan: nextScan, path: path,
                isAlwaysThere: isAlwaysThere)
        }
        let wholeFinder: Finder = { start, address, body in
            var reached = false
            let found = finder(start, address) { slice in
                if next(slice, address, body) { reached = true }
            }
            return found && reached
        }
        let wholeScan: Scan = { start, address, rows, body in
            scan(start, address, rows) { nextScan($1, address, $0, body) }
        }
        return SliceLens(
            steps: steps, range: range, finder: wholeFinder, scan: wholeScan, path: path,
            isAlwaysThere: isAlwaysThere)
    }
}

extension SliceLens {
    /// Calls its closure with each instance that an address names, and changes nothing.
    ///
    /// The closure gets the rows on the way to the instance, and a pointer to its value.
    package typealias Scan =
        @Sendable (
            UnsafeRawPointer, Address, [RowKey], ([RowKey], UnsafeRawPointer) -> Void
        ) -> Void

    /// Looks at each instance that `address` names.
    package func look(
        at address: Address, in root: UnsafeRawPointer,
        _ body: (_ rows: [RowKey], UnsafeRawPointer) -> Void
    ) {
        look(at: address, from: root + range.lowerBound, body)
    }

    /// The same with a pointer to the value at the beginning of `range`.
    package func look(
        at address: Address, from start: UnsafeRawPointer,
        _ body: (_ rows: [RowKey], UnsafeRawPointer) -> Void
    ) {
        guard let scan else { return body([], start) }
        scan(start, address, [], body)
    }

    /// Whether there is an instance that `address` names.
    package func contains(_ address: Address, in root: UnsafeRawPointer) -> Bool {
        var isThere = false
        look(at: address, in: root) { _, _ in isThere = true }
        return isThere
    }

    /// The instances that `address` names.
    package func instances(of address: Address, in root: UnsafeRawPointer) -> [Address] {
        guard address.includes(steps) else { return [] }
        var instances: [Address] = []
        look(at: address, in: root) { rows, _ in instances.append(self.address(of: rows)) }
        return instances
    }

    /// The value of the first instance that `address` names.
    package func value<Slice>(of address: Address, in root: UnsafeRawPointer, as type: Slice.Type)
        -> Slice?
    {
        var value: Slice?
        look(at: address, in: root) { _, slice in
            value = value ?? slice.assumingMemoryBound(to: Slice.self).pointee
        }
        return value
    }

    /// The address of an instance here by the rows on the way to it.
    package func address(of rows: [RowKey]) -> Address {
        var rows = rows[...]
        return Address(
            steps.compactMap { step in
                switch step {
                case .slice(let name): .slice(name)
                case .anyRow: rows.popFirst().map { .row($0) }
                }
            })
    }
}
