/** The context that tools, resources and prompts share (M24, M26): the caller, the state and the cancellation. */
import { wholeSignal, type Cancellation } from '../../core/context/cancellation.ts';
import { CallTiming, type Caller } from '../../core/context/tool-context.ts';
import type { ResourceContext } from '../../core/definition/service-definition.ts';
import type { Call } from '../connection.ts';

/**
 * A class, because an object literal with a getter gets a new hidden class each time, and that retains the closure
 * until the old generation is collected.
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
