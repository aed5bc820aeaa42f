/** Whose name the files carry, and what the home page says before its owner has written it. */
import * as ts from 'typescript';
import { isIn, type AuthMode } from '../request/parts';

/** The template's own name, in every file of the site's that mentions it. */
const template = /\bGatehouse\b/g;
/** What the site runs on, and does not speak for it. */
const machinery = ['packages', 'e2e/harness', 'e2e/boundary', 'mcp-server'];

export function withName(file: string, text: string, title: string): string {
  return isIn(machinery, file) ? text : text.replaceAll(template, title);
}

const descriptions: Record<AuthMode, string> = {
  platform: 'Everything here works with the account that you have on the platform.',
  'in-app': 'Everything here works with an account that you make on this site.',
  both: 'Everything here works with your account on the platform, or with one that you make on this site.',
};

/** `app/site.config.ts` with the words of a site that has said nothing of itself. */
export function withSiteWords(config: string, title: string, mode: AuthMode): string {
  return withTexts(config, {
    name: title,
    headline: `Welcome to ${title}.`,
    description: descriptions[mode],
  });
}

/** `app/site.config.ts` with the auth mode that is left. */
export function withAuthMode(config: string, mode: AuthMode): string {
  return withTexts(config, { auth: mode });
}

/** A file of settings with other texts as the values of some names. What it has not stays away. */
function withTexts(config: string, words: Record<string, string>): string {
  const left = new Map(Object.entries(words));
  const source = ts.createSourceFile('site.config.ts', config, ts.ScriptTarget.Latest, true);
  const found: { start: number; end: number; text: string }[] = [];
  const visit = (node: ts.Node): void => {
    const isNamed = ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node);
    if (isNamed && ts.isIdentifier(node.name)) {
      const text = left.get(node.name.text);
      const literal = node.initializer && literalIn(node.initializer);
      // The first of each name: the site's own, and no property of something within.
      if (text !== undefined && literal) {
        const [start, end] = [literal.getStart(), literal.getEnd()];
        found.push({ start, end, text: JSON.stringify(text) });
        left.delete(node.name.text);
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

/** A text, alone or with its type after it. */
function literalIn(node: ts.Expression): ts.Expression | undefined {
  if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) return literalIn(node.expression);
  return ts.isStringLiteralLike(node) ? node : undefined;
}
