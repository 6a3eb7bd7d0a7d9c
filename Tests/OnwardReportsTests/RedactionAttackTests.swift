// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardJournal
import Testing

@testable import OnwardReports
@testable import struct TestSupport.SeededGenerator

/// A state with secrets in every kind of place that a type can make.
private struct Clinic: Codable, Sendable {
    /// A text that is known, or any other: an enum with a raw value all the same.
    enum Ward: RawRepresentable, Codable, Sendable, Equatable {
        case north, south
        case other(String)

        init(rawValue: String) {
            self =
                switch rawValue {
                case "north": .north
                case "south": .south
                default: .other(rawValue)
                }
        }

        var rawValue: String {
            switch self {
            case .north: "north"
            case .south: "south"
            case .other(let name): name
            }
        }
    }

    /// Fields under keys that the user has named.
    struct Form: Codable, Sendable {
        enum Key: CodingKey {
            case field(String)

            init?(stringValue: String) { self = .field(stringValue) }
            init?(intValue: Int) { nil }
            var stringValue: String {
                switch self {
                case .field(let name): name
                }
            }
            var intValue: Int? { nil }
        }

        var fields: [String: String] = [:]

        init() {}
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            for key in container.allKeys {
                fields[key.stringValue] = try container.decode(String.self, forKey: key)
            }
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            for (name, value) in fields { try container.encode(value, forKey: .field(name)) }
        }
    }

    struct Visit: Codable, Sendable, Identifiable {
        let id: String
        var note = ""
    }

    struct Patient: Codable, Sendable, Identifiable {
        let id: String
        var name = ""
        var visits: EntityTable<Visit> = []
        var count = 0
    }

    var patients: EntityTable<Patient> = []
    var ward = Ward.north
    var form = Form()
    var remarks: [String: [String: Set<String>]] = [:]
    var files: [String] = []
    var scan = Data()
    var link: URL?
    var error: String?
    @Redacted var pin = 0
    var phone = 0
}

private enum ClinicAction: Action, Codable {
    case admit(id: String, name: String)
    case visit(patient: String, id: String)
    case move(Clinic.Ward)
    case fill(String, with: String)
    case remark(String, on: String, by: String)
    case attach(file: String, Data)
    case open(URL)
    case failed(String)
    case call(pin: Redacted<Int>, phone: Int)
}

private enum PatientAction: Action, Codable { case rename(String) }
private enum VisitAction: Action, Codable { case note(String) }

private let visit = Feature<Clinic.Visit> {
    Reduce { (visit: inout Clinic.Visit, action: VisitAction) in
        switch action {
        case .note(let text): visit.note = text
        }
    }
}

private let patient = Feature<Clinic.Patient> {
    Reduce { (patient: inout Clinic.Patient, action: PatientAction) in
        switch action {
        case .rename(let name): (patient.name, patient.count) = (name, patient.count + 1)
        }
    }
    Scope(each: \.visits, visit)
}

private let clinic = Feature<Clinic> {
    Reduce { (clinic: inout Clinic, action: ClinicAction) in
        switch action {
        case .admit(let id, let name):
            clinic.patients[id: id] = Clinic.Patient(id: id, name: name)
        case .visit(let patient, let id):
            clinic.patients[id: patient]?.visits[id: id] = Clinic.Visit(id: id)
        case .move(let ward): clinic.ward = ward
        case .fill(let field, let text): clinic.form.fields[field] = text
        case .remark(let text, let subject, let author):
            clinic.remarks[subject, default: [:]][author, default: []].insert(text)
        case .attach(let file, let data):
            clinic.files.append(file)
            clinic.scan = data
        case .open(let link): clinic.link = link
        case .failed(let error): clinic.error = error
        case .call(let pin, let phone): (clinic.pin, clinic.phone) = (pin.wrappedValue, phone)
        }
    }
    Scope(each: \.patients, patient)
}

struct RedactionAttackTests {
    private let folder = TemporaryFolder()

    @Test func `an attacker finds none of 1,000 planted secrets, in any place and any encoding`()
        async throws
    {
        var plants = Plants(seed: 1_000)
        var before = Clinic()
        before.ward = .other(plants.word())
        before.form.fields = [plants.word(): plants.word()]
        before.remarks = [plants.word(): [plants.word(): [plants.word(), plants.word()]]]
        before.files = [plants.path()]
        before.scan = Data(plants.word().utf8)
        before.link = plants.link()
        before.error = plants.sentence()
        before.pin = plants.number()
        before.phone = plants.number()
        for _ in 0..<10 {
            let visit = Clinic.Visit(id: plants.link().absoluteString, note: plants.sentence())
            before.patients.append(
                Clinic.Patient(id: plants.mail(), name: plants.word(), visits: [visit]))
        }
        let store = Store(before) { clinic }
        let recorder = try SessionRecorder(store, at: folder.path)
        await recorder.flush()
        while plants.texts.count < 1_000 {
            let (id, link) = (plants.mail(), plants.link().absoluteString)
            store.dispatch(ClinicAction.admit(id: id, name: plants.word()))
            store.dispatch(ClinicAction.visit(patient: id, id: link))
            store.dispatch(PatientAction.rename(plants.word()), to: .row(\.patients, id: id))
            let visit = AddressPath<Clinic.Patient>.row(\.visits, id: link).address
            let place = "\(AddressPath<Clinic>.row(\.patients, id: id).address)/\(visit)"
            store.dispatch(VisitAction.note(plants.sentence()), to: Address(place) ?? .root)
            store.dispatch(ClinicAction.move(.other(plants.word())))
            store.dispatch(ClinicAction.fill(plants.word(), with: plants.word()))
            store.dispatch(ClinicAction.remark(plants.word(), on: plants.word(), by: plants.word()))
            store.dispatch(ClinicAction.attach(file: plants.path(), Data(plants.word().utf8)))
            store.dispatch(ClinicAction.open(plants.link()))
            store.dispatch(ClinicAction.failed(plants.sentence()))
            store.dispatch(
                ClinicAction.call(pin: Redacted(plants.number()), phone: plants.number()))
        }
        let session = try await recorder.session()
        await recorder.stop()
        let redaction = Redaction<Clinic>().hiding(\.phone)
            .hiding(action: "ClinicAction/call", "phone")
            .checking("visits with notes") { clinic in
                clinic.patients.map { $0.visits.count { !$0.note.isEmpty } }
            }
        let report = try session.report(in: clinic, redacting: redaction)
        // The stand-ins lead through the same rows, so nothing was lost on the way either.
        #expect(report.redaction?.course == .same)
        let sent = Searched(Data(try report.bytes()) + Data(report.text(lines: .max).utf8))
        let kept = Searched(Data(try session.unredacted.bytes()))
        for secret in plants.texts {
            #expect(!Plants.encodings(of: secret).contains(where: sent.contains), "\(secret)")
            // What is searched for has been there.
            #expect(kept.contains(Data(secret.utf8)), "\(secret)")
        }
        for number in plants.numbers {
            #expect(!Plants.encodings(of: number).contains(where: sent.contains), "\(number)")
        }
    }

    @Test func `the search finds what is planted, in each encoding`() {
        var plants = Plants(seed: 2)
        let secret = plants.word()
        for form in Plants.encodings(of: secret) {
            #expect(Searched(Data([1, 2, 3]) + form + Data([4])).contains(form))
            #expect(!Searched(Data([1, 2, 3]) + form.dropLast() + Data([4])).contains(form))
        }
        for before in ["", "x", "xx"] {
            let base = Searched(Data("\(before)\(secret)yy".utf8).base64EncodedData())
            #expect(Plants.encodings(of: secret).contains(where: base.contains))
        }
    }

    @Test func `a row keeps its id where that may leave the device, and has a stand-in where not`()
        async throws
    {
        struct Row: Codable, Sendable, Identifiable {
            let id: Int
            var name: String
            var count = 0
        }
        struct Rows: Codable, Sendable {
            var numbered: EntityTable<Row> = [Row(id: 490_171, name: "Emma")]
            var named: EntityTable<Clinic.Patient> = [Clinic.Patient(id: "Emma")]
        }
        enum Count: Action, Codable { case up }
        let rows = Feature<Rows> {
            Scope(
                each: \.numbered,
                Feature<Row> { Reduce { (row: inout Row, _: Count) in row.count += 1 } })
            Scope(
                each: \.named,
                Feature<Clinic.Patient> {
                    Reduce { (row: inout Clinic.Patient, _: Count) in row.count += 1 }
                })
        }
        let store = Store(Rows()) { rows }
        let recorder = try SessionRecorder(store, at: folder.path)
        await recorder.flush()
        store.dispatch(Count.up, to: .row(\.numbered, id: 490_171))
        store.dispatch(Count.up, to: .row(\.named, id: "Emma"))
        let session = try await recorder.session()
        let counts: @Sendable (Rows) -> [Int] = { $0.numbered.map(\.count) + $0.named.map(\.count) }
        func addresses(_ redaction: Redaction<Rows>) throws -> [String] {
            let report = try session.report(
                in: rows, redacting: redaction.checking("counts", counts))
            #expect(report.redaction?.course == .same)
            return report.entries.map(\.address.description)
        }
        let usual = try addresses(Redaction())
        #expect(usual[0] == "numbered/#490171")
        #expect(usual[1] != "named/#Emma")
        let hidden = try addresses(Redaction().hiding(state: "numbered.*.id"))
        #expect(hidden[0] != "numbered/#490171")
        let allowed = try addresses(Redaction().allowing(state: "named.*.id"))
        #expect(allowed[1] == "named/#Emma")
    }

    @Test func `however much a state grows, some 8 MiB of it are hashed`() {
        for growth in [0, 100, 5_000] {
            var spacing = HashSpacing(count: 40_000)
            var (bytes, hashes, digests, last) = (0, 0, 0, -1)
            for index in 0..<40_000 where spacing.isDue(index) {
                let size = 100 + index * growth
                if spacing.note(index, size) { digests += 1 }
                (bytes, hashes, last) = (bytes + size, hashes + 1, index)
            }
            #expect(last == 39_999)
            #expect(bytes < 8 << 20 + 2 * (100 + 40_000 * growth))
            #expect(growth > 0 || (hashes == 40_000 && digests == 400))
            #expect(hashes > 3 && digests > 0 && digests <= 401)
        }
    }
}

/// Bytes in which something is looked for very often.
private struct Searched {
    private let data: Data
    /// All that stands in any eight bytes in a row.
    private var windows: Set<UInt64> = []

    init(_ data: Data) {
        self.data = data
        var window: UInt64 = 0
        for (index, byte) in data.enumerated() {
            window = window << 8 | UInt64(byte)
            if index >= 7 { windows.insert(window) }
        }
    }

    func contains(_ form: Data) -> Bool {
        guard form.count >= 8 else { return data.range(of: form) != nil }
        let start = form.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return windows.contains(start) && data.range(of: form) != nil
    }
}

/// Secrets, and how an attacker looks for them.
private struct Plants {
    private var generator: SeededGenerator
    private(set) var texts: [String] = []
    private(set) var numbers: [Int] = []

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func word() -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789äß")
        let word = String((0..<12).map { _ in letters.randomElement(using: &generator) ?? "x" })
        texts.append(word)
        return word
    }

    /// A word of ASCII, for places that have no other.
    private mutating func name() -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        let word = String((0..<14).map { _ in letters.randomElement(using: &generator) ?? "x" })
        texts.append(word)
        return word
    }

    mutating func mail() -> String { "\(name())@example.org" }
    mutating func link() -> URL {
        URL(string: "https://example.org/\(name())/?q=1") ?? URL(fileURLWithPath: "/")
    }
    mutating func path() -> String { "/home/\(word())/scan of today.png" }
    mutating func sentence() -> String { "no account \(word()), at 7" }

    mutating func number() -> Int {
        numbers.append(.random(in: 1 << 40..<1 << 50, using: &generator))
        return numbers[numbers.count - 1]
    }

    static func encodings(of number: Int) -> [Data] {
        let big = withUnsafeBytes(of: UInt64(number).bigEndian) { Data($0) }
        return [
            Data("\(number)".utf8), Data(String(number, radix: 16).utf8), big, Data(big.reversed()),
        ]
    }

    /// A text as an attacker may look for it.
    static func encodings(of text: String) -> [Data] {
        let utf8 = Data(text.utf8)
        var forms = [utf8, Data(text.utf8.reversed())]
        for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian, .isoLatin1] {
            if let data = text.data(using: encoding) { forms.append(data) }
        }
        let hexadecimal = utf8.map { String(format: "%02x", $0) }.joined()
        forms += [Data(hexadecimal.utf8), Data(hexadecimal.uppercased().utf8)]
        forms.append(
            Data((text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text).utf8))
        // Base 64 at each of three alignments, without the characters that depend on neighbours.
        for shift in 0..<3 {
            let padded = Data(repeating: 0, count: shift) + utf8
            let base = padded.base64EncodedString()
            forms.append(Data(base.dropFirst(shift == 0 ? 0 : 4).dropLast(4).utf8))
        }
        forms += [Data(text.lowercased().utf8), Data(text.uppercased().utf8)]
        // The hash that the library has at hand.
        let hash = DataValue.text(text).hash
        withUnsafeBytes(of: hash.bigEndian) { forms.append(Data($0)) }
        return forms
    }
}
