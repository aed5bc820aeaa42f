/** What the readers of the formats report. */
import { withoutInvisible } from '@gatehouse/frame/server';
import { truncate } from '@gatehouse/frame';
import { importLimits } from './limits';

/** Why a file cannot be read: what follows its name in a sentence. */
export class FileProblem extends Error {
  override name = 'FileProblem';
}

/** Why nothing was imported. */
export class ImportError extends Error {
  override name = 'ImportError';

  /** @param problems sentences, each of which says where a problem is and what to do. */
  constructor(
    readonly problems: string[],
    readonly status: 413 | 422 = 422,
  ) {
    super('Nothing was imported.');
  }
}

/** Problems that are listed. The rest of the files is not read. */
const mostListed = 20;

/** Collects the problems of all files. */
export class Problems {
  readonly #list: string[] = [];

  /** @throws {ImportError} if there are many. */
  add(problem: string): void {
    this.#list.push(problem);
    if (this.#list.length < mostListed) return;
    throw new ImportError([...this.#list, `These are the first ${mostListed}. There may be more.`]);
  }

  /** @throws {ImportError} if there are any. */
  check(): void {
    if (this.#list.length > 0) throw new ImportError(this.#list);
  }
}

export function tooMuch(): ImportError {
  const { notes, files, bytes } = importLimits;
  const most = `at most ${notes} notes, ${files} files and ${bytes / 1024 / 1024} MB`;
  return new ImportError([`Too much at once: ${most}. Import the files in parts.`], 413);
}

/** The name of a file or a member, which may be very long, or change the direction of what follows. */
export function shortened(name: string): string {
  const beginning = withoutInvisible(name.slice(0, 500).toWellFormed()).replaceAll(/\s+/g, ' ');
  const short = truncate(beginning, 80);
  return short === beginning && name.length <= 500 ? short : `${short}…`;
}
