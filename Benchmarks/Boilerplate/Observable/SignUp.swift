// SPDX-License-Identifier: MIT

import Observation

enum Plan: String { case free, paid }
@MainActor @Observable final class SignUp {
    var name = ""
    var mail = ""
    var age: Int?
    var plan = Plan.free
    var wantsNews = false
    var note = ""
    private(set) var isSending = false
    private(set) var problem: String?
    private let register: (SignUp) async throws -> Void

    init(register: @escaping (SignUp) async throws -> Void) { self.register = register }

    var isValid: Bool { !name.isEmpty && mail.contains("@") }

    func send() async {
        guard isValid else { return }
        isSending = true
        problem = nil
        do { try await register(self) } catch { problem = "\(error)" }
        isSending = false
    }
}
