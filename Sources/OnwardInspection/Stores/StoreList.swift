// SPDX-License-Identifier: MIT

internal import Onward

/// The stores of an inspector, by names that can be part of URLs.
package final class StoreList: Sendable {
    /// The maximum number of stores; another one replaces the one that came first.
    package static let limit = 256
    /// Names that the first part of a URL can't have.
    private static let reserved: Set<String> = ["api", "apps", "events", "favicon.ico"]

    /// Where the questions about the stores are answered.
    package let questions = QuestionThread()
    /// Where what takes longer is done: searches and files.
    package let jobs = QuestionThread()

    /// The pages of each store, before its own.
    package let pages: [InspectorPage]
    /// The columns of each store's list of entries.
    package let columns: [InspectorColumn]

    private let stores = Guarded<[(name: String, store: any InspectedStore)]>([])

    /// Creates a list without stores.
    package init(pages: [InspectorPage] = [], columns: [InspectorColumn] = []) {
        self.pages = pages
        self.columns = Array(columns.prefix(InspectorColumn.mostColumns))
    }

    /// The stores, in the order in which they were added.
    package var all: [(name: String, store: any InspectedStore)] { stores.withValue { $0 } }

    package subscript(name: String) -> (any InspectedStore)? {
        stores.withValue { stores in stores.first { $0.name == name }?.store }
    }

    /// The pages of a store: those of each, and its own.
    package func pages(of store: any InspectedStore) -> [InspectorPage] {
        (pages + store.pages).different
    }

    /// Adds a store under a name like the given one.
    ///
    /// - Returns: The name of the store in the list.
    package func add(_ store: any InspectedStore, as name: String) -> String {
        // What is removed is released outside the lock.
        let (name, gone) = stores.withValue { stores in
            let plain = Self.plain(name)
            var name = plain
            var number = 2
            while Self.reserved.contains(name) || stores.contains(where: { $0.name == name }) {
                name = "\(plain)-\(number)"
                number += 1
            }
            stores.append((name, store))
            return (name, stores.count > Self.limit ? stores.removeFirst().store : nil)
        }
        withExtendedLifetime(gone) {}
        return name
    }

    /// Forgets the stores that ended before anything was dispatched in them, such as those that a
    /// server makes to show a page once.
    package func removeEmpty() {
        let empty = Set(all.filter { $0.store.isEnded && $0.store.summary.taken == 0 }.map(\.name))
        guard !empty.isEmpty else { return }
        let gone = stores.withValue { stores in
            defer { stores.removeAll { empty.contains($0.name) } }
            return stores.filter { empty.contains($0.name) }
        }
        withExtendedLifetime(gone) {}
    }

    package func remove(_ name: String) {
        let gone = stores.withValue { stores in
            stores.firstIndex { $0.name == name }.map { stores.remove(at: $0).store }
        }
        withExtendedLifetime(gone) {}
    }

    /// Reduces a name to letters, digits and hyphens.
    private static func plain(_ name: String) -> String {
        let letters = name.prefix(64).map { character in
            character.isASCII && (character.isLetter || character.isNumber) ? character : "-"
        }
        return letters.isEmpty ? "store" : String(letters)
    }
}
