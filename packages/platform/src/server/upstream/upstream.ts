/** The platform's internal API, below one address. */
import { getGlobalDispatcher, type Dispatcher } from 'undici';
import { callUpstream, type UpstreamResponse, type UpstreamCall } from './call.ts';
import { openUpstream, type UpstreamStream, type UpstreamStreamCall } from './stream.ts';

export interface Upstream {
  /** For small bodies: {@link callUpstream}. */
  call: (call: UpstreamCall) => Promise<UpstreamResponse>;
  /** For bodies too large to buffer: {@link openUpstream}. */
  open: (call: UpstreamStreamCall) => Promise<UpstreamStream>;
}

/** The address of a path below the internal one, which starts with a slash, and what takes calls there. */
export type UpstreamAddress = (path: string) => {
  dispatcher: Dispatcher;
  origin: string;
  path: string;
};

/** @param internalUrl read at the first call. */
export function createUpstream(internalUrl: () => string): Upstream {
  let base: { origin: string; prefix: string } | undefined;
  return upstreamAt((path) => {
    if (!base) {
      const { origin, pathname } = new URL(internalUrl());
      base = { origin, prefix: pathname.replace(/\/$/, '') };
    }
    // Where the platform attaches identity.
    const dispatcher = getGlobalDispatcher();
    return { dispatcher, origin: base.origin, path: base.prefix + path };
  });
}

export function upstreamAt(addressOf: UpstreamAddress): Upstream {
  return {
    call: (call) => callUpstream(addressOf, call),
    open: (call) => openUpstream(addressOf, call),
  };
}
