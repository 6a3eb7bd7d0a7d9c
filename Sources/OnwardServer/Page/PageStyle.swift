// SPDX-License-Identifier: MIT
#if Server

/// The stylesheet that comes before those of an app: the look of a page without any.
///
/// Its selectors have no specificity (`:where`), so any rule of an app prevails.
enum PageStyle {
    /// The status line as a note at the lower edge, in the colours of the reader's system.
    ///
    /// Without a text it is hidden. A button whose action takes long is paler in the meantime, and
    /// what is wrong with a field is said in red. How much of a file has gone up is told to
    /// those who don't see it as well.
    static let asset = Asset.stylesheet(
        "/onward.css",
        """
        :where([data-status]) {
          position: fixed; inset: auto 1rem 1rem; z-index: 1; box-sizing: border-box; margin: 0 auto;
          width: fit-content; max-width: calc(100% - 2rem); padding: .5rem 1rem;
          border: 1px solid; border-radius: .5rem; background: Canvas; color: CanvasText;
          font: 1rem/1.4 system-ui, sans-serif; overflow-wrap: anywhere;
        }
        :where([data-status]:empty) { border: 0; padding: 0; }
        :where([data-status] button) { margin-inline-start: .5rem; }
        :where(button[aria-busy="true"]) { cursor: progress; opacity: .7; }
        :where([data-upload-note]) { display: inline-flex; gap: .5rem; align-items: center; }
        :where([data-upload-note] [role="status"]) {
          position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
        }
        :where([data-mistake]) { display: block; color: light-dark(#a3161a, #ff9d96); font-size: .875em; }
        :where([aria-invalid="true"]) { outline: 2px solid light-dark(#a3161a, #ff9d96); outline-offset: 1px; }

        """)
}
#endif
