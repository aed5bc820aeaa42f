/** What tools and resources are given alike (M24, M26): who calls, the state, and whether anyone still waits. */
import { wholeSignal, type Cancellation } from '../../core/context/cancellation.ts';
import { CallTiming, type Caller } from '../../core/context/tool-context.ts';
import type { ResourceContext } from '../../core/definition/define-service.ts';
import type { Call } from '../connection.ts';

/**
 * A class, since a literal with a getter gets a hidden class of its own each time, which keeps what it
 * closes over until the old generation is collected.
 */
export class RequestContext implements ResourceContext {
  readonly cancellation: Cancellation;
  readonly timing: CallTiming;
  readonly caller: Caller;
  readonly serverName: string;
  readonly lifespanState: unknown;

  constructor({ runtime, caller, extra }: Call) {
    this.cancellation = extra.signal;
    this.timing = extra.timing ?? new CallTiming();
    this.caller = caller;
    this.serverName = runtime.service.name;
    this.lifespanState = runtime.state;
  }

  get signal(): AbortSignal {
    return wholeSignal(this.cancellation);
  }
}
