/** Markdown files of other programs. */
import { expect, test } from 'vitest';
import type { NotesSite } from './notes-suite';

export function markdownFiles({ owner, upload, imported }: NotesSite): void {
  test('a Markdown file’s front matter gives title, tags and date, and other words of it are kept', async () => {
    const ada = await owner();
    const day = '2024-05-01T00:00:00.000Z';
    for (const [file, note] of [
      [
        '---\ntitle: Plan\ntags: [Home, "a: b"]\ndate: 2024-05-01\n---\n\nText\n',
        { title: 'Plan', text: 'Text', tags: ['a: b', 'home'], createdAt: day, updatedAt: day },
      ],
      [
        '\uFEFF---\r\ntitle: "Ünï: \'x\'"\r\ntags:\r\n  - b\r\n  - 2024\r\n---\r\nText',
        { title: "Ünï: 'x'", text: 'Text', tags: ['2024', 'b'] },
      ],
      [
        '---\ntags: b, a\n---\n# Heading\n\nText',
        { title: 'Heading', text: 'Text', tags: ['a', 'b'] },
      ],
      ['---\ntitle: 007\ntags:\n---\n', { title: '007', text: '', tags: [] }],
      ['---\ntitle: Same\n---\n\n# Same\n\nText', { title: 'Same', text: 'Text' }],
      ['---\ntitle: One\n---\n# Other\n\nText', { title: 'One', text: '# Other\n\nText' }],
      ['---\ntitle: null\npinned: true\n...\n# Heading\n', { title: 'Heading', pinned: true }],
      // The library would warn of this key, and print it.
      ['---\ntitle: x\n? [a, b]\n: c\n---\nText\n', { title: 'x' }],
      [
        '---\ntitle: x\nlayout: post # why\naliases:\n  - A\n---\nText\n',
        { title: 'x', text: 'Text\n\n---\nlayout: post # why\naliases:\n  - A\n---' },
      ],
      [
        '---\nkey with space: v\ntitle: X\n---\nText',
        { title: 'X', text: 'Text\n\n---\nkey with space: v\n---' },
      ],
      [
        '---\ntítulo: v\ntags: a\n---\n# X\nText',
        { title: 'X', tags: ['a'], text: 'Text\n\n---\ntítulo: v\n---' },
      ],
      ['---\n标题: v\n---\n# X\nText', { title: 'X', text: 'Text\n\n---\n标题: v\n---' }],
      ['---\n"a b": v\n---\n# X\nText', { title: 'X', text: 'Text\n\n---\n"a b": v\n---' }],
      ['---\ntitle: !!str 007\n---\n', { title: '007' }],
      ['---\ntitle: "**bold**, !a &b #c"\n---\n', { title: '**bold**, !a &b #c' }],
      [
        '---\nabout: A site.\nlayout: post\n---\n# X\n',
        { title: 'X', text: '---\nabout: A site.\nlayout: post\n---' },
      ],
      // Comments are words.
      [
        '---\n# first\ntitle: Song # 5\ntags: #a\n---\nText',
        { title: 'Song', text: 'Text\n\n---\n# first\n# 5\n#a\n---' },
      ],
      [
        '---\n# first\n\ntitle: x\ncover: !img &a y # z\n# last\n---\n',
        { title: 'x', text: '---\n# first\n\ncover: &a !img y # z\n\n# last\n---' },
      ],
      // Not front matter.
      ...[
        'Note: this is a paragraph.\n---\nMore',
        '**Note**: words\n---\nMore',
        'Note: this is a: paragraph\n---\nMore',
        'Note: a paragraph\nof two lines\n---\nMore',
        'Note: *really*\n---\nMore',
        'Note: "quoted" words\n\nMore\n...\nEnd',
        'Note: a paragraph',
        `Note: long\n${'x\n'.repeat(3_000)}---\nEnd`,
      ].map((text) => [`---\n${text}`, { title: '', text: `---\n${text}` }] as const),
      ['# A\n<!-- note to self -->\nText', { title: 'A', text: '<!-- note to self -->\nText' }],
      [
        '<!-- note {"tags":["a"]} --> \n# A\n\\<!-- note x',
        { title: 'A', tags: ['a'], text: '<!-- note x' },
      ],
      ['---\nText\n---\nMore', { title: '', text: '---\nText\n---\nMore' }],
      ['---\ntitle: x\n', { title: '', text: '---\ntitle: x' }],
      ['Text\n---\ntitle: x\n---\n', { title: '', text: 'Text\n---\ntitle: x\n---' }],
      [
        `---\n\n${'x\n'.repeat(3_000)}---\nEnd`,
        { title: '', text: `---\n\n${'x\n'.repeat(3_000)}---\nEnd` },
      ],
    ] as const) {
      expect([file, await imported(ada, { 'a.md': file })]).toEqual([
        file,
        [expect.objectContaining(note)],
      ]);
    }
  });

  test('a note that begins with a line of dashes is listed by its first words', async () => {
    const ada = await owner();
    await upload(ada, ada.account, { 'a.md': '---\n\n***\nFirst words\n---' });
    expect((await ada.visitor.get('/notes')).text).toContain('>First words</a>');
  });
}
