/** What a page's head says of it. Runs in the browser too. */
import { Meta, useMatches } from '@remix-run/react';
import { useDocumentMeta, type DocumentMetaProps } from '../meta.tsx';

export { pageMeta, SiteOrigin } from '../meta.tsx';

export function DocumentMeta(props: DocumentMetaProps) {
  return <>{useDocumentMeta({ Meta, useMatches }, props)}</>;
}
