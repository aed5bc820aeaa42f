/** The text and the HTML of a mail, from one list of paragraphs. */

/** A paragraph: words, or a link by itself. */
export type MailParagraph = string | { href: string; label: string };

/**
 * The text shows where each link leads; whatever a visitor typed is escaped in the HTML.
 *
 * @throws {TypeError} for a link that is not the whole address of a web page.
 */
export function mailBody(paragraphs: readonly MailParagraph[]): { text: string; html: string } {
  const text = paragraphs.map((part) =>
    typeof part === 'string' ? part : `${part.label}:\n${webAddress(part.href)}`,
  );
  const html = paragraphs.map((part) => {
    const inner =
      typeof part === 'string'
        ? escaped(part).replaceAll('\n', '<br>\n')
        : `<a href="${escaped(webAddress(part.href))}">${escaped(part.label)}</a>`;
    return `<p dir="auto">${inner}</p>`;
  });
  return {
    text: text.join('\n\n'),
    html: `<!doctype html>\n<meta charset="utf-8">\n${html.join('\n')}\n`,
  };
}

function webAddress(href: string): string {
  const url = URL.canParse(href) ? new URL(href) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(
      'A link in a mail is a whole address, such as https://site.example/orders.',
    );
  }
  return url.href;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(words: string): string {
  return words.replaceAll(/[&<>"]/g, (character) => entities[character] ?? '');
}
