// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import Foundation
import ReSwift

struct SetRepositories: Action { let response: Response<[Repository]> }

struct AddBookmark: StandardActionConvertible { // difficulty: standard-action
    let name: String

    init(name: String) { self.name = name }

    init(_ standardAction: StandardAction) { // difficulty: standard-action
        name = standardAction.payload?["name"] as? String ?? ""
    }

    func toStandardAction() -> StandardAction { // difficulty: standard-action
        return StandardAction(type: "ADD", payload: ["name": name as AnyObject]) // difficulty: standard-action
    }
}

func fetchRepositories(state: State, store: Store<State>) -> Action? {
    guard case .loading? = state.repositories else { return nil }
    URLSession.shared.dataTask(with: URL(string: "https://api.example.com")!) { data, _, _ in
        let list = data.map(parse) ?? []
        store.dispatch(SetRepositories(response: .value(list))) // difficulty: background-dispatch
    }.resume()
    return nil
}

func fetchOnMain(state: State, store: Store<State>) -> Action? {
    URLSession.shared.dataTask(with: URL(string: "https://api.example.com")!) { data, _, _ in
        let list = data.map(parse) ?? []
        DispatchQueue.main.async {
            store.dispatch(SetRepositories(response: .value(list)))
        }
    }.resume()
    return SetRepositories(response: .loading)
}
