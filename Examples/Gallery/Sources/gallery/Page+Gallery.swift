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
            accepts: [GalleryAction.self, NavigationAction<Screen>.self]
        ) { gallery, routes in
            let bar = Fragment("bar", model: ["canGoBack": routes.levels.count > 1])
            let sheet = Fragment("sheet", model: ["isAbout": routes[.sheet] == .about])
            return switch routes.screen {
            case .pictures:
                [bar, list("Pictures", Array(Gallery.titles.indices)), sheet]
            case .search(let text):
                [bar, list(routes.screen.title, Gallery.pictures(with: text)), sheet]
            case .picture(let number):
                [bar, Fragment("picture", model: PictureView(number, gallery)), sheet]
            case .about: [bar, Fragment("about", model: [String: String]()), sheet]
            case .notFound: [bar, Fragment("missing", model: [String: String]()), sheet]
            }
        }
    }

    private static func list(_ title: String, _ numbers: [Int]) -> Fragment {
        Fragment("list", model: ListView(title: title, links: numbers.map(LinkView.init)))
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
