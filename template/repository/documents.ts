/** Finds names in a repository's documents that do not exist: files, link targets and headings, npm scripts. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface Manifest {
  scripts?: Record<string, string>;
  workspaces?: string[];
}

/** @param root the repository's folder */
export function documentsOf(root: string) {
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

  /** Generated or third-party folders, which are not searched. */
  const ignored = read('.gitignore')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => line.replaceAll(/^\/|\/$/g, ''));

  const files = list('');
  const documents = files.filter((file) =>
    /^(README\.md|mcp-server\/README\.md|packages\/mcp\/docs\/.*\.md|AGENTS\.md|CHANGELOG\.md|\.env\.example|docs\/.*\.md|packages\/(\w+(-\w+)?\/)?README\.md)$/.test(
      file,
    ),
  );
  const topLevel = new Set(files.map((file) => file.split('/')[0]));

  const manifest = (folder: string) => JSON.parse(read(`${folder}package.json`)) as Manifest;
  const scriptsOf = (folder: string) => Object.keys(manifest(folder).scripts ?? {});

  /** All missing things that a document names, one line each. */
  function missing(document: string, text: string): string[] {
    return [
      ...missingLinks(document, text),
      ...missingFiles(document, text),
      ...missingScripts(document, text),
    ].map((what) => `${document}: ${what}`);
  }

  function missingLinks(document: string, text: string): string[] {
    const found = [];
    for (const [, markdown, html] of prose(text).matchAll(
      /\]\(([^)\s]+)\)|\b(?:href|src|srcset)="([^"\s]+)"/g,
    )) {
      const target = markdown ?? html ?? '';
      // An external URL, or an absolute path of the site.
      if (/^([a-z]+:|\/)/i.test(target)) continue;
      const [file = '', heading] = target.split('#');
      const place = file ? path.posix.join(path.posix.dirname(document), file) : document;
      if (place !== document && !existsSync(path.join(root, place)))
        found.push(`link to ${target}`);
      else if (heading && !headings(place === document ? text : read(place)).includes(heading)) {
        found.push(`link to ${target}, which has no such heading`);
      }
    }
    return found;
  }

  /** Names in backticks that look like a file, a folder, or a pattern of files. */
  function missingFiles(document: string, text: string): string[] {
    // A recipe's code may create the file that its text names.
    const code = text.match(/^```.*?^```$/gms)?.join('') ?? '';
    const made = [...text.matchAll(/^`([^`]+)`:\n\n```/gm)].map(([, name]) => name);
    const found = [];
    for (const [, name = ''] of prose(text).matchAll(/`([^`\s]+?)(?::\d+)?`/g)) {
      const isMade =
        made.includes(name) || ['"', "'"].some((mark) => code.includes(mark + name + mark));
      // `acme` is the placeholder for a reader's service or product.
      if (looksLikeFile(name) && !isMade && !/\bacme\b/.test(name) && !exists(name, document))
        found.push(name);
    }
    return found;
  }

  function looksLikeFile(name: string): boolean {
    if (!/^[\w.@*~{,}-][\w./@*{,}()~-]*$/.test(name) || name.startsWith('@')) return false;
    if (/\.(tsx?|m?js|json|md|css|svg|png|ya?ml|example)$/.test(name)) return !/^\*?\./.test(name);
    const [first] = name.split('/');
    return name.includes('/') && (topLevel.has(first) || ['.', '..', '~'].includes(first ?? ''));
  }

  function exists(name: string, document: string): boolean {
    // A site has it once it follows the recipe for external services.
    if (name === 'app/external/') return true;
    if (ignored.includes(name.split('/')[0] ?? '')) return true;
    // `sonner/dist/styles.css`: a file of a package.
    if (existsSync(path.join(root, 'node_modules', name))) return true;
    if (/^\.\.?\//.test(name)) name = path.posix.join(path.posix.dirname(document), name);
    const wanted = pattern(name.replace(/^~\//, 'app/').replace(/\/$/, '/**'));
    return files.some((file) => wanted.test(file));
  }

  /** Matches a whole path or the end of one, with `*`, `**` and `{a,b}` as in shell globs. */
  function pattern(name: string): RegExp {
    const source = name.replaceAll(/\*\*|[*.+()|[\]$^]|\{[^}]*\}/g, (part) => {
      if (part === '**') return '.*';
      if (part === '*') return '[^/]*';
      if (part.startsWith('{'))
        return `(${part.slice(1, -1).replaceAll('.', '\\.').replaceAll(',', '|')})`;
      return `\\${part}`;
    });
    return new RegExp(`(^|/)${source}$`);
  }

  /** Finds `npm run x`, with or without `-w <workspace>`, `npm test` and `npm start`. */
  function missingScripts(document: string, text: string): string[] {
    const home = /^(mcp-server|packages\/[\w-]+)\//.exec(document)?.[0] ?? '';
    const named = [
      ...text.matchAll(/npm run(?: -w ([\w./-]+)| --silent)? ([\w:][\w:-]*)(?: -w ([\w./-]+))?/g),
      ...[...text.matchAll(/npm (test|start)\b/g)].map(([all, name = '']) => [all, '', name]),
    ];
    return named
      .filter(([, before, name = '', after]) => {
        const workspace = before ?? after;
        const folders = workspace ? [`${workspace}/`] : [home, ''];
        return !folders.some(
          (folder) => existsSync(path.join(root, folder)) && scriptsOf(folder).includes(name),
        );
      })
      .map(([all = '']) => all);
  }

  /** The text without its code blocks: those of recipes are compiled by a separate test. */
  function prose(text: string): string {
    return text.replaceAll(/^```.*?^```$/gms, '');
  }

  /** The anchors that GitHub generates for headings. */
  function headings(text: string): string[] {
    return [...prose(text).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    );
  }

  function list(folder: string): string[] {
    return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const file = path.posix.join(folder, entry.name);
      if (entry.name === '.git' || ignored.includes(entry.name) || ignored.includes(file))
        return [];
      return entry.isDirectory() ? list(file) : [file];
    });
  }

  return { read, files, documents, missing, missingLinks };
}
