/// The style sheet of all pages: light or dark as in the reader's system, and black on white in print.
enum PageStyle {
  static let sheet = """
    :root { --ink: #1b1f24; --soft: #57606a; --page: #f5f6f8; --paper: #ffffff; --line: #d5dae0;
      --link: #0550ae; --bar: #3b73b9; --good: #dcf5e3; --good-ink: #0d4a1f; --doubt: #fff1c9;
      --doubt-ink: #5c3d00; --bad: #ffe1de; --bad-ink: #7a0e0a; --alarm: #c02a20;
      --fresh: #cfe3fa; }
    @media (prefers-color-scheme: dark) {
      :root { --ink: #e6edf3; --soft: #a3adb9; --page: #0d1117; --paper: #161b22; --line: #333b45;
        --link: #7fbaff; --bar: #5b96dc; --good: #10331b; --good-ink: #a6f0b8; --doubt: #3d2e00;
        --doubt-ink: #ffdf8a; --bad: #4a1512; --bad-ink: #ffc4bf; --alarm: #ff8078;
        --fresh: #1c3f66; }
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
        --bad-ink: #000; --alarm: #000; --fresh: #ddd; color-scheme: light; }
      body { max-width: none; padding: 0; font-size: 0.8125rem; }
      h2, h3, h4, summary { break-after: avoid; }
      tr, li, figure { break-inside: avoid; }
      nav, input { display: none; }
      details::details-content { display: block; content-visibility: visible; }
    }
    """

  /// Shows the rows of a table as blocks, each cell after the heading of its column.
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

/// The style of the report's verdict, cards, pictures and plots.
enum ReportStyle {
  static let sheet = """
    .verdict { display: flex; gap: 1rem; align-items: flex-start; margin: 1rem 0; padding: 1rem 1.25rem;
      border-radius: 0.75rem; }
    .verdict p { margin: 0.125rem 0; }
    .verdict strong { font-size: 1.375rem; line-height: 1.3; }
    .verdict a, .verdict code { color: inherit; }
    .mark { flex: none; width: 2.25rem; height: 2.25rem; border: 2px solid currentColor; border-radius: 50%;
      font-weight: 700; line-height: 2rem; text-align: center; }
    .good { background: var(--good); color: var(--good-ink); }
    .doubt { background: var(--doubt); color: var(--doubt-ink); }
    .bad { background: var(--bad); color: var(--bad-ink); }
    .figures { display: flex; flex-wrap: wrap; gap: 0.5rem 2.25rem; margin: 1.25rem 0; }
    .figures div { display: flex; flex-direction: column-reverse; }
    .figures dt { color: var(--soft); font-size: 0.875rem; }
    .figures dd { margin: 0; font-size: 1.5rem; font-weight: 600; line-height: 1.2; }
    nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin: 0; padding: 0; list-style: none; }
    .findings { margin: 0.5rem 0; padding: 0; border: 1px solid var(--line); border-radius: 0.75rem;
      background: var(--paper); list-style: none; }
    .findings > li { padding: 0.5rem 1rem; }
    .findings > li + li { border-top: 1px solid var(--line); }
    h3 code { font-size: 1rem; }
    .findings p { margin: 0.125rem 0 0; }
    .remedy { color: var(--soft); }
    .index { padding: 0 1rem; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--paper); }
    .index tr:last-child > * { border-bottom: 0; }
    .index td, .index thead th { white-space: nowrap; }
    .index :is(th, td):last-child { padding-right: 0; }
    @media screen and (max-width: 44rem) {
      .index :is(th, td):nth-child(2), .index small { display: none; }
      .index :is(th, td) { padding-right: 0.5rem; font-size: 0.875rem; }
      .index thead th { white-space: normal; }
    }
    .cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 1rem;
      align-items: start; }
    .card { display: grid; gap: 0.75rem 1.5rem; min-width: 0; padding: 1rem; border: 1px solid var(--line);
      border-radius: 0.75rem; background: var(--paper); scroll-margin: 1rem; }
    .card:target { outline: 3px solid var(--link); }
    .card h3 { margin: 0; font-size: 1.1875rem; }
    .card header p { margin: 0.125rem 0; font-size: 0.875rem; }
    .databases { display: grid; gap: 1rem; }
    .badge { display: inline-block; padding: 0.0625rem 0.625rem; border-radius: 1rem; font-weight: 600; }
    .look { display: grid; gap: 0.75rem; align-content: start; }
    .edges { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0.5rem; }
    @media (min-width: 60rem) {
      .databases > .card { grid-template-columns: repeat(2, minmax(0, 1fr)); }
      .cards > .card:only-child { grid-template-columns: minmax(0, 30.5rem) minmax(0, 1fr); }
      .cards > .card:only-child > :is(header, .more), .databases > .card > header { grid-column: 1 / -1; }
    }
    figure { margin: 0; }
    figcaption { font-size: 0.8125rem; }
    img { display: block; width: 100%; height: auto; border-radius: 0.375rem; background: #b4b4b4; }
    .look > figure > img { width: auto; max-width: 100%; max-height: 24rem; margin: 0 auto; }
    .unseen { padding: 0.75rem 1rem; border: 1px dashed var(--line); border-radius: 0.5rem; }
    .facts-column, .more { min-width: 0; overflow-x: auto; font-size: 0.9375rem; }
    .facts { margin: 0 0 0.75rem; }
    .facts div { display: grid; grid-template-columns: 6rem minmax(0, 1fr); padding: 0.125rem 0; }
    .facts dt { color: var(--soft); }
    .facts dd { margin: 0; }
    .plot { margin: 0.5rem 0 0.75rem; font-size: 0.875rem; }
    .plot caption { text-align: left; }
    .plot th, .plot td { padding: 0.1875rem 0 0.1875rem 0.75rem; text-align: right; white-space: nowrap; }
    .plot tbody th { font-size: inherit; }
    .plot :is(th, td):first-child { padding-left: 0; text-align: left; white-space: normal; }
    .plot :is(th, td):nth-child(2):not(:last-child) { width: 30%; text-align: left; }
    .plot td:nth-child(4) { white-space: normal; }
    @media screen and (max-width: 30rem) {
      .index :is(th, td):nth-child(3) { display: none; }
      .plot th, .plot td { padding-left: 0.375rem; font-size: 0.8125rem; }
      .plot :is(th, td):nth-child(2):not(:last-child) { width: 18%; }
    }
    .bar { display: block; width: 100%; height: 0.75rem; margin-top: 0.3125rem; fill: var(--bar); stroke: var(--ink); }
    .bar rect { stroke: none; }
    .bar path { stroke-width: 1.5; vector-effect: non-scaling-stroke; }
    .bar .track { fill: var(--line); opacity: 0.5; }
    .off { fill: var(--alarm); }
    td strong { color: var(--alarm); }
    .shares { display: block; width: 100%; height: 0.5rem; margin: 0.25rem 0; }
    .same { fill: var(--line); }
    .changed { fill: var(--bar); }
    .added { fill: #2e9e50; }
    .removed { fill: var(--alarm); }
    \(PageStyle.stacked("@media screen", "table.always"))
    @media print {
      .verdict, .badge { border: 2px solid #000; }
      #charts, #databases { break-before: page; }
      .cards { display: block; }
      .card { display: block; margin-bottom: 1rem; padding: 0.5rem 0.75rem; }
      #charts .card { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); break-inside: avoid; }
      #charts .card > :is(header, .more) { grid-column: 1 / -1; }
      .look > figure > img { max-height: 11rem; }
      .files { display: none; }
      th, td, tbody th { padding: 0.1875rem 0.75rem 0.1875rem 0; font-size: 0.6875rem; }
      .plot :is(th, td), .plot tbody th { padding: 0.125rem 0 0.125rem 0.5rem; font-size: inherit; }
    }
    """
}

/// The style and the search script of the page of differences.
enum DifferenceStyle {
  static let sheet = """
    input { width: 100%; box-sizing: border-box; padding: 0.5rem 0.75rem; border: 1px solid var(--line);
      border-radius: 0.5rem; color: var(--ink); background: var(--paper); font: inherit; }
    .changes ul { margin: 0; padding-left: 1.25rem; color: var(--soft); }
    [hidden] { display: none; }
    """

  /// Shows the items that contain all typed words, and opens the states that have any.
  static let script = """
    const search = document.getElementById("search");
    const groups = [...document.querySelectorAll("details")].map(details => ({
      details, wasOpen: details.open,
      items: [...details.querySelectorAll(".changes > li")].map(
        item => ({ item, text: item.textContent.toLowerCase() })) }));
    search.addEventListener("input", () => {
      const words = search.value.toLowerCase().split(" ").filter(word => word);
      for (const { details, wasOpen, items } of groups) {
        let found = 0;
        for (const { item, text } of items) {
          item.hidden = !words.every(word => text.includes(word));
          if (!item.hidden) found += 1;
        }
        details.hidden = found === 0;
        details.open = words.length > 0 ? found > 0 : wasOpen;
      }
      for (const section of document.querySelectorAll("section")) {
        const states = [...section.querySelectorAll("details")];
        if (states.length > 0) section.hidden = states.every(state => state.hidden);
      }
    });
    """
}
