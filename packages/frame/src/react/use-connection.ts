/** The page's connection to the site. */
import { useSyncExternalStore } from 'react';
import {
  connected,
  connectionState,
  subscribe,
  type ConnectionState,
} from '../browser/connection.ts';

/** The current outage, if any. */
export function useConnection(): ConnectionState {
  return useSyncExternalStore(subscribe, connectionState, () => connected);
}
