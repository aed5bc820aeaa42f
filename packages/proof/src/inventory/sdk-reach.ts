/**
 * Static reachability of the SDK from loaders and actions, through any helpers and files. Reads the server
 * build, because Rollup has bundled the site into a few scripts with unique top-level names.
 *
 * `createPlatformSdk` and `requirePlatformSdk` are properties of what `definePlatform` of `@gatehouse/platform/server`
 * returns: whoever takes one, by destructuring or by its name, reaches the SDK. Who takes only the guard does not, although one function makes both.
 */
import path from 'node:path';
import { parse, type AnyNode, type Program } from 'acorn';

export interface Code {
  /** Null if the route's module was not found in the scripts. */
  reachesSdk: (routeId: string, exported: string) => boolean | null;
}

/** One script: the identifiers in each top-level declaration, and its imports and exports. */
interface Script {
  mentions: Map<string, Set<string>>;
  imports: Map<string, { file: string; name: string }>;
  exports: Map<string, string>;
  /** The name of the module object, by route id. */
  routes: Map<string, string>;
  /** `definePlatform`, where the package is part of the build. */
  definers: Set<string>;
  /** The identifiers in each export, by the name of the module object. */
  modules: Map<string, Map<string, Set<string>>>;
}

const properties: ReadonlySet<string> = new Set(['createPlatformSdk', 'requirePlatformSdk']);
/** A name that stands for any of them. */
const anyProperty = 'createPlatformSdk';
const target = /^(create|require)PlatformSdk(\$\d+)?$/;
const definer = /^definePlatform(\$\d+)?$/;

/** @param scripts source text by absolute path. */
export function readCode(scripts: ReadonlyMap<string, string>): Code {
  const read = new Map([...scripts].map(([file, text]) => [file, readScript(file, text)]));

  const reaches = (file: string, name: string, seen: Set<string>): boolean => {
    const key = `${file} ${name}`;
    const script = read.get(file);
    if (!script || seen.has(key)) return false;
    seen.add(key);
    if (target.test(name)) return true;
    if (script.definers.has(name)) return false;
    if (name.startsWith(dynamicImport)) {
      const there = path.resolve(path.dirname(file), name.slice(dynamicImport.length));
      const exported = [...(read.get(there)?.exports.values() ?? [])];
      return exported.some((inner) => reaches(there, inner, seen));
    }
    const imported = script.imports.get(name);
    if (imported) {
      const there = read.get(imported.file)?.exports.get(imported.name);
      return target.test(imported.name) || (there ? reaches(imported.file, there, seen) : false);
    }
    return [...(script.mentions.get(name) ?? [])].some((next) => reaches(file, next, seen));
  };

  return {
    reachesSdk(routeId, exported) {
      for (const [file, script] of read) {
        const moduleName = script.routes.get(routeId);
        const names = moduleName && script.modules.get(moduleName)?.get(exported);
        if (names) {
          const seen = new Set<string>();
          return [...names].some((name) => reaches(file, name, seen));
        }
      }
      return null;
    },
  };
}

function readScript(file: string, text: string): Script {
  const { body }: Program = parse(text, { ecmaVersion: 'latest', sourceType: 'module' });
  const script: Script = {
    mentions: new Map(),
    imports: new Map(),
    exports: new Map(),
    definers: new Set(),
    routes: new Map(),
    modules: new Map(),
  };
  const declare = (names: Iterable<string>, node: AnyNode) => {
    const mentioned = identifiersIn(node);
    for (const name of names) script.mentions.set(name, mentioned);
  };
  for (const statement of body) {
    switch (statement.type) {
      case 'ImportDeclaration': {
        const from = path.resolve(path.dirname(file), String(statement.source.value));
        for (const specifier of statement.specifiers) {
          if (specifier.type === 'ImportSpecifier')
            script.imports.set(specifier.local.name, {
              file: from,
              name: nameOf(specifier.imported),
            });
        }
        break;
      }
      case 'ExportNamedDeclaration':
        for (const { local, exported } of statement.specifiers) {
          const name = nameOf(local);
          if (!statement.source) {
            script.exports.set(nameOf(exported), name);
            continue;
          }
          const from = path.resolve(path.dirname(file), String(statement.source.value));
          const passedOn = `${name} from ${from}`;
          script.imports.set(passedOn, { file: from, name });
          script.exports.set(nameOf(exported), passedOn);
        }
        break;
      case 'FunctionDeclaration':
        if (definer.test(statement.id.name) && returnsSdk(statement))
          script.definers.add(statement.id.name);
        declare([statement.id.name], statement);
        break;
      case 'ClassDeclaration':
        declare([statement.id.name], statement);
        break;
      case 'VariableDeclaration':
        for (const { id, init } of statement.declarations) {
          if (!init) continue;
          declare(namesIn(id), init);
          for (const name of takenAs(id)) script.mentions.set(name, new Set([anyProperty]));
          if (id.type !== 'Identifier') continue;
          if (id.name === 'routes')
            for (const [key, value] of routesIn(init)) script.routes.set(key, value);
          script.modules.set(id.name, propertiesOf(init));
        }
        break;
      default: {
        // A top-level assignment such as `x.y = …` adds to what `x` mentions.
        const mentioned = identifiersIn(statement);
        for (const name of mentioned) {
          const before = script.mentions.get(name);
          if (before && statement.type === 'ExpressionStatement' && isAssignmentTo(statement, name))
            script.mentions.set(name, new Set([...before, ...mentioned]));
        }
      }
    }
  }
  return script;
}

function isAssignmentTo(statement: AnyNode, name: string): boolean {
  if (statement.type !== 'ExpressionStatement') return false;
  const { expression } = statement;
  return expression.type === 'AssignmentExpression' && identifiersIn(expression.left).has(name);
}

/** Route id and module name, from the build's `const routes = { "id": { …, module: route3 } }`. */
function* routesIn(node: AnyNode): Iterable<[string, string]> {
  if (node.type !== 'ObjectExpression') return;
  for (const property of node.properties) {
    if (property.type !== 'Property' || property.value.type !== 'ObjectExpression') continue;
    const module = property.value.properties.find(
      (field) => field.type === 'Property' && nameOf(field.key) === 'module',
    );
    if (module?.type === 'Property' && module.value.type === 'Identifier')
      yield [nameOf(property.key), module.value.name];
  }
}

/** The identifiers in each member of a module object, which Rollup generates for `import * as`. */
function propertiesOf(node: AnyNode): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  visit(node, (inner) => {
    if (inner.type !== 'ObjectExpression' || found.size > 0) return;
    for (const property of inner.properties) {
      if (property.type === 'Property' && !property.computed)
        found.set(nameOf(property.key), identifiersIn(property.value));
    }
  });
  return found;
}

/** Whether a function makes an object with such a property, as the package's does. */
function returnsSdk(node: AnyNode): boolean {
  let found = false;
  visit(node, (inner) => {
    if (inner.type !== 'ObjectExpression') return;
    found ||= inner.properties.some(
      (property) => property.type === 'Property' && properties.has(nameOf(property.key)),
    );
  });
  return found;
}

/** The names that a pattern binds to such a property. */
function takenAs(pattern: AnyNode): string[] {
  if (pattern.type !== 'ObjectPattern') return [];
  return pattern.properties.flatMap((property) =>
    property.type === 'Property' && properties.has(nameOf(property.key))
      ? [...namesIn(property.value)]
      : [],
  );
}

/** Prefix of the pseudo-identifier for a dynamic import, which may use every export of the script. */
const dynamicImport = 'import ';

/**
 * The identifiers in code, without member names and keys except {@link properties} where they are taken from an object.
 * Includes shadowed ones: false positives are safe here.
 */
function identifiersIn(node: AnyNode): Set<string> {
  const names = namesIn(node);
  visit(node, (inner) => {
    if (inner.type === 'ImportExpression' && inner.source.type === 'Literal')
      names.add(`${dynamicImport}${String(inner.source.value)}`);
    const isTaken =
      inner.type === 'MemberExpression'
        ? properties.has(nameOf(inner.property))
        : takenAs(inner).length > 0;
    if (isTaken) names.add(anyProperty);
  });
  return names;
}

function namesIn(node: AnyNode): Set<string> {
  const names = new Set<string>();
  visit(node, (inner, parent) => {
    if (inner.type !== 'Identifier') return;
    const isMember =
      (parent?.type === 'MemberExpression' && parent.property === inner && !parent.computed) ||
      (parent?.type === 'Property' &&
        parent.key === inner &&
        !parent.computed &&
        !parent.shorthand);
    if (!isMember) names.add(inner.name);
  });
  return names;
}

function visit(
  node: AnyNode,
  see: (node: AnyNode, parent: AnyNode | null) => void,
  parent: AnyNode | null = null,
): void {
  see(node, parent);
  for (const value of Object.values(node) as unknown[]) {
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (isNode(child)) visit(child, see, node);
    }
  }
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value;
}

function nameOf(node: AnyNode): string {
  if (node.type === 'Identifier') return node.name;
  return node.type === 'Literal' ? String(node.value) : '';
}
