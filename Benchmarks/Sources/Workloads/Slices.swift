// SPDX-License-Identifier: MIT

import Onward

struct Item: Sendable, Identifiable {
    let id: Int
    var isDone = false
    var title = "A row"
}

struct ListState: Sendable {
    var items = (0..<10_000).map { Item(id: $0) }
}

enum ListAction: Action { case toggle(Int) }

@inline(never)
func reduceList(_ items: inout [Item], _ action: ListAction) {
    switch action {
    case .toggle(let index): items[index].isDone.toggle()
    }
}

/// Twenty slices, each with an action type and a reducer of its own.
struct Slices: Sendable {
    var s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0, s8 = 0, s9 = 0
    var s10 = 0, s11 = 0, s12 = 0, s13 = 0, s14 = 0, s15 = 0, s16 = 0, s17 = 0, s18 = 0, s19 = 0
}

/// One action type per slice number, without writing twenty enums.
protocol Number: Sendable {}
enum N0: Number {}
enum N1: Number {}
enum N2: Number {}
enum N3: Number {}
enum N4: Number {}
enum Tens<Ones: Number>: Number {}
enum Twenties<Ones: Number>: Number {}
enum Thirties<Ones: Number>: Number {}

enum SliceAction<N: Number>: Action { case increment }

@inline(never)
func reduceSlice<N: Number>(_ slice: inout Int, _ action: SliceAction<N>) {
    switch action {
    case .increment: slice &+= 1
    }
}

func slice<N: Number>(_ number: N.Type) -> Feature<Int> {
    Feature { Reduce { (slice: inout Int, action: SliceAction<N>) in slice &+= 1 } }
}

extension Workload {
    static let rowOfArray = Workload(
        "W3", "toggle one of 10,000 rows of an array", budget: "≤ 3 × limit",
        limit: {
            let limit = Limit(ListState())
            return { count in
                for index in 0..<count {
                    limit.withState { reduceList(&$0.items, .toggle(index % 10_000)) }
                }
            }
        }
    ) {
        let store = Store(ListState()) {
            Scope(
                \.items,
                Feature<[Item]> {
                    Reduce { (items: inout [Item], action: ListAction) in
                        reduceList(&items, action)
                    }
                })
        }
        return { count in
            for index in 0..<count { store.dispatch(ListAction.toggle(index % 10_000)) }
        }
    }

    static let lastOfTwentySlices = Workload(
        "W5", "20 slices with 20 reducers, the last one handles", budget: "≤ 2 × W1",
        limit: {
            // The last reducer alone, as if the others were known not to handle the action.
            let limit = Limit(Slices())
            return { count in
                for _ in 0..<count {
                    limit.withState { reduceSlice(&$0.s19, SliceAction<Thirties<N4>>.increment) }
                }
            }
        }
    ) {
        let store = Store(Slices()) {
            Scope(\.s0, slice(N0.self))
            Scope(\.s1, slice(N1.self))
            Scope(\.s2, slice(N2.self))
            Scope(\.s3, slice(N3.self))
            Scope(\.s4, slice(N4.self))
            Scope(\.s5, slice(Tens<N0>.self))
            Scope(\.s6, slice(Tens<N1>.self))
            Scope(\.s7, slice(Tens<N2>.self))
            Scope(\.s8, slice(Tens<N3>.self))
            Scope(\.s9, slice(Tens<N4>.self))
            Scope(\.s10, slice(Twenties<N0>.self))
            Scope(\.s11, slice(Twenties<N1>.self))
            Scope(\.s12, slice(Twenties<N2>.self))
            Scope(\.s13, slice(Twenties<N3>.self))
            Scope(\.s14, slice(Twenties<N4>.self))
            Scope(\.s15, slice(Thirties<N0>.self))
            Scope(\.s16, slice(Thirties<N1>.self))
            Scope(\.s17, slice(Thirties<N2>.self))
            Scope(\.s18, slice(Thirties<N3>.self))
            Scope(\.s19, slice(Thirties<N4>.self))
        }
        return { count in
            for _ in 0..<count { store.dispatch(SliceAction<Thirties<N4>>.increment) }
        }
    }
}
