/** Loads OpenTelemetry if its own environment variables request it. */
import type { AroundCall } from './adapters/calls/call-hooks.ts';
import { wantsTelemetry } from './env.ts';

export interface Telemetry {
  readonly around: AroundCall;
  end(): Promise<void>;
}

/** Not a dependency: the operator installs it. The SDK reads its settings from the environment. */
const sdkPackage = '@opentelemetry/sdk-node';

interface Sdk {
  readonly NodeSDK: new () => { start(): void; shutdown(): Promise<void> };
}

/**
 * @returns Undefined if no variable requests telemetry.
 * @throws Error with one sentence if the SDK is not installed.
 */
export async function startTelemetry(): Promise<Telemetry | undefined> {
  if (!wantsTelemetry()) return undefined;
  const { NodeSDK } = await loadSdk();
  const sdk = new NodeSDK();
  sdk.start();
  // Imported after the SDK has started: a meter created earlier would be a no-op.
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
