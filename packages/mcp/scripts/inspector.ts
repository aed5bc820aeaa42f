/** The MCP Inspector, which npx downloads, with the Node.js that it needs. */
const inspector = '@modelcontextprotocol/inspector@2.12.0';

/** The command that runs a program of the Inspector's environment. */
export function inInspector(...program: readonly string[]): [command: string, args: string[]] {
  const node = ['--yes', '--package=node@22', '--', 'npx'];
  return ['npx', [...node, '--yes', `--package=${inspector}`, '--', ...program]];
}

export function inspectorCommand(...flags: readonly string[]): [command: string, args: string[]] {
  return inInspector('mcp-inspector', ...flags);
}
