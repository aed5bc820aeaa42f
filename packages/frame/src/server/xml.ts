/** XML of feeds and site maps. */

/** Markup that needs no escaping. Made by {@link xml} alone. */
export class Xml {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

type XmlValue = string | number | Xml | readonly Xml[];

/** Markup in which texts are escaped: xml`<title>${title}</title>`. What {@link xml} has made stays as it is, also in a list. */
export function xml(markup: TemplateStringsArray, ...values: XmlValue[]): Xml {
  return new Xml(String.raw({ raw: markup }, ...values.map(written)));
}

function written(value: XmlValue): string {
  if (value instanceof Xml) return value.toString();
  return typeof value === 'object' ? value.join('') : escaped(String(value));
}

/** Without the characters that XML 1.0 cannot have (section 2.2), which a reader would refuse with the whole document. */
function escaped(text: string): string {
  return (
    text
      .toWellFormed()
      // eslint-disable-next-line no-control-regex -- these are the ones to remove
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
  );
}
