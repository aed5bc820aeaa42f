/** Streaming forms with a file. */
import { expect, test } from 'vitest';
import { PlatformSdkError } from './sdk-error.ts';
import { readUploadForm } from './upload-form.ts';

const address = 'https://site.example/upload';

/** The length of a file, read to its end. */
async function measured(file: ReadableStream<Uint8Array>): Promise<number> {
  return (await new Response(file).arrayBuffer()).byteLength;
}

function formOf(parts: Record<string, string | Blob>): Request {
  const body = new FormData();
  for (const [name, value] of Object.entries(parts)) body.set(name, value);
  return new Request(address, { method: 'POST', body });
}

/** A raw form body, in chunks. */
function raw(chunks: (string | Uint8Array)[], type = 'multipart/form-data; boundary=b'): Request {
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk === undefined) controller.close();
      else controller.enqueue(Buffer.from(chunk));
    },
  });
  return streamed(stream, type);
}

function streamed(body: ReadableStream<Uint8Array>, type = 'multipart/form-data; boundary=b') {
  const init: RequestInit = { method: 'POST', body, headers: { 'content-type': type } };
  return new Request(address, Object.assign(init, { duplex: 'half' }));
}

const fileHead =
  '--b\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n';

async function failureOf(form: Promise<unknown>): Promise<PlatformSdkError> {
  const error: unknown = await form.catch((thrown: unknown) => thrown);
  if (!(error instanceof PlatformSdkError)) throw new Error(`no SDK error: ${String(error)}`);
  return error;
}

test('returns the fields before and after the file, and the result of the file', async () => {
  const form = formOf({ title: 'Zoë', file: new File(['x'.repeat(200_000)], 'a.png'), note: 'n' });
  let known: unknown;
  const { fields, file } = await readUploadForm(form, 'file', (stream, before) => {
    known = Object.fromEntries(before);
    return measured(stream);
  });
  expect(Object.fromEntries(fields)).toEqual({ title: 'Zoë', note: 'n' });
  expect([file, known]).toEqual([200_000, { title: 'Zoë' }]);
});

test.each([
  ['an empty file field', new File([], '')],
  ['a text field', 'x'],
])('%s counts as no file', async (_, value) => {
  const form = formOf({ file: value });
  expect((await readUploadForm(form, 'file', measured)).file).toBeUndefined();
});

test('an error thrown synchronously for the file is the form’s error', async () => {
  const refused = new PlatformSdkError(409, 'account_changed');
  const form = formOf({ file: new File(['x'.repeat(200_000)], 'a.png') });
  const failure = readUploadForm(form, 'file', () => {
    throw refused;
  });
  await expect(failure).rejects.toBe(refused);
});

test('a file in another field is ignored', async () => {
  const form = formOf({ other: new File(['x'.repeat(200_000)], 'a.png') });
  expect((await readUploadForm(form, 'file', measured)).file).toBeUndefined();
});

test('reads the form only as fast as its file is consumed', async () => {
  let given = 0;
  const part = Buffer.alloc(64 * 1024);
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(given === 0 ? Buffer.from(fileHead) : part);
      given += 1;
    },
  });
  const form = streamed(stream);
  const failure = failureOf(
    readUploadForm(form, 'file', async (file) => {
      const reader = file.getReader();
      for (let read = 0; read < 10; read++) await reader.read();
      // Gives everything asynchronous the time to run.
      for (let tick = 0; tick < 100; tick++) await new Promise((resolve) => setImmediate(resolve));
      throw new PlatformSdkError(415, 'unsupported_media_type');
    }),
  );
  expect(await failure).toMatchObject({ status: 415 });
  expect(given).toBeLessThan(30);
});

test.each([
  ['in the file', [fileHead, 'x'.repeat(1_000)]],
  ['in a field', ['--b\r\ncontent-disposition: form-data; name="a"\r\n\r\nx']],
  ['in the headers of a part', [fileHead.slice(0, 30)]],
  ['at the very start', []],
])('a form truncated %s is 400, and its file’s stream errors', async (_, chunks) => {
  let ending = 'none';
  const take = async (file: ReadableStream<Uint8Array>) => {
    ending = await measured(file).then(
      () => 'whole',
      () => 'broken',
    );
    return ending;
  };
  const failure = await failureOf(readUploadForm(raw([...chunks]), 'file', take));
  expect(failure).toMatchObject({ status: 400, code: 'malformed_form' });
  expect(ending).toBe(chunks[0] === fileHead ? 'broken' : 'none');
});

test('a visitor who disconnects makes the file’s stream error', async () => {
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (controller.desiredSize === 1) controller.enqueue(Buffer.from(fileHead + 'x'));
      controller.error(new Error('gone'));
    },
  });
  const failure = failureOf(readUploadForm(streamed(stream), 'file', measured));
  expect(await failure).toMatchObject({ status: 400 });
});

const field = (name: string, value: string) =>
  `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

test.each([
  ['too many fields', Array.from({ length: 21 }, (_, index) => field(`f${index}`, 'x'))],
  ['a field that is too large', [field('f', 'x'.repeat(64 * 1024 + 1))]],
  ['two files', [`${fileHead}x\r\n`, `${fileHead}x\r\n`]],
])('%s is 400', async (_, parts) => {
  const failure = failureOf(readUploadForm(raw([...parts, '--b--\r\n']), 'file', measured));
  expect(await failure).toMatchObject({ status: 400, code: 'malformed_form' });
});

test.each([
  ['another content type', 'application/x-www-form-urlencoded'],
  ['no boundary', 'multipart/form-data; x=y'],
  ['no content type', ''],
])('%s is 400', async (_, type) => {
  expect(await failureOf(readUploadForm(raw(['a=b'], type), 'file', measured))).toMatchObject({
    status: 400,
  });
});
