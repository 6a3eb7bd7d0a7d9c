// SPDX-License-Identifier: MIT

internal import Foundation
internal import Onward

/// Estimates how much of a state's memory is not shared with another state.
///
/// Problem: nothing reports what a value refers to, and examining everything would take longer than
/// running entries.
///
/// Strategy: parts whose bytes are equal refer to the same memory, so they are not examined. Of the
/// others, those that can be measured at once are: arrays, texts, tables. A few elements stand for
/// many, and after a fixed number of parts the estimate is good enough.
struct MemoryEstimate {
    /// How many parts may still be examined, so that it takes a tenth of a millisecond.
    private var parts = 96

    /// About how many bytes a value refers to, without those that an older one refers to as well.
    static func bytes<Value>(of value: Value, since older: Value?) -> Int {
        var estimate = MemoryEstimate()
        return estimate.bytes(of: value, since: older)
    }

    fileprivate mutating func bytes<Value>(of value: Value, since older: Value?) -> Int {
        guard !_isPOD(Value.self), parts > 0 else { return 0 }
        parts -= 1
        if let older, Self.areIdentical(value, older) { return 0 }
        if let value = value as? any MeasuredMemory { return value.bytes(since: older, &self) }
        let mirror = Mirror(reflecting: value)
        let others = older.map { Array(Mirror(reflecting: $0).children) } ?? []
        var sum = mirror.displayStyle == .class ? 64 : 0
        for (place, child) in mirror.children.enumerated() {
            let other = place < others.count ? others[place] : nil
            sum += bytes(
                of: child.value, sinceAny: other?.label == child.label ? other?.value : nil)
        }
        return sum
    }

    private mutating func bytes<Value>(of value: Value, sinceAny older: Any?) -> Int {
        bytes(of: value, since: older as? Value)
    }

    private static func areIdentical<Value>(_ value: Value, _ other: Value) -> Bool {
        withUnsafeBytes(of: value) { mine in
            withUnsafeBytes(of: other) { others in mine.elementsEqual(others) }
        }
    }

    /// The bytes of a list's own memory and of what its elements refer to, judged by a few of them.
    fileprivate mutating func bytes<List: RandomAccessCollection>(
        of list: List, capacity: Int, since older: List?
    ) -> Int where List.Index == Int {
        let own = capacity == 0 ? 0 : 32 + capacity * MemoryLayout<List.Element>.stride
        guard !_isPOD(List.Element.self), !list.isEmpty else { return own }
        var (sum, count) = (0, 0)
        for offset in stride(from: 0, to: list.count, by: max(list.count / 4, 1)) {
            let other = older.flatMap { older in
                offset < older.count ? older[older.startIndex + offset] : nil
            }
            sum += bytes(of: list[list.startIndex + offset], since: other)
            count += 1
        }
        return own + sum * list.count / count
    }
}

/// A type that can measure its own memory faster than its parts can be examined.
private protocol MeasuredMemory {
    func bytes(since older: Any?, _ estimate: inout MemoryEstimate) -> Int
}

extension Array: MeasuredMemory {
    fileprivate func bytes(since older: Any?, _ estimate: inout MemoryEstimate) -> Int {
        estimate.bytes(of: self, capacity: capacity, since: older as? Self)
    }
}

extension ContiguousArray: MeasuredMemory {
    fileprivate func bytes(since older: Any?, _ estimate: inout MemoryEstimate) -> Int {
        estimate.bytes(of: self, capacity: capacity, since: older as? Self)
    }
}

extension Dictionary: MeasuredMemory {
    fileprivate func bytes(since older: Any?, _ estimate: inout MemoryEstimate) -> Int {
        let own = capacity * (MemoryLayout<Key>.stride + MemoryLayout<Value>.stride + 1)
        let older = older as? Self
        var (sum, count) = (0, 0)
        for (key, value) in prefix(4) {
            sum += estimate.bytes(of: value, since: older?[key])
            if older == nil { sum += estimate.bytes(of: key, since: nil) }
            count += 1
        }
        return own + sum * self.count / Swift.max(count, 1)
    }
}

extension Set: MeasuredMemory {
    fileprivate func bytes(since older: Any?, _ estimate: inout MemoryEstimate) -> Int {
        let own = capacity * (MemoryLayout<Element>.stride + 1)
        guard older == nil else { return own }
        var (sum, count) = (0, 0)
        for element in prefix(4) {
            sum += estimate.bytes(of: element, since: nil)
            count += 1
        }
        return own + sum * self.count / Swift.max(count, 1)
    }
}

extension String: MeasuredMemory {
    fileprivate func bytes(since older: Any?, _ estimate: inout MemoryEstimate) -> Int {
        utf8.count > 15 ? 32 + utf8.count : 0
    }
}

extension Data: MeasuredMemory {
    fileprivate func bytes(since older: Any?, _ estimate: inout MemoryEstimate) -> Int {
        count > 14 ? 64 + count : 0
    }
}

extension EntityTable: MeasuredMemory {
    fileprivate func bytes(since older: Any?, _ estimate: inout MemoryEstimate) -> Int {
        // What rows refer to stays theirs when their leaf is copied.
        if let older = older as? Self { return unsharedBytes(since: older) }
        return estimatedBytes + estimate.bytes(of: self, capacity: 0, since: nil)
    }
}
