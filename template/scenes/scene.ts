/** States of the site's pages, shown in the platform's frame: for axe, and for the pictures in the documents. */
import type { FrameLocator, Locator } from '@playwright/test';
import type { Framed } from '../../e2e/fixtures';
import type { Platform } from '../../e2e/platform';

export interface SceneParts {
  framed: Framed;
  platform: Platform;
  signedIn: (persona: string, path: string) => Promise<void>;
}

export interface Scene {
  /** Unique, such as `studio, empty`. */
  name: string;
  /** Brings the site into this state, from its home page on a reset platform, signed out. */
  show: (parts: SceneParts) => Promise<void>;
  /** What a picture must show, where that may be below the fold. */
  inView?: (site: FrameLocator) => Locator;
}

/** Console messages that some scenes provoke. */
export const provoked = /status of (402|404|409|410|415|422|429|50[0-9])/;
