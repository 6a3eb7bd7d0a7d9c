// SPDX-License-Identifier: MIT

/// Which leaf the row with an id is in, by the hash of the id: a persistent hash table without the
/// ids.
///
/// The rows have their ids already, so the index has hashes only. Two ids may have one hash: a
/// look-up tries each clue of the hash until a leaf has the row.
///
/// It is a linear hash table. There are as many buckets as the rows need, which are added one at a
/// time, and each new one takes over the entries of one other:
///
/// ```
/// 4 buckets, by the last two bits of the hash       00  01  10  11
/// a fifth is added, for the hashes that end in 100  00  01  10  11  100      00 keeps those in 000
/// ```
///
/// So no insertion pays for all rows, and copies share all buckets except those that changed.
/// Buckets are never given back, as the table has no more of them than it once needed.
@usableFromInline
struct RowIndex: Sendable {
    /// Where a row is.
    @usableFromInline
    struct Clue: Sendable {
        @usableFromInline let bits: UInt32

        /// - Precondition: `leaf` is below 2²⁷, which is enough for a billion rows.
        @inlinable
        init(leaf: UInt32, slot: Int) {
            precondition(leaf < 1 << 27, "a table cannot have so many rows")
            bits = leaf << 5 | UInt32(truncatingIfNeeded: slot & 31)
        }

        @inlinable var leaf: UInt32 { bits >> 5 }
        /// The slot in which the row was when this was written.
        ///
        /// Rows that come and go in a leaf shift the others without changing the index, so look
        /// there first, then elsewhere.
        @inlinable var slot: Int { Int(bits & 31) }
    }

    @usableFromInline
    struct Entry: Sendable {
        @usableFromInline let hash: UInt32
        @usableFromInline var clue: Clue

        @inlinable
        init(hash: UInt32, clue: Clue) {
            self.hash = hash
            self.clue = clue
        }
    }

    @usableFromInline typealias Bucket = ContiguousArray<Entry>

    @usableFromInline private(set) var buckets = PageVector<Bucket>()
    /// As many ones as the number of the last bucket has binary digits.
    @usableFromInline private(set) var mask: UInt32 = 0
    private(set) var count = 0

    /// How many entries a bucket has on average, once there is more than one.
    private static var load: Int { 12 }

    /// An index of entries; entries in the same bucket keep their order.
    ///
    /// They are sorted by their buckets first, as it takes long to visit each bucket for each of
    /// its entries where the buckets are too many for the processor's cache.
    ///
    /// - Complexity: O(*n*).
    @usableFromInline
    init(_ entries: ContiguousArray<Entry> = []) {
        count = entries.count
        let wanted = max(1, (count + Self.load - 1) / Self.load)
        for _ in 0..<wanted { _ = buckets.append([]) }
        while wanted > Int(mask) + 1 { mask = mask << 1 | 1 }
        guard count > 0 else { return }

        // Where the next entry of each bucket goes; in the end, where the next bucket begins.
        var places = [Int](repeating: 0, count: wanted + 1)
        for entry in entries { places[bucketNumber(of: entry.hash) + 1] += 1 }
        for number in 1...wanted { places[number] += places[number - 1] }
        var sorted = entries
        for entry in entries {
            let number = bucketNumber(of: entry.hash)
            sorted[places[number]] = entry
            places[number] += 1
        }
        var start = 0
        for number in 0..<wanted {
            buckets.modify(number) { $0 = Bucket(sorted[start..<places[number]]) }
            start = places[number]
        }
    }

    @inlinable
    static func hash(of id: some Hashable) -> UInt32 {
        UInt32(truncatingIfNeeded: id.hashValue)
    }

    /// The next clue to a row with a hash; nil if there is no other.
    ///
    /// `slot` is where to start looking: 0, then what the last call left there.
    @inlinable
    @inline(__always)
    func nextClue(of hash: UInt32, from slot: inout Int) -> Clue? {
        buckets.read(bucketNumber(of: hash)) { $0.nextClue(of: hash, from: &slot) }
    }

    /// Passes over the clues that lead to a leaf where the row is not.
    ///
    /// Where many ids have one hash, a leaf is then looked at once, and not for each of its rows.
    @inlinable
    func skipClues(of hash: UInt32, to leaf: UInt32, from slot: inout Int) {
        buckets.read(bucketNumber(of: hash)) { bucket in
            while slot < bucket.count,
                bucket[slot].hash != hash || bucket[slot].clue.leaf == leaf
            {
                slot += 1
            }
        }
    }

    /// Whether a row with a hash is known to be in a leaf.
    func knows(_ hash: UInt32, in leaf: UInt32) -> Bool {
        buckets[bucketNumber(of: hash)].slot(of: hash, in: leaf) != nil
    }

    /// Calls `body` with each pair of clues with the same hash: their rows may have the same id.
    @inlinable
    func forEachPair(_ body: (_ earlier: Clue, _ later: Clue) -> Void) {
        for number in 0..<buckets.count {
            let bucket = buckets[number]
            for (slot, later) in bucket.enumerated() {
                for earlier in bucket[..<slot] where earlier.hash == later.hash {
                    body(earlier.clue, later.clue)
                }
            }
        }
    }

    @inlinable
    func bucketNumber(of hash: UInt32) -> Int {
        let number = Int(hash & mask)
        return number < buckets.count ? number : Int(hash & mask >> 1)
    }
}

// MARK: - Changes

extension RowIndex {
    @usableFromInline
    mutating func insert(_ hash: UInt32, _ clue: Clue) {
        count += 1
        if count > buckets.count * Self.load { addBucket() }
        buckets.modify(bucketNumber(of: hash)) { $0.append(Entry(hash: hash, clue: clue)) }
    }

    /// Forgets one of the rows with a hash that are in a leaf; false if there is none.
    @usableFromInline
    mutating func remove(_ hash: UInt32, from leaf: UInt32) -> Bool {
        let isKnown = buckets.modify(bucketNumber(of: hash)) { bucket in
            guard let slot = bucket.slot(of: hash, in: leaf) else { return false }
            bucket.swapAt(slot, bucket.count - 1)
            bucket.removeLast()
            return true
        }
        if isKnown { count -= 1 }
        return isKnown
    }

    /// Notes that one of the rows with a hash has gone from a leaf to another; false if there is
    /// none.
    @usableFromInline
    mutating func move(_ hash: UInt32, from leaf: UInt32, to clue: Clue) -> Bool {
        buckets.modify(bucketNumber(of: hash)) { bucket in
            guard let slot = bucket.slot(of: hash, in: leaf) else { return false }
            bucket[slot].clue = clue
            return true
        }
    }

    private mutating func addBucket() {
        let new = UInt32(buckets.count)
        if new > mask { mask = mask << 1 | 1 }
        let (mask, other) = (mask, Int(new & mask >> 1))
        let old = buckets[other]
        buckets.modify(other) { $0 = old.filter { $0.hash & mask != new } }
        _ = buckets.append(old.filter { $0.hash & mask == new })
    }
}

extension RowIndex.Bucket {
    @inlinable
    @inline(__always)
    func nextClue(of hash: UInt32, from slot: inout Int) -> RowIndex.Clue? {
        while slot < count {
            slot += 1
            if self[slot - 1].hash == hash { return self[slot - 1].clue }
        }
        return nil
    }

    /// From the end, where the entries of the latest rows are.
    fileprivate func slot(of hash: UInt32, in leaf: UInt32) -> Int? {
        lastIndex { $0.hash == hash && $0.clue.leaf == leaf }
    }
}
