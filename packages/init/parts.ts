/**
 * What can go. `template` always does; the others are samples. A part is its folders, and in other files
 * the lines marked with its name.
 */
export const parts = {
  template: ['template'],
  studio: ['app/studio', 'e2e/flows/studio', 'docs/pictures'],
  mcp: ['mcp-server'],
} as const satisfies Record<string, readonly string[]>;

export type Part = keyof typeof parts;
export type Sample = Exclude<Part, 'template'>;

export const samples = Object.keys(parts).filter((part): part is Sample => part !== 'template');

/** Whether a file is in one of the folders. */
export function isIn(folders: readonly string[], file: string): boolean {
  return folders.some((folder) => file === folder || file.startsWith(`${folder}/`));
}
