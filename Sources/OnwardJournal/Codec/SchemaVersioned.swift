// SPDX-License-Identifier: MIT

/// A type of action or state whose coded form has changed since the first version.
///
/// Types that do not conform are at version 1. Raise the number with each change that makes old
/// entries undecodable, and add a step to ``Migrations``.
public protocol SchemaVersioned {
    /// The version of the coded form, from 1.
    static var schemaVersion: Int { get }
}

/// The schema version of a type.
package func schemaVersion(of type: Any.Type) -> Int {
    (type as? any SchemaVersioned.Type)?.schemaVersion ?? 1
}
