/** Export jobs: slow, with progress, and cancellable. */
import { teamsOf, type Directory, type Person } from './directory.ts';

interface ExportJob {
  readonly id: string;
  status: 'running' | 'finished' | 'cancelled';
  done: number;
  readonly total: number;
  /** Delay before the next poll. */
  readonly poll_after_ms: number;
  /** The name of the document with the finished export. */
  document?: string;
}

export interface ExportJobs {
  start(people: readonly Person[], fields: readonly string[]): ExportJob;
  get(id: string): ExportJob | undefined;
  cancel(id: string): boolean;
  /** Cancels every job. */
  close(): void;
}

const steps = 20;
const keptJobs = 100;

/** @param stepMs Duration of a step. A job takes twenty. */
export function createExportJobs(directory: Directory, stepMs: number): ExportJobs {
  const jobs = new Map<string, ExportJob>();
  const timers = new Map<string, NodeJS.Timeout>();
  let started = 0;

  function finish(job: ExportJob, text: string) {
    job.status = 'finished';
    job.document = `directory-${job.id}.csv`;
    const title = `Export ${job.id} of the directory`;
    directory.documents.set(job.document, { name: job.document, title, text, restricted: false });
  }

  function stop(id: string) {
    clearInterval(timers.get(id));
    timers.delete(id);
  }

  return {
    start(people, fields) {
      started += 1;
      const id = `exp_${started}`;
      const total = people.length;
      const job: ExportJob = { id, status: 'running', done: 0, total, poll_after_ms: stepMs };
      jobs.set(id, job);
      const timer = setInterval(() => {
        job.done = Math.min(total, job.done + Math.ceil(total / steps));
        if (job.done < total) return;
        stop(id);
        finish(job, csvOf(people, fields, directory));
      }, stepMs);
      timers.set(id, timer.unref());
      for (const oldest of jobs.keys()) {
        if (jobs.size <= keptJobs) break;
        stop(oldest);
        directory.documents.delete(jobs.get(oldest)?.document ?? '');
        jobs.delete(oldest);
      }
      return job;
    },
    get: (id) => jobs.get(id),
    cancel(id) {
      const job = jobs.get(id);
      if (!job) return false;
      stop(id);
      if (job.status === 'running') job.status = 'cancelled';
      return true;
    },
    close() {
      for (const id of timers.keys()) stop(id);
    },
  };
}

function csvOf(people: readonly Person[], fields: readonly string[], directory: Directory): string {
  const row = (cells: readonly string[]) =>
    cells.map((cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',');
  const lines = people.map((person) => {
    const values: Record<string, string | undefined> = {
      id: person.id,
      name: person.name,
      email: person.email,
      title: person.title,
      team: teamsOf(person, directory),
    };
    return row(fields.map((field) => values[field] ?? ''));
  });
  return [row(fields), ...lines, ''].join('\n');
}
