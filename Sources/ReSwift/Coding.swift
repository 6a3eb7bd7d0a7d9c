// SPDX-License-Identifier: MIT

/// A value that can be written as a dictionary and read from one.
public protocol Coding {
    /// Reads a value; nil if the dictionary does not hold one.
    init?(dictionary: [String: AnyObject])

    /// The value as a dictionary.
    var dictionaryRepresentation: [String: AnyObject] { get }
}
