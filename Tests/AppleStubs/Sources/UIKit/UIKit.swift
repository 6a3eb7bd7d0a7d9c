// SPDX-License-Identifier: MIT

open class UIViewController {
    public init() {}
    open func viewDidLoad() {}
}
