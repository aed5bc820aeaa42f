/** Which modules of the browser's build go into the chunk that every page loads. */

/**
 * Puts everything that all pages load into one chunk. Rollup would split it by what routes have in common,
 * and small chunks compress worse: the home page's scripts were 3 kB larger.
 *
 * @returns {import('vite').Plugin}
 */
export function shellChunk() {
  /** @type {Set<string> | undefined} */
  let shell;
  return {
    name: 'gatehouse:shell-chunk',
    apply: 'build',
    configEnvironment(name, options, { isSsrBuild }) {
      if (name !== 'client' || isSsrBuild) return;
      const output = { manualChunks, onlyExplicitManualChunks: true };
      return { build: { rollupOptions: { output } } };
    },
    buildStart() {
      shell = undefined;
    },
  };

  /**
   * @param {string} id
   * @param {import('vite').Rollup.ManualChunkMeta} modules
   */
  function manualChunks(id, { getModuleIds, getModuleInfo }) {
    shell ??= importedBy(
      [...getModuleIds()].filter((id) => /\/app\/(entry\.client|root)\.tsx$/.test(id)),
      getModuleInfo,
    );
    return shell.has(id) ? 'shell' : undefined;
  }
}

/**
 * The modules' imports, direct and indirect, without the modules themselves. Of an index that exports other modules'
 * names, only the modules whose names are imported.
 *
 * @param {readonly string[]} modules
 * @param {import('vite').Rollup.GetModuleInfo} infoOf
 */
function importedBy(modules, infoOf) {
  /** @type {Set<string>} */
  const found = new Set();
  const visit = (/** @type {string} */ id) => {
    for (const next of namedImportsOf(id, infoOf)) {
      if (found.has(next) || /\.css($|\?)/.test(next)) continue;
      found.add(next);
      visit(next);
    }
  };
  for (const id of modules) visit(id);
  for (const id of modules) found.delete(id);
  return found;
}

/** An entry of a package in this repository, or installed. */
const isIndex = (/** @type {string} */ id) =>
  /\/(packages|node_modules\/@gatehouse)\/\w+\/(src|dist)\/(\w+\/)*index\.[jt]s$/.test(id);

const isNamespace = (/** @type {any} */ { type }) => type === 'ImportNamespaceSpecifier';

/** What a specifier is called in the module that it comes from. */
const nameOf = (/** @type {any} */ { imported, local }) =>
  /** @type {string} */ ((imported ?? local).name);

/**
 * @param {string} id
 * @param {import('vite').Rollup.GetModuleInfo} infoOf
 * @returns {readonly string[]}
 */
function namedImportsOf(id, infoOf) {
  const { ast, importedIds = [] } = infoOf(id) ?? {};
  if (!ast || !importedIds.some(isIndex)) return importedIds;
  const imports = ast.body.flatMap((node) => ('source' in node ? node : []));
  // Rollup lists a module's imports in the order of its statements.
  const sources = [...new Set(imports.flatMap(({ source }) => source?.value ?? []))];
  return importedIds.flatMap((imported, index) => {
    if (!isIndex(imported)) return imported;
    const exporting = infoOf(imported)?.importedIds ?? [];
    const specifiers = imports
      .filter(({ source }) => source?.value === sources[index])
      .map((node) => ('specifiers' in node ? node.specifiers : undefined));
    // `export * from` and `import * as` take all names.
    if (specifiers.some((list) => !list || list.some(isNamespace))) return exporting;
    const names = specifiers.flatMap((list) => list?.map(nameOf));
    return exporting.filter((id) => infoOf(id)?.exports?.some((name) => names.includes(name)));
  });
}
