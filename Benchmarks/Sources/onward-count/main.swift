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
let isLimit = arguments[1].hasSuffix("-limit")
let name = isLimit ? String(arguments[1].dropLast("-limit".count)) : arguments[1]
guard let workload = Workload.all.first(where: { $0.name == name }) else {
    print("onward-count: no workload \(name); there are", Workload.all.map(\.name))
    exit(2)
}
let run = isLimit ? workload.prepareLimit?() : workload.prepare()
guard let run else {
    print("onward-count: \(name) has no limit")
    exit(2)
}
run(count)
