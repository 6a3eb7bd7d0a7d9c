// SPDX-License-Identifier: MIT

import Mustache
import Onward
public import OnwardServer
public import OnwardSync
public import ToDoShared
import ToDoTasks

extension PageServer<SharedList> {
    /// The list that everybody shares on a web server: as a page, and for clients that have it as a store.
    ///
    /// - Parameters:
    ///   - hosting: The store.
    ///   - step: What decides what clients propose to it.
    ///   - options: Where to serve it.
    /// - Returns: A server that is ready to run.
    /// - Throws: The parser's error when a template has a mistake.
    public static func sharedList(
        hosting: Hosting<SharedList>, in step: SyncServer<SharedList>,
        options: ServerOptions = ServerOptions()
    ) throws -> PageServer<SharedList> {
        PageServer(
            try .sharedList(), hosting: hosting, assets: .look, endpoints: [.sync(step)],
            options: options)
    }
}

extension Page<SharedList> {
    /// The list as a page: what a client in step can do, a visitor can do.
    fileprivate static func sharedList() throws -> Page<SharedList> {
        let sources = [
            "layout": PackageResources.shared_mustache,
            "top": PackageResources.shared_top_mustache,
            "task": PackageResources.shared_task_mustache,
            "stage": PackageResources.stage_mustache,
        ]
        let templates = MustacheLibrary(
            templates: try sources.mapValues {
                try MustacheTemplate(string: String(decoding: $0, as: UTF8.self))
            })
        return try Page(title: "To-do", templates: templates, accepts: [TaskAction.self]) { list in
            [
                Fragment("top", model: SharedTopView(list)),
                Fragment("tasks", template: "task", rows: list.tasks, model: SharedTaskView.init),
                Fragment("stage", model: SharedStageView(list)),
            ]
        }
        .admitting(TaskAction.self) { action, _, list in
            do throws(TaskRefusal) {
                try list.tasks.check(action)
            } catch {
                return .refuse(error.sentence, field: action.name == nil ? nil : "name")
            }
            return .dispatch(action)
        }
    }
}
