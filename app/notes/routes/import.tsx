/** `/notes/import`: imports notes from files, and exports all of them. */
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { getFormProps, useForm } from '@conform-to/react';
import { Form, Link, useActionData, useLoaderData, useNavigation } from '@remix-run/react';
import { useEffect, useRef } from 'react';
import { requireAccount } from '~/accounts.server';
import { headersOfResponse } from '@gatehouse/frame/server';
import type { RouteHandle } from '~/route-handle';
import { DownloadButton } from '~/shell/download-button';
import { titleOf } from '~/site.config';
import { Button } from '~/ui/button';
import { Card } from '~/ui/card';
import { FileField } from '~/ui/file-field';
import { Toaster } from '~/ui/toast';
import { notesReply, orUnavailable, readNotesCall } from '../note-replies.server';
import { addNotes, type Added } from '../stored/bulk.server';
import { readImport } from '../transfer/import.server';
import { importLimits } from '../transfer/limits';
import { ImportError } from '../transfer/reading.server';

/** The files, plus the form's own overhead. */
export const handle = {
  access: 'account',
  body: importLimits.bytes + 64 * 1024,
} satisfies RouteHandle;

export const headers = headersOfResponse;

export const meta: MetaFunction = () => [{ title: titleOf('Import and export') }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { account } = await requireAccount({ request, context });
  return { account: account.id };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { account } = await requireAccount({ request, context });
  const { form } = await readNotesCall({ request, context }, account);
  try {
    const notes = await readImport(form);
    return await orUnavailable(async () => {
      return notesReply({ message: messageOf(await addNotes(account.id, notes)) });
    });
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    return notesReply(
      { result: { status: 'error', error: { files: error.problems } } },
      error.status,
    );
  }
}

function messageOf({ added, known }: Added): string {
  const there = known === 1 ? 'one was already there' : `${known} were already there`;
  if (added === 0) return `Nothing was imported: ${there}.`;
  const imported = added === 1 ? 'Imported one note' : `Imported ${added} notes`;
  return known === 0 ? `${imported}.` : `${imported}; ${there}.`;
}

export default function Import() {
  const { account } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const submitting = useNavigation().formMethod === 'POST';
  // Moves focus to the field when it has an error.
  const [form] = useForm({ id: 'import-form', lastResult: reply?.result ?? null });
  const errors = submitting ? undefined : (reply?.result?.error?.['files'] ?? undefined);
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (reply?.message) element.current?.reset();
  }, [reply]);
  return (
    <div className="mx-auto grid w-full max-w-2xl gap-8">
      <div className="grid gap-1">
        <p className="text-sm">
          <Link to="/notes" className="underline underline-offset-4">
            All notes
          </Link>
        </p>
        <h1 className="font-display text-4xl">Import and export</h1>
      </div>
      <section aria-labelledby="import">
        <Card className="grid gap-4 p-5 sm:p-6">
          <h2 id="import" className="text-xl font-semibold">
            Import
          </h2>
          <Form
            ref={element}
            method="post"
            {...getFormProps(form)}
            encType="multipart/form-data"
            className="grid gap-5"
          >
            <input type="hidden" name="account" value={account} />
            <FileField
              id="files"
              name="files"
              label="JSON or Markdown files"
              hint={
                errors
                  ? 'Nothing was imported. Correct the files, then choose them again.'
                  : 'Their notes are added to yours.'
              }
              errors={errors}
              multiple
              required
              accept=".json,.md,.markdown,application/json,text/markdown"
            />
            <div className="flex flex-wrap items-center gap-3">
              <Button type="submit" aria-disabled={submitting || undefined}>
                {submitting ? 'Importing…' : 'Import'}
              </Button>
              <p role="status" className="text-sm empty:hidden">
                {submitting ? undefined : reply?.message}
              </p>
            </div>
          </Form>
        </Card>
      </section>
      <section aria-labelledby="export">
        <Card className="grid gap-4 p-5 sm:p-6">
          <h2 id="export" className="text-xl font-semibold">
            Export
          </h2>
          <p className="text-muted text-sm">
            All your notes in one file, which can be imported again.
          </p>
          <noscript>
            <p className="text-sm">Enable JavaScript to download files.</p>
          </noscript>
          <ul className="grid gap-3">
            <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
              <span id="as-json">JSON</span>
              <DownloadButton
                url="/api/notes/export"
                filename="notes.json"
                aria-describedby="as-json"
              />
            </li>
            <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
              <span id="as-markdown">Markdown</span>
              <DownloadButton
                url="/api/notes/export?format=markdown"
                filename="notes.md"
                aria-describedby="as-markdown"
              />
            </li>
          </ul>
        </Card>
      </section>
      <Toaster />
    </div>
  );
}
