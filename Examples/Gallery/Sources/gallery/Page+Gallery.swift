// SPDX-License-Identifier: MIT

import Mustache
import Onward
import OnwardNavigation
import OnwardServer

extension Page<Gallery> {
    /// The gallery as a page: a bar, the screen, and a sheet over it while one is presented.
    static func gallery() throws -> Page<Gallery> {
        var library = MustacheLibrary()
        for (name, template) in templates { try library.register(template, named: name) }
        return try Page(
            tabs: \.tabs, codec: Screen.codec, title: \.title, templates: library,
            accepts: [GalleryAction.self, NavigationAction<Screen>.self],
            isThere: { gallery, screen in
                if case .own(let number) = screen { number < gallery.own.count } else { true }
            }
        ) { gallery, routes in
            let bar = Fragment("bar", model: ["canGoBack": routes.levels.count > 1])
            let sheet = Fragment("sheet", model: ["isAbout": routes[.sheet] == .about])
            return switch routes.screen {
            case .pictures:
                [
                    bar, list("Pictures", Gallery.links(in: gallery)),
                    Fragment("add", model: AddView(trouble: gallery.trouble)), sheet,
                ]
            case .search(let text):
                [bar, list(routes.screen.title, Gallery.links(in: gallery, with: text)), sheet]
            case .picture(let number):
                [bar, Fragment("picture", model: PictureView(number, gallery)), sheet]
            case .own(let number) where number < gallery.own.count:
                [bar, Fragment("own", model: OwnView(gallery.own[number])), sheet]
            case .own: [bar, Fragment("missing", model: [String: String]()), sheet]
            case .about: [bar, Fragment("about", model: [String: String]()), sheet]
            case .notFound: [bar, Fragment("missing", model: [String: String]()), sheet]
            }
        }
        .admitting(GalleryAction.self) { action, _, gallery in
            guard case .add = action, gallery.own.count >= Gallery.limit else {
                return .dispatch(action)
            }
            return .refuse("The wall is full.", field: "picture")
        }
    }

    private static func list(_ title: String, _ links: [LinkView]) -> Fragment {
        Fragment("list", model: ListView(title: title, links: links))
    }

    private static let templates = [
        "layout": """
        <!doctype html>
        <html lang="{{language}}">
        <head>{{> onward/head}}
        <link rel="icon" href="/icon.svg" type="image/svg+xml">
        </head>
        <body>{{> onward/status}}<main>
        {{{fragments}}}
        </main></body>
        </html>

        """,
        "bar": """
        <nav aria-label="Gallery">
        <form method="post" data-action>{{> onward/form}}
        <button name="type" value="Navigation.Screen/pop"{{^canGoBack}} disabled{{/canGoBack}}>Back</button>
        </form>
        <form method="post" data-action>{{> onward/form}}
        <input type="hidden" name="value" value="/about"><input type="hidden" name="in" value="sheet">
        <button name="type" value="Navigation.Screen/present">About</button>
        </form>
        <a href="/" data-route>All pictures</a>
        <form action="/search" data-route><input type="search" name="q" aria-label="Title" placeholder="Title"><button>Search</button></form>
        </nav>

        """,
        "list": """
        <h1>{{title}}</h1>
        <ul class="wall">{{#links}}<li data-key="{{url}}"><a href="{{url}}" data-route>\
        <img src="{{picture}}" alt="" width="400" height="300"><span>{{title}}</span></a></li>{{/links}}</ul>
        {{^links}}<p class="quiet">No picture has that in its title.</p>{{/links}}
        <p class="quiet foot">Each picture has an address of its own. \
        <a href="/nowhere" data-route>A dead link</a> leads to a page that says so.</p>

        """,
        "add": """
        <form method="post" enctype="multipart/form-data" class="add" data-action data-reset>{{> onward/form}}
        <p><strong>Hang up a picture of your own.</strong> \
        <span class="quiet">PNG, JPEG, GIF or WebP, at most 8 MB. It hangs on your own wall only.</span></p>
        <label>Picture <input type="file" name="picture" accept="image/png,image/jpeg,image/gif,image/webp" required></label>
        <label>Caption <input name="title" maxlength="80" placeholder="As the file is called"></label>
        <button name="type" value="GalleryAction/add">Hang it up</button>
        <p class="sending"><progress data-upload hidden></progress> \
        <button type="button" data-upload-cancel hidden>Cancel</button></p>
        {{#trouble}}<p role="alert">{{trouble}}</p>{{/trouble}}
        </form>

        """,
        "own": """
        <h1>{{title}}</h1>
        <figure class="picture"><img src="{{picture}}" alt="{{title}}"></figure>

        """,
        "picture": """
        <h1>{{title}}</h1>
        <figure class="picture">
        <img src="{{picture}}" alt="{{says}}" width="400" height="300">
        <div>
        <form method="post" data-action>{{> onward/form}}
        <input type="hidden" name="type" value="GalleryAction/like">
        <button name="picture" value="{{number}}">Like</button> <output aria-label="Likes">{{likes}}</output>
        </form>
        <a href="{{next}}" data-route>Next</a>
        </div>
        </figure>

        """,
        "about": "<h1>About</h1><p>Five pictures, each at its own address.</p>",
        "missing": "<h1>Not found</h1><p>There is no such picture.</p>",
        "sheet": """
        {{#isAbout}}<dialog open aria-label="About"><p>Five pictures, each at its own address.</p>
        <form method="post" data-action>{{> onward/form}}
        <button name="type" value="Navigation.Screen/pop">Close</button>
        </form></dialog>{{/isAbout}}
        """,
    ]
}

/// A list of links to pictures.
private struct ListView: Equatable {
    let title: String
    let links: [LinkView]
}

/// A link to a picture.
private struct LinkView: Equatable {
    let url: String
    let title: String
    let picture: String

    init(_ number: Int) {
        url = Screen.codec.text(of: .picture(number)) ?? "/"
        title = Gallery.titles[number]
        picture = Picture.all[number].path
    }

    init(_ number: Int, _ own: Gallery.Own) {
        url = Screen.codec.text(of: .own(number)) ?? "/"
        (title, picture) = (own.title, own.path)
    }
}

/// The form for a picture of one's own.
private struct AddView: Equatable {
    /// Why the last one isn't there; nil if it is.
    let trouble: String?
}

/// One picture of the visitor's.
private struct OwnView: Equatable {
    let title: String
    let picture: String

    init(_ picture: Gallery.Own) {
        title = picture.title
        self.picture = picture.path
    }
}

extension Gallery.Own {
    fileprivate var path: String { "/album/\(name)" }
}

extension Gallery {
    /// Links to the pictures whose title has a text in it.
    fileprivate static func links(in gallery: Gallery, with text: String = "") -> [LinkView] {
        let own = gallery.own.enumerated().filter { $0.element.has(text) }
        return pictures(with: text).map(LinkView.init) + own.map { LinkView($0.offset, $0.element) }
    }
}

/// One picture.
private struct PictureView: Equatable {
    let number: Int
    let title: String
    let picture: String
    let says: String
    let likes: Int
    let next: String

    init(_ number: Int, _ gallery: Gallery) {
        self.number = number
        title = Gallery.titles[number]
        (picture, says) = (Picture.all[number].path, Picture.all[number].says)
        likes = gallery.likes[number] ?? 0
        next = LinkView((number + 1) % Gallery.titles.count).url
    }
}
