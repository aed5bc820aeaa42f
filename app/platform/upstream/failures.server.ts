/** Tells why the platform could not be asked, for the log. A visitor learns only the status. */
import { channel, subscribe } from 'node:diagnostics_channel';

export interface UpstreamFailureReport {
  /** Path below the internal address, with its query. */
  path: string;
  /** `unavailable`, `timeout`, or what was wrong with the answer. Nothing the platform said. */
  reason: string;
  cause?: unknown;
  requestId?: string | undefined;
}

const reports = channel('platform:upstream-failure');

export function reportUpstreamFailure(report: UpstreamFailureReport): void {
  reports.publish(report);
}

/** A channel of the process: under Vite, routes and the server load modules of their own. */
export function onUpstreamFailure(listener: (report: UpstreamFailureReport) => void): void {
  subscribe(reports.name, (report) => {
    listener(report as UpstreamFailureReport);
  });
}
