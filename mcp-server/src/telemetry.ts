/** OpenTelemetry, where its own variables ask for it. Without them nothing of it is loaded. */
import type { AroundCall } from './adapters/calls/call-hooks.ts';
import { wantsTelemetry } from './env.ts';

export interface Telemetry {
  readonly around: AroundCall;
  /** Sends what was not sent yet. */
  end(): Promise<void>;
}

/** The SDK reads its settings from the environment by itself. It is no dependency: an operator installs it. */
const sdkPackage = '@opentelemetry/sdk-node';

interface Sdk {
  readonly NodeSDK: new () => { start(): void; shutdown(): Promise<void> };
}

/**
 * @returns undefined where no variable asks for it.
 * @throws Error with one sentence when the SDK is not installed.
 */
export async function startTelemetry(): Promise<Telemetry | undefined> {
  if (!wantsTelemetry()) return undefined;
  const { NodeSDK } = await loadSdk();
  const sdk = new NodeSDK();
  sdk.start();
  // After the start: what asks for a meter before has one that measures nothing.
  const { measureCalls } = await import('./adapters/calls/measure-calls.ts');
  return { around: measureCalls(), end: () => sdk.shutdown() };
}

async function loadSdk(): Promise<Sdk> {
  try {
    return (await import(sdkPackage)) as Sdk;
  } catch (error) {
    const isAbsent = (error as { code?: unknown }).code === 'ERR_MODULE_NOT_FOUND';
    if (!isAbsent) throw error;
    throw new Error(`OTEL_… variables ask for telemetry, which needs npm install ${sdkPackage}.`);
  }
}
