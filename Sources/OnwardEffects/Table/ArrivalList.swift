// SPDX-License-Identifier: MIT

/// Elements in the order of their arrival, each of which leaves in constant time.
///
/// A doubly linked list in an array: an element is found by the place that it was given, and places
/// of elements that have left are used again.
struct ArrivalList<Element> {
    /// Where an element stands, until it leaves.
    struct Place: Hashable, Sendable {
        fileprivate let index: Int
    }

    private struct Node {
        /// Nil in a free place.
        var element: Element?
        var previous: Int
        /// In a free place, the next free one.
        var next: Int
    }

    private static var none: Int { -1 }

    private var nodes: [Node] = []
    private var start = Self.none
    private var end = Self.none
    private var free = Self.none
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// The element that arrived first.
    var first: Element? { start == Self.none ? nil : nodes[start].element }

    /// Adds an element at the end.
    ///
    /// - Complexity: O(1), amortised.
    mutating func append(_ element: Element) -> Place {
        let node = Node(element: element, previous: end, next: Self.none)
        let index: Int
        if free == Self.none {
            index = nodes.count
            nodes.append(node)
        } else {
            index = free
            free = nodes[index].next
            nodes[index] = node
        }
        if end == Self.none { start = index } else { nodes[end].next = index }
        end = index
        count += 1
        return Place(index: index)
    }

    /// Takes out the element at a place.
    ///
    /// - Precondition: It has not left.
    /// - Complexity: O(1).
    mutating func remove(_ place: Place) {
        let node = nodes[place.index]
        if node.previous == Self.none {
            start = node.next
        } else {
            nodes[node.previous].next = node.next
        }
        if node.next == Self.none {
            end = node.previous
        } else {
            nodes[node.next].previous = node.previous
        }
        nodes[place.index] = Node(element: nil, previous: Self.none, next: free)
        free = place.index
        count -= 1
    }
}

extension ArrivalList: Sequence {
    /// Visits the elements in the order of their arrival.
    func makeIterator() -> AnyIterator<Element> {
        var next = start
        return AnyIterator {
            guard next != Self.none else { return nil }
            defer { next = nodes[next].next }
            return nodes[next].element
        }
    }
}
