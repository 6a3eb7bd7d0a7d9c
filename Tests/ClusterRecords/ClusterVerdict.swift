// SPDX-License-Identifier: MIT

import Onward
import OnwardCluster
package import OnwardJournal

/// Whether a cluster has kept its promises, by its clients' records and its logs.
///
/// It knows requests by the lines that they add, of which no two are the same, and folds the logs itself: it uses nothing
/// that the cluster has decided with.
package struct ClusterVerdict: Sendable {
    /// What is wrong, in sentences.
    package private(set) var faults: [String] = []
    package private(set) var accepted = 0
    package private(set) var unanswered = 0
    package private(set) var seen = 0
    package private(set) var claims = 0
    /// How often a node's last word was compared.
    package private(set) var replicas = 0

    /// Compares what clients say with the logs of the stores that they name.
    package init(of records: [ClusterRecord], _ logs: [String: [JournalEntry]]) {
        let byStore = Dictionary(grouping: records, by: \.store)
        for (store, log) in logs.sorted(by: { $0.key < $1.key }) {
            checkOrder(of: log, store)
            guard let lines = lines(of: log, store) else { continue }
            check(byStore[store] ?? [], lines, store)
        }
        for store in byStore.keys.sorted() where logs[store] == nil {
            faults.append("\(store) has no log")
        }
    }

    /// The lines of a log: each with its version, and what a store shows that has it last.
    private struct Fold {
        var versions: [String: CommitVersion] = [:]
        var inOrder: [CommitVersion] = []
        var prefixes = [Lines()]
    }

    private mutating func checkOrder(of log: [JournalEntry], _ store: String) {
        if log.map(\.version) != log.indices.map({ CommitVersion($0 + 1) }) {
            faults.append("\(store): the versions have a gap")
        }
        for (before, after) in zip(log, log.dropFirst()) where before.epoch > after.epoch {
            faults.append(
                "\(store): entry \(after.version) of epoch \(after.epoch) is behind one of epoch \(before.epoch)"
            )
        }
        let owners = Dictionary(grouping: log.compactMap { Ownership($0) }, by: \.epoch)
            .mapValues { Set($0.map(\.node)) }
        for (epoch, nodes) in owners where nodes.count > 1 {
            faults.append("\(store): epoch \(epoch) has \(nodes.count) owners")
        }
        claims += owners.count
    }

    private mutating func lines(of log: [JournalEntry], _ store: String) -> Fold? {
        let codec = JournalCodec(for: Store(Lines()) { Reduce { (_: inout Lines, _: Line) in } })
        var fold = Fold()
        do {
            for entry in try codec.actions.decode(log) {
                guard let line = entry.action as? Line else { continue }
                if fold.versions.updateValue(entry.version, forKey: line.text) != nil {
                    faults.append("\(store): \"\(line.text)\" was done twice")
                }
                fold.inOrder.append(entry.version)
                var lines = fold.prefixes.last ?? Lines()
                lines.add(line.text)
                fold.prefixes.append(lines)
            }
        } catch {
            faults.append("\(store): the log can't be read: \(error)")
            return nil
        }
        return fold
    }

    private mutating func check(_ records: [ClusterRecord], _ fold: Fold, _ store: String) {
        var proposed: Set<String> = []
        for record in records {
            switch record {
            case .proposed(let line, _, let version):
                proposed.insert(line)
                guard let version else {
                    unanswered += 1
                    continue
                }
                accepted += 1
                if fold.versions[line] != version {
                    let found = fold.versions[line].map { "is entry \($0)" } ?? "is in no entry"
                    faults.append("\(store): \"\(line)\" was accepted as \(version), and \(found)")
                }
            case .seen(let lines, _, let node, let version):
                seen += 1
                if !fold.prefixes.indices.contains(lines.count)
                    || fold.prefixes[lines.count] != lines
                {
                    faults.append(
                        "\(store): \(node) showed \(lines.count) lines that the log hasn't")
                }
                let own = version.map { own in fold.inOrder.prefix { $0 <= own }.count } ?? 0
                if lines.count < own {
                    faults.append(
                        "\(store): \(node) showed \(lines.count) lines to somebody who had written line \(own) there"
                    )
                }
            case .last(let lines, _, let node):
                replicas += 1
                if lines != fold.prefixes.last {
                    faults.append(
                        "\(store): \(node) shows \(lines.count) lines in the end, which are not the \(fold.inOrder.count) of the log"
                    )
                }
            }
        }
        for line in fold.versions.keys.sorted() where !proposed.contains(line) {
            faults.append("\(store): nobody has proposed \"\(line)\"")
        }
    }
}
