/** Reads an order from the studio's forms. */
import { createHash, randomUUID } from 'node:crypto';
import { parseWithZod } from '@conform-to/zod/v4';
import { promptsMax, referencesMax, type Order } from '~/platform/generations/generations';
import { orderSchema } from '~/platform/generations/order.server';

/**
 * Parses only known fields: other input never reaches the parser, which would spend memory on a
 * name such as `a[9999999]`.
 */
export function readOrder(form: FormData) {
  const own = new FormData();
  const list = (field: string, name: string, longest: number) => {
    // One more than allowed, so that the schema reports the excess.
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

/** The form's key. Without one, a repeated submission orders again. */
export function formKeyOf(form: FormData): string {
  const [key] = texts(form, 'key');
  return key ? key : randomUUID();
}

/**
 * The key of one order from a form: the same for the same order, so that it costs once, and another
 * one after an edit, since the platform refuses a key that it knows with a different order.
 */
export function orderKeyOf(formKey: string, order: Order, workspace: string | undefined): string {
  const content = JSON.stringify([formKey, order, workspace ?? null]);
  return createHash('sha256').update(content).digest('base64url');
}

/** Undefined for the workspace that is chosen on the platform. */
export function formWorkspaceOf(form: FormData): string | undefined {
  const [workspace] = texts(form, 'workspace');
  return workspace ? workspace : undefined;
}

function texts(form: FormData, name: string): string[] {
  return form.getAll(name).filter((value) => typeof value === 'string');
}
