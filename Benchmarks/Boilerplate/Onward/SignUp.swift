// SPDX-License-Identifier: MIT

import Onward

enum Plan: String, Codable { case free, paid }
struct SignUp: Equatable, Editable {
    var name = ""
    var mail = ""
    var age: Int?
    var plan = Plan.free
    var wantsNews = false
    var note = ""
    var isSending = false
    var problem: String?
    static let fields = Fields<SignUp>(\.name, \.mail, \.age, \.plan, \.wantsNews, \.note)

    var isValid: Bool { !name.isEmpty && mail.contains("@") }
}
struct Send: Action {}
struct Sent: Action, Equatable { var problem: String? }

func signUp(_ register: @escaping @Sendable (SignUp) async throws -> Void) -> Feature<SignUp> {
    Feature {
        Edits()
        Reduce { (form, _: Send) in form.isSending = form.isValid }
        Reduce { (form, sent: Sent) in (form.isSending, form.problem) = (false, sent.problem) }
        While(\.isSending) { _, context in
            var sent = Sent()
            do { try await register(context.current) } catch { sent.problem = "\(error)" }
            context.dispatch(sent)
        }
    }
}
