/**
 * `/api/notes/export`: all of the account's notes in one file, as JSON or, with `?format=markdown`,
 * as Markdown.
 */
import type { LoaderFunctionArgs } from '@remix-run/node';
import contentDisposition from 'content-disposition';
import { accountFailureResponse } from '@gatehouse/accounts';
import { checkAccount } from '~/accounts.server';
import { refusal } from '@gatehouse/frame/server';
import type { RouteHandle } from '~/route-handle';
import { exportFormats, exportNotes } from '../transfer/export.server';

export const handle = { access: 'account' } satisfies RouteHandle;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const result = await checkAccount({ request, context });
  if (!result.ok) return accountFailureResponse(result);
  const format = new URL(request.url).searchParams.get('format') ?? 'json';
  if (format !== 'json' && format !== 'markdown') return refusal(400, 'unknown_format');
  const { filename, type } = exportFormats[format];
  return new Response(exportNotes(result.account.id, format), {
    headers: {
      'content-type': type,
      'content-disposition': contentDisposition(filename),
      'cache-control': 'no-store',
    },
  });
}

export const action = () => refusal(405, 'method_not_allowed', { allow: 'GET, HEAD' });
