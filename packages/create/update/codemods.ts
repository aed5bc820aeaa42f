/** What a release edits in a site's sources, so that they fit its packages. */

export interface Codemod {
  /** The release that needs it: `2.0.0`. */
  version: string;
  /** What it does, for the report. */
  does: string;
  /**
   * @param texts - A site's text files, by path: its own, and those of the release that made it.
   * @returns the new texts of those that change.
   */
  edit: (texts: ReadonlyMap<string, string>) => ReadonlyMap<string, string>;
}

/** In the order in which they run. */
export const codemods: readonly Codemod[] = [];
