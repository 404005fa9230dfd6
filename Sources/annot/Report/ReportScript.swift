/// The report's script, which searches and sorts the table.
///
/// Without it everything can be read all the same. The page allows this very text alone, by its hash, which a test compares. What is searched for and how it is sorted
/// stands in the page's address behind `#`, so that it can be passed on.
enum ReportScript {
  /// SHA-256 of ``text``, in base 64.
  static let hash = "2i+dgSGxwEgSWSgbVO6Min+iHHzzqS17Zx+BKNmk9lM="

  static let text: StaticString = """

    'use strict';
    document.documentElement.classList.add('scripted');
    const table = document.getElementById('annotations');
    const body = table.tBodies[0];
    const search = document.getElementById('search');
    const shown = document.getElementById('shown');
    const headings = Array.from(table.tHead.rows[0].cells);
    const rows = Array.from(body.rows, row => ({ row, text: row.textContent.toLowerCase() }));
    const compare = new Intl.Collator(undefined, { numeric: true }).compare;
    let sorted = { name: '', down: false };

    function filter() {
      const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
      let count = 0;
      for (const { row, text } of rows) {
        row.hidden = !words.every(word => text.includes(word));
        if (!row.hidden) count++;
      }
      shown.textContent = words.length ? `${count} of ${rows.length}` : `${rows.length}`;
    }

    function sort(name, down) {
      const column = headings.findIndex(heading => heading.dataset.name === name);
      if (column < 0) return;
      sorted = { name, down };
      const value = entry => entry.row.cells[column].textContent;
      const order = rows.slice().sort((a, b) => down ? compare(value(b), value(a)) : compare(value(a), value(b)));
      body.append(...order.map(entry => entry.row));
      headings.forEach((heading, index) => {
        if (index === column) heading.setAttribute('aria-sort', down ? 'descending' : 'ascending');
        else heading.removeAttribute('aria-sort');
      });
    }

    function remember() {
      const state = new URLSearchParams();
      if (search.value) state.set('search', search.value);
      if (sorted.name) state.set('sort', (sorted.down ? '-' : '') + sorted.name);
      history.replaceState(null, '', '#' + state);
    }

    function recall() {
      const state = new URLSearchParams(location.hash.slice(1));
      search.value = state.get('search') || '';
      const key = state.get('sort') || '';
      if (key) sort(key.replace(/^-/, ''), key.startsWith('-'));
      filter();
    }

    for (const heading of headings) {
      const button = document.createElement('button');
      button.type = 'button';
      button.append(...heading.childNodes);
      heading.append(button);
      button.addEventListener('click', () => {
        const name = heading.dataset.name;
        sort(name, sorted.name === name && !sorted.down);
        remember();
      });
    }
    search.addEventListener('input', () => { filter(); remember(); });
    window.addEventListener('hashchange', recall);
    recall();

    """
}
