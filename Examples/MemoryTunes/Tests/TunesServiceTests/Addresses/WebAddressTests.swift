// SPDX-License-Identifier: MIT

import Testing

@testable import TunesService

@Suite struct WebAddressTests {
    @Test(arguments: [
        ("http://example.com", "http://example.com:80/"),
        ("HTTPS://Example.COM./a/b?c=d#e", "https://example.com:443/a/b?c=d"),
        ("http://example.com:8080?x", "http://example.com:8080/?x"),
        ("http://[::1]:99/x", "http://[0:0:0:0:0:0:0:1]:99/x"),
        ("http://0x7f.1/x", "http://127.0.0.1:80/x"),
        ("https://a1.mzstatic.com/i/100x100bb.jpg", "https://a1.mzstatic.com:443/i/100x100bb.jpg"),
        ("http://1.cafe/", "http://1.cafe:80/"),
    ])
    func `an address is put together from what was read`(text: String, whole: String) {
        #expect(WebAddress(text)?.description == whole)
    }

    @Test(arguments: [
        "", "example.com", "/x", "//example.com/x", "file:///etc/passwd", "ftp://example.com/x",
        "javascript:alert(1)", "data:image/png;base64,AAAA", "http://", "http:///x",
        "http://user@example.com/", "http://user:word@127.0.0.1/", "http://example.com\\@evil/",
        "http://exa mple.com/", "http://example.com/\u{0}", "http://example.com/\r\nHost: a",
        "http://exämple.com/", "http://example.com:0/", "http://example.com:65536/",
        "http://example.com:/", "http://example.com:80a/", "http://a..b/", "http://%31.1.1.1/",
        "http://[::1/", "http://[::1%25eth0]/", "http://1.2.3.4.5/", "http://999.1/", "http://09/",
        "http://example.com/" + String(repeating: "x", count: 2_048),
    ])
    func `what can be read in two ways or isn't the web is no address`(text: String) {
        #expect(WebAddress(text) == nil)
    }

    @Test(arguments: [
        ("https://other.com/z", "https://other.com:443/z"),
        ("//other.com/z", "http://other.com:80/z"),
        ("/z", "http://example.com:81/z"), ("z?q", "http://example.com:81/a/z?q"),
        ("?q", "http://example.com:81/a/b?q"),
    ])
    func `links lead on`(link: String, target: String) throws {
        let address = try #require(WebAddress("http://example.com:81/a/b?c"))
        #expect(address.following(link)?.description == target)
    }

    @Test(arguments: ["file:///etc/passwd", "javascript:alert(1)", "gopher://x/", "mailto:a"])
    func `links to other schemes lead nowhere`(link: String) throws {
        let address = try #require(WebAddress("http://example.com/a"))
        #expect(address.following(link) == nil)
    }
}
