/** The state of the compose form, and its reducer. */
import { isBlank, truncate } from '@gatehouse/frame';
import {
  aspectRatios,
  generationKinds,
  promptMaxLength,
  promptsMax,
  referencesMax,
  type AspectRatio,
  type Generation,
  type GenerationKind,
} from '~/platform/generations/generations';
import type { Media } from '~/platform/media/media';

export interface OrderDraft {
  /** One to {@link promptsMax}. The key identifies a prompt when others are added or removed. */
  prompts: readonly { key: number; text: string }[];
  kind: GenerationKind;
  aspectRatio: AspectRatio;
  /** At most {@link referencesMax}. */
  references: readonly Reference[];
  /**
   * Identifies the submission until it is accepted, also after a reload: the same order with the
   * same key costs once. Empty until the first attempt.
   */
  key: string;
  /** Incremented when the form is filled from elsewhere, so that the page can move focus to it. */
  filled: number;
}

/** A file that the pictures should resemble. */
export interface Reference {
  key: string;
  name: string;
  /** Upload progress: 0 to 1. */
  share: number;
  /** Set once uploaded. For a generation's references, only the id is known. */
  media: (Pick<Media, 'id'> & Partial<Pick<Media, 'url' | 'contentType'>>) | null;
  /** Why the upload failed. */
  problem: string | null;
  /**
   * The account that uploaded it for this order, until an order with it is accepted: from then on a
   * generation refers to it.
   */
  uploader?: string | undefined;
}

export const emptyOrder: OrderDraft = {
  prompts: [{ key: 0, text: '' }],
  kind: 'picture',
  aspectRatio: '1:1',
  references: [],
  key: '',
  filled: 0,
};

export type OrderChange =
  | { type: 'write'; key: number; text: string }
  | { type: 'add' }
  | { type: 'remove'; key: number }
  | { type: 'choose'; kind?: GenerationKind; aspectRatio?: AspectRatio }
  | { type: 'attach'; references: readonly Reference[] }
  | { type: 'attached'; key: string; change: Partial<Reference> }
  | { type: 'detach'; key: string }
  | { type: 'fill'; order: Partial<OrderDraft> }
  | { type: 'send'; key: string }
  | { type: 'sent' }
  /** Media belong to a workspace. */
  | { type: 'moved' }
  | { type: 'clear' };

export function changeOrder(order: OrderDraft, change: OrderChange): OrderDraft {
  const { prompts, references } = order;
  switch (change.type) {
    case 'write':
      return {
        ...order,
        prompts: prompts.map((prompt) =>
          prompt.key === change.key ? { ...prompt, text: change.text } : prompt,
        ),
      };
    case 'add':
      return prompts.length < promptsMax
        ? { ...order, prompts: [...prompts, { key: nextKey(order), text: '' }] }
        : order;
    case 'remove':
      return prompts.length > 1
        ? { ...order, prompts: prompts.filter(({ key }) => key !== change.key) }
        : order;
    case 'choose': {
      const { kind = order.kind, aspectRatio = order.aspectRatio } = change;
      return { ...order, kind, aspectRatio };
    }
    case 'attach':
      return {
        ...order,
        references: [...references, ...change.references].slice(0, referencesMax),
      };
    case 'attached':
      return {
        ...order,
        references: references.map((reference) =>
          reference.key === change.key ? { ...reference, ...change.change } : reference,
        ),
      };
    case 'detach':
      return { ...order, references: references.filter(({ key }) => key !== change.key) };
    case 'fill':
      return { ...emptyOrder, ...change.order, filled: order.filled + 1 };
    case 'send':
      return { ...order, key: change.key };
    case 'sent':
      // The references are kept, since the next order often uses the same.
      return {
        ...order,
        prompts: [{ key: nextKey(order), text: '' }],
        references: references.map((reference) => ({ ...reference, uploader: undefined })),
        key: '',
      };
    case 'moved':
      return { ...order, references: [] };
    case 'clear':
      return emptyOrder;
  }
}

/** The non-blank prompts: one generation each. */
export function writtenPrompts({ prompts }: OrderDraft): string[] {
  return prompts.map(({ text }) => text).filter((text) => !isBlank(text));
}

/** A generation's order, to repeat or change it. */
export function draftOf(generation: Generation): Partial<OrderDraft> {
  const { prompt, kind, aspectRatio, references } = generation;
  return {
    prompts: [{ key: 0, text: prompt }],
    kind,
    aspectRatio,
    references: references.map((id, index) => ({
      key: id,
      name: `Reference ${index + 1}`,
      share: 1,
      media: { id },
      problem: null,
    })),
  };
}

/** The order as text, for a draft; empty if nothing was entered. */
export function serializeOrder(order: OrderDraft): string {
  const { kind, aspectRatio, key } = order;
  const prompts = order.prompts.map(({ text }) => text);
  const references = order.references.filter(({ media }) => media);
  if (writtenPrompts(order).length + references.length === 0) return '';
  return JSON.stringify({ prompts, kind, aspectRatio, references, key });
}

/** Parses what {@link serializeOrder} returned, possibly in another version of the site. */
export function parseOrder(text: string): Partial<OrderDraft> {
  let kept: Partial<Record<keyof OrderDraft, unknown>> | null;
  try {
    kept = JSON.parse(text) as typeof kept;
  } catch {
    return {};
  }
  const prompts = listOf(kept?.prompts, promptsMax).filter((prompt) => typeof prompt === 'string');
  const references = listOf(kept?.references, referencesMax) as (Partial<Reference> | null)[];
  return {
    ...(prompts.length > 0 && {
      prompts: prompts.map((text, key) => ({ key, text: truncate(text, promptMaxLength) })),
    }),
    kind: generationKinds.find((kind) => kind === kept?.kind) ?? emptyOrder.kind,
    aspectRatio:
      aspectRatios.find((ratio) => ratio === kept?.aspectRatio) ?? emptyOrder.aspectRatio,
    references: references.filter(
      (reference): reference is Reference => typeof reference?.media?.id === 'string',
    ),
    key: typeof kept?.key === 'string' ? kept.key : '',
  };
}

function listOf(value: unknown, longest: number): unknown[] {
  return Array.isArray(value) ? value.slice(0, longest) : [];
}

function nextKey({ prompts }: OrderDraft): number {
  return Math.max(...prompts.map(({ key }) => key)) + 1;
}
