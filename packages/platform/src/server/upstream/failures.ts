/** A failed call to the platform, and why it failed, for the log. A visitor learns only the status. */
import { channel, subscribe } from 'node:diagnostics_channel';

/** The platform gave no usable response. Contains nothing from the platform. */
export class UpstreamFailure extends Error {
  override name = 'UpstreamFailure';
  constructor(
    readonly reason: 'unavailable' | 'timeout' | 'aborted',
    options?: ErrorOptions,
  ) {
    super(`The platform's response is ${reason}.`, options);
  }
  /** The status for the site's response: 504 after the deadline, otherwise 502. */
  get status(): 502 | 504 {
    return this.reason === 'timeout' ? 504 : 502;
  }
}

/** The body that the site sends for an {@link UpstreamFailure}. */
export const upstreamUnavailable = { error: 'upstream_unavailable' } as const;

export interface UpstreamFailureReport {
  /** Path below the internal address, with its query. */
  path: string;
  /**
   * `unavailable`, `timeout`, or what was wrong with the response. Nothing from the platform
   * itself.
   */
  reason: string;
  cause?: unknown;
  requestId?: string | undefined;
}

const reports = channel('platform:upstream-failure');

export function reportUpstreamFailure(report: UpstreamFailureReport): void {
  reports.publish(report);
}

/**
 * A process-wide channel, because under Vite the routes and the server have separate module
 * instances.
 */
export function onUpstreamFailure(listener: (report: UpstreamFailureReport) => void): void {
  subscribe(reports.name, (report) => {
    listener(report as UpstreamFailureReport);
  });
}
