/** The name of a wrapped service, in each spelling. */
import { checkServerName, DefinitionError } from '../src/core/definition/conventions.ts';

/** A tool's full name has at most 50 characters, of which its own part needs about 17. */
const longest = 30;

/** @returns One sentence that describes the problem; undefined if there is none. */
export function faultOfNew(name: string, others: readonly string[] = []): string | undefined {
  if (name === '' || others.length > 0) {
    return 'Give the name of the service, and at most a folder: gatehouse-mcp new acme_crm.';
  }
  const shown = JSON.stringify(name.slice(0, 60));
  if (name.endsWith('_mcp')) return `Leave the _mcp of ${shown} out: the server's name gets it.`;
  try {
    checkServerName(`${name}_mcp`);
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    return `A service's name is lower case with underscores, without version or date: ${shown} is not.`;
  }
  return name.length > longest ? `A service's name has ${longest} characters at most.` : undefined;
}

/**
 * Puts the service in the place of the starter's.
 *
 * @param folder The name of the folder.
 */
export function renamed(text: string, service: string, folder: string): string {
  const dashed = service.replaceAll('_', '-');
  const title = `${service.charAt(0).toUpperCase()}${service.slice(1)}`.replaceAll('_', ' ');
  const spellings: Readonly<Record<string, string>> = {
    'the Example company directory': title,
    'The Example company directory': title,
    'Example company directory': title,
    'the Example company': title,
    EXAMPLE_: `${service.toUpperCase()}_`,
    example_: `${service}_`,
    '/example-mcp/dist': `/${folder}/dist`,
    'example-mcp': `${dashed}-mcp`,
    '"example":': `"${service}":`,
    'http://127.0.0.1:4010': `https://api.${dashed}.example/v1`,
    'example-development-token': 'a-token-of-the-service',
  };
  const any = new RegExp(Object.keys(spellings).join('|').replaceAll('.', '\\.'), 'g');
  return text.replaceAll(any, (found) => spellings[found] ?? found);
}
