import { remix } from '@gatehouse/frame/remix';
import {
  renderPage,
  type ActionFunction,
  type LoaderFunction,
} from '@gatehouse/frame/remix/testing';
import type { ComponentType } from 'react';
import { openPageIn, type PageDouble, type PageOptions as Options } from './page-double.tsx';

export * from './page-double.tsx';

export type PageOptions = Options<LoaderFunction, ActionFunction>;

/** Renders a page as the server sent it, and hydrates it. */
export function openPage(Page: ComponentType, options: PageOptions = {}): PageDouble {
  return openPageIn({ framework: remix, renderPage }, Page, options);
}
