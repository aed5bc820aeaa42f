/** Validates the name of a wrapped service. */
import { pathToFileURL } from 'node:url';
import { servicesIn } from '../src/served-service.ts';
import { checkServerName, DefinitionError } from '../src/core/definition/conventions.ts';

/** A tool's full name has at most 50 characters, of which its own part needs about 17. */
const longest = 30;

/**
 * Checks the arguments of the command.
 *
 * @param names The arguments: exactly one name is expected.
 * @param sources The folder with a subfolder for each service.
 * @returns One sentence that describes the problem; undefined if there is none.
 */
export function faultOfNames(names: readonly string[], sources: string): string | undefined {
  const [name] = names;
  if (name === undefined || names.length > 1) {
    return 'Give one name, after two dashes: -- acme_crm.';
  }
  const shown = JSON.stringify(name.slice(0, 60));
  if (name.endsWith('_mcp')) return `Leave the _mcp of ${shown} out: the server's name gets it.`;
  try {
    checkServerName(`${name}_mcp`);
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    return `A service's name is lower case with underscores, without version or date: ${shown} is not.`;
  }
  if (name.length > longest) return `A service's name has ${longest} characters at most.`;
  const [other] = servicesIn(pathToFileURL(`${sources}/`));
  return other === undefined
    ? undefined
    : `There is src/services/${other} already, and a server has one service.`;
}
