// SPDX-License-Identifier: MIT

/// Routes by action type: open addressing on the type's pointer.
///
/// A dictionary keyed by `ObjectIdentifier` hashes with SipHash and costs more than the rest of a
/// dispatch; a type's pointer is unique already, so a multiplication spreads it well enough.
///
/// The table is plain memory, so that looking something up counts no references. Its `CompiledFeatures` owns
/// the memory and the routes in it, and frees them when no thread runs the program any more.
struct RouteTable: @unchecked Sendable {  // Written in `init` only.
    private let slots: UnsafeMutablePointer<(key: UInt, route: Unmanaged<Route>?)>
    private let shift: UInt64
    private let mask: Int

    init(_ routes: [Route]) {
        var bits: UInt64 = 2
        while (1 << bits) < routes.count * 2 { bits += 1 }
        let capacity = 1 << Int(bits)
        shift = 64 - bits
        mask = capacity - 1
        slots = .allocate(capacity: capacity)
        slots.initialize(repeating: (0, nil), count: capacity)
        for route in routes {
            let key = Self.key(of: route.type)
            var index = slot(of: key)
            while slots[index].key != 0 { index = (index + 1) & mask }
            slots[index] = (key, .passRetained(route))
        }
    }

    /// Frees the memory; the table must not be used again.
    func destroy() {
        for index in 0...mask { slots[index].route?.release() }
        slots.deallocate()
    }

    /// The route of a type; nil when no feature registered for it.
    ///
    /// - Complexity: O(1).
    @inline(__always)
    func find(_ type: any Action.Type) -> Unmanaged<Route>? {
        let key = Self.key(of: type)
        var index = slot(of: key)
        while true {
            let found = slots[index]
            if found.key == key { return found.route }
            if found.key == 0 { return nil }
            index = (index + 1) & mask
        }
    }

    @inline(__always)
    private static func key(of type: any Action.Type) -> UInt {
        UInt(bitPattern: ObjectIdentifier(type))
    }

    @inline(__always)
    private func slot(of key: UInt) -> Int {
        // Fibonacci hashing (Knuth, The Art of Computer Programming 3, section 6.4).
        Int(truncatingIfNeeded: (UInt64(key) &* 0x9E37_79B9_7F4A_7C15) >> shift)
    }
}
