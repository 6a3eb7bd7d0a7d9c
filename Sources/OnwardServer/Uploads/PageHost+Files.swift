// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import Hummingbird

extension PageHost {
    /// Accepts an action with files: a post of the type `multipart/form-data`.
    ///
    /// It is checked like any other before a byte is kept. Whatever then is wrong, the rest of the
    /// body is read and forgotten, since browsers don't look at an answer before they have sent
    /// everything.
    func takeFiles(
        _ request: Request, _ boundary: String, _ context: PageContext
    ) async throws -> Response {
        guard let uploads = options.uploads else {
            var rejection = Rejection.takesNoFiles
            rejection.reason = """
                A form sent files, which this server doesn't take. To fix this, set ServerOptions.uploads.
                """
            throw rejection
        }
        var body = FormBody(request, limit: Self.forgottenLimit)
        guard body.fits else { throw Rejection.tooLarge(Self.forgottenLimit) }
        let caller = caller(of: request, tag: request.headers[.onwardVisit], context)
        let visit: Visit<State>
        do {
            visit = try await visitors.takePost(of: caller)
        } catch {
            await body.forget()
            throw error
        }
        do {
            let number = try request.postNumber()
            if let number { try await visit.session.postHandler.checkOrder(of: number) }
            var reader = FormReader(
                boundary: boundary, uploads: uploads, limits: options.limits.uploads,
                owner: .init(visitor: visit.visitor, address: caller.address),
                isScripted: request.asksForJSON)
            let form = try await read(&body, by: &reader)
            let (post, outcome) = try await handle(
                form, of: uploads, number: number, from: request, visit)
            let response = try await respond(outcome, post, to: request, visit)
            try await visit.session.reachLevel()
            return response
        } catch let rejection as Rejection {
            await body.forget()
            return try await explain(rejection, to: request, caller, visit, context)
        }
    }

    /// Reads a form; if that fails, nothing of it stays.
    private func read(
        _ body: inout FormBody, by reader: inout FormReader
    ) async throws -> FormReader.Form {
        do {
            while let bytes = try await body.next() {
                try await reader.read(bytes.readableBytesView)
            }
            return try reader.finish()
        } catch {
            reader.discard()
            throw rejection(of: error)
        }
    }

    /// Handles a post; files stay if they are an action's that was dispatched, or may still be.
    private func handle(
        _ form: FormReader.Form, of uploads: Uploads, number: PostNumber?, from request: Request,
        _ visit: Visit<State>
    ) async throws -> (Post, PostOutcome) {
        do {
            let (post, outcome, isNew) = try await handle(
                form.fields, files: form.files, number: number, from: request, visit)
            let stays = isNew && (outcome == .dispatched || outcome == .withheld)
            uploads.discard(stays ? form.files.unclaimed : form.files.all)
            return (post, outcome)
        } catch {
            // What couldn't be done in time may be done a little later.
            let mayBeDone = (error as? Rejection)?.status == .serviceUnavailable
            if !mayBeDone { uploads.discard(form.files.all) }
            throw error
        }
    }

    private func rejection(of error: any Error) -> Rejection {
        switch error {
        case let rejection as Rejection: return rejection
        case let error as MultipartError:
            var rejection = error == .truncated ? .brokenBody : Rejection.impossible(error.reason)
            rejection.reason = error.reason
            return rejection
        case let error as UploadError:
            var rejection = Rejection.filesUnusable
            rejection.reason = error.description
            return rejection
        case let refusal as FormReader.Refusal:
            let mistake = FieldMistake(
                action: refusal.action, field: refusal.field, kind: refusal.kind)
            return Rejection(
                mistake, saying: documents.page.wording?(mistake) ?? mistake.sentence,
                reason: "A file was refused: \(refusal.kind).",
                status: refusal.kind == .noRoomForFile ? .conflict : .contentTooLarge)
        // The connection broke off, or its chunks aren't chunks.
        default: return .brokenBody
        }
    }

    /// How much of a body is read only to be forgotten, in bytes.
    private static var forgottenLimit: Int { 1 << 30 }
}

/// The body of a form, piece by piece.
private struct FormBody {
    /// Whether it may be read, as far as its sender says how long it is.
    let fits: Bool
    private var iterator: RequestBody.AsyncIterator
    private let limit: Int
    private var rest: Int
    private var isOver = false

    init(_ request: Request, limit: Int) {
        fits = request.headers[.contentLength].map { Int($0) ?? .max <= limit } ?? true
        iterator = request.body.makeAsyncIterator()
        self.limit = limit
        rest = limit
    }

    /// The next piece; nil at the end.
    mutating func next() async throws -> ByteBuffer? {
        if isOver { return nil }
        do {
            guard let bytes = try await iterator.next() else {
                isOver = true
                return nil
            }
            rest -= bytes.readableBytes
            guard rest >= 0 else { throw Rejection.tooLarge(limit) }
            return bytes
        } catch {
            isOver = true
            throw error
        }
    }

    /// Reads the rest for nothing.
    mutating func forget() async {
        while (try? await next()) != nil {}
    }
}
#endif
