// SPDX-License-Identifier: MIT

/// A persistent array: copies share all pages, a change copies only the pages on the way to it.
///
/// Items live in pages of 32, pages in pages of 32 pages, and so on. The copying is left to the
/// arrays' own copy-on-write: a page that only this vector holds is changed in place.
@usableFromInline
struct PageVector<Item> {
    /// A page of items (at level 0) or of pages one level lower; the other array is empty.
    @usableFromInline
    struct Page {
        @usableFromInline var items: ContiguousArray<Item> = []
        @usableFromInline var pages: ContiguousArray<Page> = []

        @inlinable
        init() {}
    }

    @usableFromInline var root = Page()
    /// Five bits of an item's number for each level of pages above the items.
    @usableFromInline var shift = 0
    @usableFromInline private(set) var count = 0

    @inlinable
    init() {}

    /// Adds an item and returns its number: numbers count up from 0 and stay.
    @inlinable
    mutating func append(_ item: Item) -> Int {
        if count == 32 << shift { addLevel() }
        root.append(item, number: count, shift: shift)
        count += 1
        return count - 1
    }

    /// Puts a page above the root, which becomes its only page.
    @inlinable
    mutating func addLevel() {
        var higher = Page()
        higher.pages.append(root)
        root = higher
        shift += 5
    }

    // Up to four levels (1,048,576 items) are written out: this is the path of every dispatch that
    // changes a row, and a recursion would neither be inlined nor let the body be.

    @inlinable
    subscript(number: Int) -> Item {
        read(number) { $0 }
    }

    /// Reads one item where it is, without counting a reference to it.
    @inlinable
    @inline(__always)
    func read<R>(_ number: Int, _ body: (Item) -> R) -> R {
        switch shift {
        case 0:
            body(root.items[number])
        case 5:
            body(root.pages[number >> 5].items[number & 31])
        case 10:
            body(root.pages[number >> 10].pages[number >> 5 & 31].items[number & 31])
        case 15:
            body(
                root.pages[number >> 15].pages[number >> 10 & 31].pages[number >> 5 & 31]
                    .items[number & 31])
        default:
            body(root.page(of: number, shift: shift).items[number & 31])
        }
    }

    /// Changes one item in place, copying first what another vector shares.
    @inlinable
    @inline(__always)
    mutating func modify<R>(_ number: Int, _ body: (inout Item) -> R) -> R {
        switch shift {
        case 0:
            body(&root.items[number])
        case 5:
            body(&root.pages[number >> 5].items[number & 31])
        case 10:
            body(&root.pages[number >> 10].pages[number >> 5 & 31].items[number & 31])
        case 15:
            body(
                &root.pages[number >> 15].pages[number >> 10 & 31].pages[number >> 5 & 31]
                    .items[number & 31])
        default:
            root.modify(number, shift: shift, body)
        }
    }
}

extension PageVector.Page {
    @inlinable
    mutating func append(_ item: Item, number: Int, shift: Int) {
        guard shift > 0 else { return items.append(item) }
        let slot = number >> shift & 31
        if slot == pages.count { pages.append(Self()) }
        pages[slot].append(item, number: number, shift: shift - 5)
    }

    @inlinable
    func page(of number: Int, shift: Int) -> Self {
        shift == 0 ? self : pages[number >> shift & 31].page(of: number, shift: shift - 5)
    }

    @inlinable
    mutating func modify<R>(_ number: Int, shift: Int, _ body: (inout Item) -> R) -> R {
        guard shift > 0 else { return body(&items[number & 31]) }
        return pages[number >> shift & 31].modify(number, shift: shift - 5, body)
    }
}

extension PageVector: Sendable where Item: Sendable {}
extension PageVector.Page: Sendable where Item: Sendable {}
