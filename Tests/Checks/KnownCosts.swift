// SPDX-License-Identifier: MIT
//
// What `scripts/count-instructions --self-test` counts: workloads of known cost, started like the
// benchmarks' executable with a workload's name and a number of repetitions.

final class Box {
    let value: Int

    init(_ value: Int) {
        self.value = value
    }
}

// Never inlined, so that the optimiser removes neither the additions nor the allocations.
@inline(never) func add(_ value: Int, to sum: inout Int) {
    sum &+= value
}

@inline(never) func makeBox(_ value: Int) -> Box {
    Box(value)
}

func repeatWorkload(_ name: String, times: Int) -> Int? {
    var sum = 0
    switch name {
    case "add":
        for n in 0..<times { add(n, to: &sum) }
    case "add-ten":
        for n in 0..<times {
            for _ in 0..<10 { add(n, to: &sum) }
        }
    case "allocate":
        for n in 0..<times { add(makeBox(n).value, to: &sum) }
    case "allocate-three":
        for n in 0..<times {
            for _ in 0..<3 { add(makeBox(n).value, to: &sum) }
        }
    default:
        return nil
    }
    return sum
}

let arguments = CommandLine.arguments
guard arguments.count == 3, let times = Int(arguments[2]),
    let sum = repeatWorkload(arguments[1], times: times)
else {
    fatalError("usage: KnownCosts add|add-ten|allocate|allocate-three N")
}
print(sum)
