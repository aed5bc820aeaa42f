import { reactRouter } from '@gatehouse/frame/react-router';
import {
  renderPage,
  type ActionFunction,
  type LoaderFunction,
} from '@gatehouse/frame/react-router/testing';
import type { ComponentType } from 'react';
import { openPageIn, type PageDouble, type PageOptions as Options } from './page-double.tsx';

export * from './page-double.tsx';

export type PageOptions = Options<LoaderFunction, ActionFunction>;

/** Renders a page as the server sent it, and hydrates it. */
export function openPage(Page: ComponentType, options: PageOptions = {}): PageDouble {
  return openPageIn({ framework: reactRouter, renderPage }, Page, options);
}
