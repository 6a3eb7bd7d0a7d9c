// SPDX-License-Identifier: MIT

import Onward

/// Made-up expenses of nearly four years, which follow from a seed.
struct Samples {
    let seed: UInt64

    private static let payees: [Category: [String]] = [
        .food: ["Corner Bakery", "Green Grocer", "Noodle House", "Market Hall", "Café Lune"],
        .home: ["City Power", "Water Works", "Brick & Beam", "Lamp Shop"],
        .travel: ["Night Train", "Metro", "Bike Repair", "Harbour Ferry"],
        .leisure: ["Cinema Astra", "Book Cellar", "Climbing Hall", "Record Shop"],
        .health: ["Pharmacy North", "Dr. Weiss", "Swimming Pool"],
        .other: ["Post Office", "Flower Stall", "Hardware Store"],
    ]

    /// A number of expenses with ids from `first` on, the oldest first.
    func expenses(_ count: Int, from first: Int) -> [Expense] {
        let random = RandomSource(seed: seed)
        func pick(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
        return (0..<count).compactMap { index in
            // From January 2023 to November 2026, evenly.
            let month = index * 47 / count
            let (year, number) = (2023 + month / 12, month % 12 + 1)
            let day = "\(year)-\(number < 10 ? "0" : "")\(number)-\(10 + pick(18))"
            // Food is bought more often than anything else.
            let category = Category.allCases[max(pick(Category.allCases.count + 4) - 4, 0)]
            guard let day = Day(day), let payees = Self.payees[category] else { return nil }
            return Expense(
                id: first + index, day: day, payee: payees[pick(payees.count)],
                category: category,
                amount: Money(cents: 150 + pick(category == .home ? 9_000 : 4_500))
            )
        }
    }
}
