/** Reports why a call to the platform failed, for the log. A visitor learns only the status. */
import { channel, subscribe } from 'node:diagnostics_channel';

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
