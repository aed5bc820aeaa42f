/** `config://settings/{key}` (M20). */
import { z } from 'zod';
import {
  defineResource,
  path,
  type ResourceContext,
  shaped,
  UpstreamStatusError,
} from '@gatehouse/mcp';
import type { ExampleState } from '../state.ts';

type Context = ResourceContext<ExampleState>;

const keyList = z.object({ keys: z.array(z.string()).default([]) });

export const settings = defineResource({
  name: 'settings',
  title: 'Setting',
  description: 'A setting of the company directory as JSON; an empty object when there is none.',
  uriTemplate: 'config://settings/{key}',
  mimeType: 'application/json',
  async read({ key }, context: Context) {
    const { upstream } = context.lifespanState;
    try {
      const value = await upstream.request(path`/settings/${key}`, {}, context);
      return JSON.stringify(value ?? {}, null, 2);
    } catch (error) {
      if (error instanceof UpstreamStatusError && error.status === 404) return '{}';
      throw error;
    }
  },
  async complete(_variable, typed, context: Context) {
    const { upstream } = context.lifespanState;
    const { keys } = shaped(keyList, await upstream.request(path`/settings`, {}, context));
    return keys.filter((key) => key.startsWith(typed));
  },
});
