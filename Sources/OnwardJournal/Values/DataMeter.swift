// SPDX-License-Identifier: MIT

internal import Onward

/// Counts the values that are encoded, and stops the encoding of too many.
package final class DataMeter: Sendable {
    private let counted = Guarded((looks: 0, count: 0, isFull: false))
    private let mayGoOn: @Sendable (_ count: Int) -> Bool

    /// Creates a meter.
    ///
    /// - Parameter mayGoOn: Whether further values may be encoded; asked once for every 256 values
    ///   that are looked at, with how many of them were encoded.
    package init(_ mayGoOn: @escaping @Sendable (_ count: Int) -> Bool) { self.mayGoOn = mayGoOn }

    /// Whether no further value may be encoded.
    var isFull: Bool { counted.withValue { $0.isFull } }

    /// How many values were encoded.
    var encoded: Int { counted.withValue { $0.count } }

    /// Counts a value that is looked at, and may be encoded.
    func count(isEncoded: Bool) {
        let (looks, count) = counted.withValue { counted in
            counted.looks += 1
            if isEncoded { counted.count += 1 }
            return (counted.looks, counted.count)
        }
        guard looks.isMultiple(of: 256), !mayGoOn(count) else { return }
        counted.withValue { $0.isFull = true }
    }
}
