/// The report's looks: light and dark as the reader's system has it, a table on a wide screen, cards on a phone.
enum ReportStyle {
  static let sheet = """
    :root { --ink: #1b1f24; --soft: #57606a; --paper: #ffffff; --line: #d0d7de; --link: #0550ae;
      --good: #dafbe1; --good-ink: #0d4a1f; --doubt: #fff3cd; --doubt-ink: #5c3d00; }
    @media (prefers-color-scheme: dark) {
      :root { --ink: #e6edf3; --soft: #9ea7b3; --paper: #0d1117; --line: #30363d; --link: #79b8ff;
        --good: #10331b; --good-ink: #a6f0b8; --doubt: #3d2e00; --doubt-ink: #ffdf8a; }
    }
    body { margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 72rem; color: var(--ink);
      background: var(--paper); font: 1rem/1.5 system-ui, sans-serif; }
    h1 { margin: 0; font-size: 2rem; line-height: 1.2; }
    h2 { margin: 2.5rem 0 0.5rem; font-size: 1.25rem; }
    h3 { margin: 1.5rem 0 0.25rem; font-size: 1rem; }
    pre { overflow-x: auto; }
    header p { margin: 0.25rem 0 1rem; }
    a { color: var(--link); }
    small, footer, th { color: var(--soft); }
    .verdict { padding: 0.75rem 1rem; border-radius: 0.5rem; }
    .verdict strong { font-size: 1.25rem; }
    .good { background: var(--good); color: var(--good-ink); }
    .doubt { background: var(--doubt); color: var(--doubt-ink); }
    table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
    th, td { padding: 0.5rem 1rem 0.5rem 0; border-bottom: 1px solid var(--line); text-align: left;
      vertical-align: top; overflow-wrap: break-word; }
    th { font-size: 0.875rem; font-weight: 600; white-space: nowrap; }
    td[data-heading="Product"] { min-width: 13rem; }
    td:is([data-heading="Edition"], [data-heading="In force"], [data-heading="Zooms"], [data-heading="Size"]) {
      white-space: nowrap; }
    code { overflow-wrap: anywhere; font: 0.8125rem/1.4 ui-monospace, monospace; }
    footer { margin-top: 3rem; font-size: 0.875rem; }
    @media screen and (max-width: 44rem) {
      table, tbody, tr, td { display: block; }
      thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
      tr { padding: 0.75rem 0; border-bottom: 1px solid var(--line); }
      td { display: grid; grid-template-columns: 6rem minmax(0, 1fr); padding: 0.125rem 0; border: 0;
        overflow-wrap: anywhere; }
      td::before { content: attr(data-heading); color: var(--soft); font-size: 0.875rem; }
    }
    @media print {
      :root { --ink: #000; --soft: #444; --paper: #fff; --line: #bbb; --link: #000; --good: #fff;
        --good-ink: #000; --doubt: #fff; --doubt-ink: #000; }
      .verdict { border: 2px solid #000; }
      tr { break-inside: avoid; }
    }
    """
}
