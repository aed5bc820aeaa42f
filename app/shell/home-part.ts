/** What a feature adds to the home page. */
import type { ComponentType } from 'react';

export interface HomePart {
  /** Parts are in ascending order. */
  order: number;
  /** A card that says how the site works. */
  point: { title: string; text: string };
  /** Who the visitor is, and how to sign in. */
  Welcome: ComponentType;
}
