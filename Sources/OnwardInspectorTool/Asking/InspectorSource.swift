// SPDX-License-Identifier: MIT
#if All

internal import Onward
internal import OnwardInspection
internal import OnwardInspector
internal import OnwardJournal

/// Where the queries of a tool are answered: a running inspector, or a file.
protocol InspectorSource: Sendable {
    /// The answer of the interface for programs.
    ///
    /// - Throws: ``SourceProblem``.
    func ask(_ request: InspectorRequest) async throws(SourceProblem) -> DataValue
}

/// Why there is no answer.
struct SourceProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of problem it is.
    enum Code: Sendable, Hashable {
        /// The inspector reports that there is no such thing, or that it can't do this.
        case refused
        /// Nothing answers at the address, or not an inspector; or the file can't be read.
        case unreachable
        /// The access token is missing or wrong.
        case noAccess
    }

    let code: Code
    let description: String

    init(_ code: Code, _ description: String) {
        (self.code, self.description) = (code, description)
    }

    /// The exit code of a command that fails with it.
    var exitCode: Int32 {
        switch code {
        case .refused: 1
        case .unreachable: 2
        case .noAccess: 3
        }
    }
}

/// An inspector in this process, such as one with files in place of stores.
struct OwnSource: InspectorSource {
    private let interface: InspectorInterface

    init(_ inspector: Inspector) { interface = inspector.interface }

    /// The log of a file.
    init(_ log: FiledLog, named name: String) {
        let inspector = Inspector()
        inspector.show(FiledStore(log), as: name)
        self.init(inspector)
    }

    func ask(_ request: InspectorRequest) async throws(SourceProblem) -> DataValue {
        let answer = await interface.answer(request)
        return try InspectorAnswer.value(of: answer.bytes, status: answer.status)
    }
}

/// The answer of an inspector, or why there is none.
enum InspectorAnswer {
    /// The limits for reading an answer.
    static let limits = DataLimits(bytes: 64 << 20, depth: 128, elements: 5_000_000)

    static func value(of bytes: [UInt8], status: Int) throws(SourceProblem) -> DataValue {
        guard status != 401 else {
            throw SourceProblem(
                .noAccess,
                "The inspector asks for its access token. Give it with --token, or in ONWARD_INSPECTOR_TOKEN."
            )
        }
        guard let value = try? DataFormat.json.value(of: bytes, limits: limits),
            let schema = value["schema"]?.integer(as: Int.self)
        else {
            throw SourceProblem(
                .unreachable, "What answers is no inspector of Onward (status \(status)).")
        }
        guard schema == InspectorInterface.schema else {
            throw SourceProblem(
                .unreachable,
                "The inspector speaks version \(schema) of the interface, this tool speaks version \(InspectorInterface.schema)."
            )
        }
        guard (200..<300).contains(status) else {
            throw SourceProblem(
                .refused, value["message"]?.text ?? "The inspector refuses (status \(status)).")
        }
        return value
    }
}
#endif
