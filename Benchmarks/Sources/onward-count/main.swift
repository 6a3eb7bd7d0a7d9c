// SPDX-License-Identifier: MIT

// Performs a workload a number of times and nothing else, so that a profiler can count what one
// operation costs: `onward-count W1 100000`, or `onward-count W1-limit 100000` for its limit.

import Workloads

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

let arguments = CommandLine.arguments
guard arguments.count == 3, let count = Int(arguments[2]), count > 0 else {
    print("usage: onward-count WORKLOAD[-limit] COUNT")
    exit(2)
}
let name = arguments[1].split(separator: "-")
guard let workload = Workload.all.first(where: { $0.name == name[0] }) else {
    print("onward-count: no workload \(name[0]); there are", Workload.all.map(\.name))
    exit(2)
}
let run = name.count > 1 ? workload.prepareLimit?() : workload.prepare()
guard let run else {
    print("onward-count: \(name[0]) has no limit")
    exit(2)
}
run(count)
