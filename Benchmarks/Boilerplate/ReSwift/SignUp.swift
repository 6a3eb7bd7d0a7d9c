// SPDX-License-Identifier: MIT

import ReSwift
import ReSwiftThunk

enum Plan: String { case free, paid }
struct SignUp: Equatable {
    var name = ""
    var mail = ""
    var age: Int?
    var plan = Plan.free
    var wantsNews = false
    var note = ""
    var isSending = false
    var problem: String?

    var isValid: Bool { !name.isEmpty && mail.contains("@") }
}
enum SignUpAction: Action {
    case name(String), mail(String), age(Int?), plan(Plan), wantsNews(Bool), note(String)
    case send, sent(problem: String?)
}

func signUp(action: Action, state: SignUp?) -> SignUp {
    var state = state ?? SignUp()
    switch action as? SignUpAction {
    case .name(let name): state.name = name
    case .mail(let mail): state.mail = mail
    case .age(let age): state.age = age
    case .plan(let plan): state.plan = plan
    case .wantsNews(let wantsNews): state.wantsNews = wantsNews
    case .note(let note): state.note = note
    case .send: state.isSending = true
    case .sent(let problem): (state.isSending, state.problem) = (false, problem)
    case nil: break
    }
    return state
}

func send(_ register: @escaping (SignUp) async throws -> Void) -> Thunk<SignUp> {
    Thunk { dispatch, getState in
        guard let form = getState(), form.isValid else { return }
        dispatch(SignUpAction.send)
        Task { @MainActor in
            var problem: String?
            do { try await register(form) } catch { problem = "\(error)" }
            dispatch(SignUpAction.sent(problem: problem))
        }
    }
}
