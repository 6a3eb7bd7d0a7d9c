// SPDX-License-Identifier: MIT

/// What the program was called with: a command, then `--name value` or `--name`.
struct Arguments {
    let command: String
    private var values: [String: String] = [:]

    init(_ words: some Sequence<String>) {
        var words = Array(words)
        command = words.isEmpty ? "" : words.removeFirst()
        var index = 0
        while index < words.count {
            let name = words[index].trimmingPrefix("--")
            let hasValue = index + 1 < words.count && !words[index + 1].hasPrefix("--")
            values[String(name)] = hasValue ? words[index + 1] : ""
            index += hasValue ? 2 : 1
        }
    }

    func has(_ name: String) -> Bool { values[name] != nil }
    func text(_ name: String) -> String? { values[name] }
    func number(_ name: String, _ otherwise: Int) -> Int {
        values[name].flatMap { Int($0) } ?? otherwise
    }

    var seed: UInt64 { values["seed"].flatMap { UInt64($0) } ?? 1 }
    /// What all histories are to be about.
    var interest: Generator.Interest? {
        values["about"].flatMap(Generator.Interest.init(rawValue:))
    }

    var mode: Trial.Mode {
        #if ONWARD_SCHEDULED
        values["mode"].flatMap { Trial.Mode(rawValue: $0) } ?? .scheduled
        #else
        .threads
        #endif
    }
}
