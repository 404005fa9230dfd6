/// The style sheet of the report, for light and dark screens and for paper.
///
/// The page allows this very text alone, by its hash, which a test compares.
enum ReportStyle {
  /// SHA-256 of ``text``, in base 64.
  static let hash = "bpM/9wG1XdIkEcQoUho0/biWTAIVtslzRrnJxsZMV4g="

  static let text: StaticString = """

    :root { color-scheme: light dark; --ink: #1c1d21; --soft: #62666f; --line: #d9dbe0; --ground: #fff; --raised: #f5f6f8;
      --accent: #0b57d0; --bad: #b3261e; --warn: #8a5a00; --k0: #4c78a8; --k1: #b5651d; --k2: #3f8f5f; --k3: #a0527d;
      --k4: #6b6ecf; --k5: #8c6d31; --k6: #3a8f9c; --k7: #7a7a7a; }
    @media (prefers-color-scheme: dark) {
      :root { --ink: #e6e7ea; --soft: #a2a6af; --line: #3a3d44; --ground: #17181b; --raised: #212327; --accent: #8ab4f8;
        --bad: #f2b8b5; --warn: #f0c36d; --k0: #7da7d6; --k1: #e0975a; --k2: #6fbf8e; --k3: #d189b0; --k4: #a1a4f0;
        --k5: #c9ab6b; --k6: #6cc0cd; --k7: #a8a8a8; }
    }
    * { box-sizing: border-box; }
    body { margin: 0 auto; max-width: 100rem; padding: 1.5rem; background: var(--ground); color: var(--ink);
      font: 15px/1.45 system-ui, sans-serif; }
    h1 { font-size: 1.6rem; margin: 0 0 .25rem; }
    h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
    p { margin: .25rem 0; color: var(--soft); }
    code, td { font-family: ui-monospace, monospace; font-size: .87em; overflow-wrap: anywhere; }
    .side { display: flex; flex-wrap: wrap; gap: 0 3rem; align-items: start; }
    table { border-collapse: collapse; }
    th, td { text-align: left; vertical-align: top; padding: .25rem .9rem .25rem 0; border-bottom: 1px solid var(--line); }
    th { color: var(--soft); font-weight: 600; white-space: nowrap; }
    td.number { text-align: right; font-variant-numeric: tabular-nums; }
    .wide { overflow-x: auto; }
    #annotations { width: 100%; }
    #annotations thead th { position: sticky; top: 0; background: var(--ground); }
    #annotations tbody tr:hover { background: var(--raised); }
    th button { all: unset; cursor: pointer; }
    th button:focus-visible, input:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
    th[aria-sort=ascending] button::after { content: " \\2191"; }
    th[aria-sort=descending] button::after { content: " \\2193"; }
    .tools { display: none; gap: 1rem; align-items: baseline; margin: .5rem 0; }
    .scripted .tools { display: flex; flex-wrap: wrap; }
    input { font: inherit; padding: .35rem .6rem; width: min(28rem, 100%); color: inherit; background: var(--raised);
      border: 1px solid var(--line); border-radius: .4rem; }
    .error { color: var(--bad); } .warning { color: var(--warn); } .note { color: var(--soft); }
    ul.findings { list-style: none; padding: 0; margin: 0; }
    ul.findings li { padding: .4rem 0; border-bottom: 1px solid var(--line); }
    svg { width: 100%; max-width: 60rem; height: auto; font: 11px ui-monospace, monospace; }
    svg rect { fill: var(--raised); stroke: var(--line); }
    svg text { fill: var(--ink); }
    .k0 { fill: var(--k0); } .k1 { fill: var(--k1); } .k2 { fill: var(--k2); } .k3 { fill: var(--k3); }
    .k4 { fill: var(--k4); } .k5 { fill: var(--k5); } .k6 { fill: var(--k6); } .k7 { fill: var(--k7); }
    svg rect[class] { fill-opacity: .35; stroke: none; }
    @media print { .tools { display: none !important; } #annotations thead th { position: static; } }

    """
}
