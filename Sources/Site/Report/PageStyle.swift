/// The looks that all pages share: light and dark as the reader's system has it, and black on white in print.
enum PageStyle {
  static let sheet = """
    :root { --ink: #1b1f24; --soft: #57606a; --page: #f5f6f8; --paper: #ffffff; --line: #d5dae0;
      --link: #0550ae; --bar: #3b73b9; --good: #dcf5e3; --good-ink: #0d4a1f; --doubt: #fff1c9;
      --doubt-ink: #5c3d00; --bad: #ffe1de; --bad-ink: #7a0e0a; --alarm: #c02a20; }
    @media (prefers-color-scheme: dark) {
      :root { --ink: #e6edf3; --soft: #a3adb9; --page: #0d1117; --paper: #161b22; --line: #333b45;
        --link: #7fbaff; --bar: #5b96dc; --good: #10331b; --good-ink: #a6f0b8; --doubt: #3d2e00;
        --doubt-ink: #ffdf8a; --bad: #4a1512; --bad-ink: #ffc4bf; --alarm: #ff8078; }
    }
    * { box-sizing: border-box; }
    body { margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 84rem; color: var(--ink);
      background: var(--page); font: 1rem/1.5 system-ui, sans-serif; }
    h1 { margin: 0; font-size: 2rem; line-height: 1.2; }
    h2 { margin: 2.5rem 0 0.75rem; font-size: 1.375rem; line-height: 1.3; }
    h3 { margin: 1.5rem 0 0.25rem; font-size: 1.0625rem; }
    h4 { margin: 1.25rem 0 0.25rem; font-size: 1rem; }
    h1, h2, h3, h4, p, li, dd { overflow-wrap: anywhere; }
    p { margin: 0.25rem 0 0.5rem; max-width: 50rem; }
    header > p { margin-bottom: 1rem; }
    a { color: var(--link); }
    small { font-size: 0.875rem; font-weight: 400; }
    small, footer, .soft, th, caption, figcaption { color: var(--soft); }
    code { font: 0.8125rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
    pre { overflow-x: auto; }
    summary { padding: 0.375rem 0; cursor: pointer; font-weight: 600; }
    details { border-top: 1px solid var(--line); }
    .changes, .plain { margin: 0 0 0.75rem; padding: 0; list-style: none; }
    .changes > li, .plain > li { padding: 0.25rem 0 0.25rem 1rem; overflow-wrap: anywhere; }
    table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
    th, td { padding: 0.4375rem 1rem 0.4375rem 0; border-bottom: 1px solid var(--line); text-align: left;
      vertical-align: top; overflow-wrap: break-word; }
    th { font-size: 0.875rem; font-weight: 600; }
    tbody th { color: var(--ink); font-size: 1rem; font-weight: 400; }
    footer { margin-top: 3rem; font-size: 0.875rem; }
    \(stacked("@media screen and (max-width: 44rem)", "table.stacks"))
    @media print {
      :root { --ink: #000; --soft: #444; --page: #fff; --paper: #fff; --line: #bbb; --link: #000;
        --bar: #555; --good: #fff; --good-ink: #000; --doubt: #fff; --doubt-ink: #000; --bad: #fff;
        --bad-ink: #000; --alarm: #000; color-scheme: light; }
      body { max-width: none; padding: 0; font-size: 0.8125rem; }
      h2, h3, h4, summary { break-after: avoid; }
      tr, li, figure { break-inside: avoid; }
      nav, input { display: none; }
      details::details-content { display: block; content-visibility: visible; }
    }
    """

  /// Rows of a table as blocks, each cell behind the heading of its column.
  static func stacked(_ condition: String, _ table: String) -> String {
    """
    \(condition) {
      \(table), \(table) :is(tbody, tr, th, td) { display: block; }
      \(table) thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
      \(table) tr { padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
      \(table) tbody :is(th, td) { position: relative; padding: 0.125rem 0 0.125rem 6.5rem; border: 0;
        overflow-wrap: anywhere; font-size: inherit; }
      \(table) tbody :is(th, td)::before { position: absolute; left: 0; content: attr(data-heading);
        color: var(--soft); font-size: 0.875rem; }
    }
    """
  }
}
