// SPDX-License-Identifier: MIT

/// The observers of a store in the order in which they came, and what they need together.
struct ObserverList {
    private(set) var registrations: [ObserverRegistration] = []
    /// How many have each of the needs, by the number of its bit.
    private var counts = [Int](repeating: 0, count: ObserverNeeds.RawValue.bitWidth)
    /// What any of them needs.
    private(set) var needs: ObserverNeeds = []

    /// Adds an observer, which has joined behind all others.
    mutating func append(_ registration: ObserverRegistration) {
        registrations.append(registration)
        count(registration.needs, 1)
    }

    /// Takes an observer out.
    ///
    /// - Complexity: O(log *n*) to find it; those behind it move up.
    mutating func remove(_ registration: ObserverRegistration) {
        var (low, high) = (0, registrations.count)
        while low < high {
            let middle = (low + high) / 2
            if registrations[middle].order < registration.order {
                low = middle + 1
            } else {
                high = middle
            }
        }
        guard low < registrations.count, registrations[low] === registration else { return }
        registrations.remove(at: low)
        count(registration.needs, -1)
    }

    private mutating func count(_ wanted: ObserverNeeds, _ step: Int) {
        let wanted = wanted.union(.entries)
        for bit in counts.indices {
            let need = ObserverNeeds(rawValue: 1 << bit)
            guard wanted.contains(need) else { continue }
            counts[bit] += step
            if counts[bit] > 0 { needs.insert(need) } else { needs.remove(need) }
        }
    }
}
