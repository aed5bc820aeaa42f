/** Whose name the files carry, and what the home page says before its owner has written it. */
import * as ts from 'typescript';
import { isIn } from './parts';

/** The template's own name, in every file of the site's that mentions it. */
const template = /\bGatehouse\b/g;
/** What the site runs on, and does not speak for it. */
const machinery = ['packages', 'e2e/harness', 'e2e/boundary', 'mcp-server'];

export function withName(file: string, text: string, title: string): string {
  return isIn(machinery, file) ? text : text.replaceAll(template, title);
}

/** `app/site.config.ts` with the words of a site that has said nothing of itself. */
export function withSiteWords(config: string, title: string): string {
  const words: Record<string, string> = {
    name: title,
    headline: `Welcome to ${title}.`,
    description: 'Everything here works with the account that you have on the platform.',
  };
  const source = ts.createSourceFile('site.config.ts', config, ts.ScriptTarget.Latest, true);
  const found: { start: number; end: number; text: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name)) {
      const text = words[node.name.text];
      // The first of each name: the site's own, and no property of something within.
      if (text !== undefined && ts.isStringLiteralLike(node.initializer)) {
        found.push({
          start: node.initializer.getStart(),
          end: node.initializer.getEnd(),
          text: JSON.stringify(text),
        });
        // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- each is used once
        delete words[node.name.text];
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found.reduceRight(
    (text, { start, end, text: word }) => text.slice(0, start) + word + text.slice(end),
    config,
  );
}
