/** An order as the studio's forms send it. */
import { randomUUID } from 'node:crypto';
import { parseWithZod } from '@conform-to/zod/v4';
import { promptsMax, referencesMax } from '~/platform/sdk/generations/generations';
import { idempotencyKeySchema, orderSchema } from '~/platform/sdk/generations/order.server';

/** The fields that it knows. Others are not its own, and a name such as `a[9999999]` is costly to read. */
export function readOrder(form: FormData) {
  const own = new FormData();
  const list = (field: string, name: string, longest: number) => {
    // One more than fits, so that it is told.
    for (const [index, value] of texts(form, field)
      .slice(0, longest + 1)
      .entries())
      own.set(`${name}[${index}]`, value);
  };
  list('prompt', 'prompts', promptsMax);
  list('reference', 'references', referencesMax);
  for (const name of ['kind', 'aspectRatio']) {
    const [value] = texts(form, name);
    if (value) own.set(name, value);
  }
  return parseWithZod(own, { schema: orderSchema });
}

/** Where the form brought no key, what it orders may be ordered again. */
export function orderKeyOf(form: FormData): string {
  const key = idempotencyKeySchema.safeParse(form.get('key'));
  return key.success ? key.data : randomUUID();
}

/** Undefined for the workspace that the platform has as chosen. */
export function workspaceOf(form: FormData): string | undefined {
  const [workspace] = texts(form, 'workspace');
  return workspace ? workspace : undefined;
}

function texts(form: FormData, name: string): string[] {
  return form.getAll(name).filter((value) => typeof value === 'string');
}
