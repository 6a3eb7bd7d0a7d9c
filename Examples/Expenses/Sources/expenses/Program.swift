// SPDX-License-Identifier: MIT

import ArgumentParser
import ExpensesCore
import ExpensesPage
import Foundation
import Logging
import Onward
import OnwardInspector
import OnwardJournal
import OnwardReports
import OnwardSQLite
import OnwardServer

/// Expenses in the browser and on the command line, of one ledger in one file.
@main struct Program: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "expenses", abstract: "What was spent, and what may be.",
        subcommands: [
            Serve.self, Add.self, List.self, Total.self, Undo.self, AddSamples.self,
            WriteReport.self, ReplayReport.self,
        ],
        defaultSubcommand: Serve.self)
}

/// Serves the page until it is interrupted.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Serves the page, at 127.0.0.1.")

    @OptionGroup var place: Place

    @Option(help: "The port to serve on, at 127.0.0.1; 0 takes any free one.")
    var port: UInt16 = 8080

    @Option(help: "A port for time travel through the ledger, at 127.0.0.1; 0 takes any free one.")
    var inspector: UInt16?

    func run() async throws {
        var options = ServerOptions(port: Int(port))
        options.logger.logLevel = .warning
        options.cookieName = "expenses-\(port)"  // Browsers send cookies to all ports of a host.
        options.onListening = { port in
            print("http://127.0.0.1:\(port)")
            fflush(nil)  // A program that started us through a pipe waits for this line.
        }
        let serving = options
        try await place.open { kept, journal in
            do {
                let report = { @Sendable in
                    try await kept.flush()
                    return try await Report.ledger(of: kept.store, in: journal)
                }
                let server = try PageServer.expenses(
                    hosting: .shared(kept), report: report, options: serving)
                guard let port = self.inspector else { return try await server.run() }
                let inspector = Inspector()
                inspector.attach(kept.store, as: "expenses")
                try await inspector.run(at: Int(port), beside: server) { address in
                    print("inspector \(address)")
                    fflush(nil)
                }
            } catch let error as ServerError where error.code == .addressInUse {
                let option = error.port == Int(self.port) ? "--port" : "--inspector"
                throw Refusal(
                    description: "Port \(error.port) is in use; choose another one with \(option).")
            }
        }
    }
}

/// Adds an expense.
struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Adds an expense.")

    @OptionGroup var place: Place
    @Argument(help: "How much it was, such as 12.50.") var amount: String
    @Argument(help: "Who was paid.") var payee: String
    @Option(name: [.customLong("for")], help: "The category.") var category = "food"
    @Option(help: "The day, such as 2026-11-03; today by default.") var day: String?

    func run() async throws {
        let day = day ?? Self.today()
        try await place.open { kept, _ in
            try await kept.take(.add(payee: payee, amount: amount, category: category, day: day))
            await kept.store.waitUntilIdle()
            print("Added. \(kept.summary)")
        }
    }

    private static func today() -> String {
        let parts = Calendar(identifier: .gregorian)
            .dateComponents([.year, .month, .day], from: Date())
        return [parts.year, parts.month, parts.day].map { number in
            let text = String(number ?? 0)
            return text.count < 2 ? "0" + text : text
        }.joined(separator: "-")
    }
}

/// Lists expenses.
struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Lists expenses, the newest first.")

    @OptionGroup var place: Place
    @OptionGroup var wanted: Wanted
    @Option(help: "How many at most.") var limit = 20

    func run() async throws {
        let query = try wanted.query()
        try await place.open { kept, _ in
            let rows = kept.store.value(of: .selector(found(query)))
            for expense in rows.prefix(max(limit, 0)) {
                print(
                    "\(expense.day)  \(expense.amount)  \(expense.payee) (\(expense.category.name))"
                )
            }
            if rows.count > limit { print("and \(rows.count - limit) more") }
        }
    }
}

/// Says what was spent.
struct Total: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Says what was spent, and which budgets are exceeded.")

    @OptionGroup var place: Place
    @OptionGroup var wanted: Wanted

    func run() async throws {
        let query = try wanted.query()
        try await place.open { kept, _ in
            print(Money(cents: kept.store.value(of: .selector(foundTotal(query)))))
            for category in kept.store.value(of: .selector(exceeded)).map(\.name).sorted() {
                print("over budget: \(category)")
            }
        }
    }
}

/// Takes the last change back.
struct Undo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Takes the last change back, whoever made it, in the browser or here.")

    @OptionGroup var place: Place

    func run() async throws {
        try await place.open { kept, _ in
            guard let undo = kept.store.state.undo.undo else {
                throw Refusal(description: "There is nothing to undo.")
            }
            try await kept.dispatch(undo)
            print("Undone. \(kept.summary)")
        }
    }
}

/// Adds made-up expenses.
struct AddSamples: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "samples", abstract: "Adds made-up expenses, to try the app.")

    @OptionGroup var place: Place
    @Argument(help: "How many.") var count = 50_000
    @Option(help: "The same seed makes the same ones.") var seed: UInt64 = 1

    func run() async throws {
        try await place.open { kept, _ in
            try await kept.take(.addSamples(count: count, seed: seed))
            print(kept.summary)
        }
    }
}

/// Writes a report.
struct WriteReport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Writes what happened to the ledger into a file, without who was paid.")

    @OptionGroup var place: Place
    @Argument(help: "The file, such as problem.onwardreport.") var file: String

    func run() async throws {
        try await place.open { kept, journal in
            let report = try await Report.ledger(of: kept.store, in: journal)
            try report.write(to: file)
            let count = report.entries.count
            print("\(count) \(count == 1 ? "change" : "changes") in \(file).")
        }
    }
}

/// Runs a report again.
struct ReplayReport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Runs what a report has again: what was there after each change, or without some."
    )

    @Argument(help: "The report.") var file: String
    @Option(help: "The number of a change that is left out, as if it had never been made.")
    var without: [Int] = []

    func run() throws {
        let session = try Report(contentsOf: file).replayed(in: expensesReducers)
        let (store, history) = (session.store, session.history)
        for number in without {
            guard history.log.index(of: number) != nil else {
                throw ValidationError("There is no change \(number) in \(file).")
            }
            history.toggle(number)
        }
        for (index, change) in history.log.staged.enumerated() where !without.contains(change.id) {
            history.jump(to: index + 1)
            print("\(change.id)  \(change.action.wireName)  \(store.summary)")
        }
    }
}

/// Which expenses are wanted.
struct Wanted: ParsableArguments {
    @Option(name: [.customLong("for")], help: "A category.") var category: String?
    @Option(help: "A month, such as 2026-11.") var month: String?
    @Option(help: "A part of the payee's name.") var payee = ""

    func query() throws -> Query {
        let kind = category.flatMap(ExpensesCore.Category.init)
        if category != nil, kind == nil {
            let all = ExpensesCore.Category.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("There is no such category. There are \(all).")
        }
        let time = month.flatMap(Month.init)
        if month != nil, time == nil { throw ValidationError("A month is written as 2026-11.") }
        return Query(text: payee, category: kind, month: time)
    }
}

/// Why something isn't done, in one sentence.
struct Refusal: Error, CustomStringConvertible {
    let description: String
}
