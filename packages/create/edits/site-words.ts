/** Puts the site's name into files, and placeholder texts into its home page. */
import type { Expression, Node } from 'typescript';
import { isIn, type AuthMode } from '../features.ts';
import { ts } from './typescript.ts';

/** The template's name, in the site's own files. */
const template = /\bGatehouse\b/g;
/** Infrastructure folders, in which the template's name is not replaced. */
const machinery = ['packages', 'vendor', 'mcp-server'];

export function withName(file: string, text: string, title: string): string {
  return isIn(machinery, file) ? text : text.replaceAll(template, title);
}

const descriptions: Record<AuthMode, string> = {
  platform: 'Sign in with your platform account to use this site.',
  'in-app': 'Create an account on this site to use it.',
  both: 'Sign in with your platform account, or create an account on this site.',
};

/** `app/site.config.ts` with placeholder texts. */
export function withSiteWords(config: string, title: string, mode: AuthMode): string {
  return withTexts(config, {
    name: title,
    headline: `Welcome to ${title}.`,
    description: descriptions[mode],
  });
}

/** `app/site.config.ts` for the remaining auth mode, if the description is still a placeholder. */
export function withDescription(config: string, mode: AuthMode): string {
  const placeholder = Object.values(descriptions).find((text) => config.includes(text));
  return placeholder === undefined ? config : config.replace(placeholder, descriptions[mode]);
}

/** Replaces string values by name. Names that do not occur are ignored. */
function withTexts(config: string, words: Record<string, string>): string {
  const left = new Map(Object.entries(words));
  const source = ts.createSourceFile('site.config.ts', config, ts.ScriptTarget.Latest, true);
  const found: { start: number; end: number; text: string }[] = [];
  const visit = (node: Node): void => {
    const isNamed = ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node);
    if (isNamed && ts.isIdentifier(node.name)) {
      const text = left.get(node.name.text);
      const literal = node.initializer && literalIn(node.initializer);
      // Only the first occurrence of each name: the site's own, not a nested property.
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

/** The string literal in an expression, with or without a type assertion. */
function literalIn(node: Expression): Expression | undefined {
  if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) return literalIn(node.expression);
  return ts.isStringLiteralLike(node) ? node : undefined;
}
