/** What a wrapped service may be called. */
import { pathToFileURL } from 'node:url';
import { servicesIn } from '../src/served-service.ts';
import { checkServerName, DefinitionError } from '../src/core/definition/conventions.ts';

/** A tool's whole name has 50 characters at most; tools' own parts need about 17 beside the service's. */
const longest = 30;

/**
 * @param names What was typed: one name is wanted.
 * @param sources The folder with a folder for each service.
 * @returns one sentence for whoever typed it; undefined when all is well.
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
