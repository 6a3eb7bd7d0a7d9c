// SPDX-License-Identifier: MIT

/// What is going to happen, earliest first; of two at the same time, that which was planned first.
struct Agenda<Event> {
    private struct Key {
        let time: Int
        let order: Int
        let slot: Int

        func isBefore(_ other: Key) -> Bool {
            time == other.time ? order < other.order : time < other.time
        }
    }

    private var heap: [Key] = []
    private var events: [Event?] = []
    private var free: [Int] = []
    private(set) var planned = 0

    mutating func plan(_ event: Event, at time: Int) {
        planned += 1
        let slot: Int
        if let reused = free.popLast() {
            slot = reused
            events[slot] = event
        } else {
            slot = events.count
            events.append(event)
        }
        heap.append(Key(time: time, order: planned, slot: slot))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].isBefore(heap[parent]) else { break }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    mutating func next() -> (time: Int, event: Event)? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        if !heap.isEmpty {
            heap[0] = last
            sink()
        }
        free.append(first.slot)
        guard let event = events[first.slot] else { return nil }
        events[first.slot] = nil
        return (first.time, event)
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].isBefore(heap[least]) {
                least = child
            }
            guard least != parent else { return }
            heap.swapAt(least, parent)
            parent = least
        }
    }
}
