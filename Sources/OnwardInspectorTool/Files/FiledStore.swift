// SPDX-License-Identifier: MIT
#if All

internal import Onward
internal import OnwardInspection
internal import OnwardInspector

/// The log of a file in place of a store: it allows travelling, and nothing else.
final class FiledStore: InspectedStore {
    private let filed: Guarded<FiledLog>

    init(_ log: FiledLog) { filed = Guarded(log) }

    var log: any InspectedLog { filed.withValue { $0 } }
    var summary: LogSummary { filed.withValue { $0 }.summary }
    var actionNames: [String] { [] }

    func perform(_ command: InspectorCommand) throws(InspectorError) {
        let log = filed.withValue { $0 }
        let moment: Int?
        switch command {
        case .jump(let index): moment = index
        case .show(let entry): moment = log.moment(after: entry)
        case .step(let distance):
            let (index, isOutside) = log.cursor.addingReportingOverflow(distance)
            moment = isOutside ? nil : index
        case .live: moment = log.summary.count
        default:
            throw InspectorError(
                .refused, "This is a file: it can be looked at, but nothing runs in it.")
        }
        guard let moment, (0...log.summary.count).contains(moment) else {
            throw InspectorError(.missing, "There is no such moment.")
        }
        filed.withValue { $0.cursor = moment }
    }

    func file() throws(InspectorError) -> [UInt8] {
        throw InspectorError(.refused, "This is a file already.")
    }

    func load(_ file: [UInt8]) throws(InspectorError) {
        throw InspectorError(
            .refused, "A file can't be taken in here. Open it with onward inspector.")
    }
}
#endif
