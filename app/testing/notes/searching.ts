// sample: notes
/** Searching notes in many scripts. */
import { expect, test } from 'vitest';
import type { NotesSite } from './notes-suite';

interface Written {
  script: string;
  /** The words of each note. */
  notes: string[];
  /** By query, the notes that are found. */
  finds: Record<string, number[]>;
}

const everyScript: Written[] = [
  {
    script: 'Latin letters with diacritics, and without a decomposition',
    notes: [
      'Łódź, Kraków',
      'Smørrebrød på Ærø',
      'Straße, STRAẞE',
      'Đà Nẵng',
      'Diyarbakır, İzmir',
      'Œuvre, cœur',
      'Þórður',
      'Hawaiʻi',
      'Bakı, Gəncə',
    ],
    finds: {
      lodz: [0],
      ŁÓDŹ: [0],
      smorrebrod: [1],
      aero: [1],
      strasse: [2],
      STRASSE: [2],
      straße: [2],
      'da nang': [3],
      diyarbakir: [4],
      izmir: [4],
      'IZMIR diyarbakır': [4],
      oeuvre: [5],
      coeur: [5],
      thordur: [6],
      hawaii: [7],
      gence: [8],
      odz: [],
    },
  },
  {
    script: 'Greek',
    notes: ['Ο δρόμος της Αθήνας', 'ΔΡΟΜΟΣ'],
    finds: { δρομος: [0, 1], δρόμοσ: [0, 1], ΔΡΌΜΟΣ: [0, 1], αθηνα: [0], ρομος: [] },
  },
  {
    script: 'Cyrillic',
    notes: ['Тёплый хлеб, чай', 'Київ і Ґанок'],
    finds: { теплый: [0], 'ХЛЕБ тёпл': [0], 'ча\u0438\u0306': [0], київ: [1], леб: [] },
  },
  {
    script: 'Hebrew, with and without points',
    notes: ['שָׁלוֹם עולם', 'לחם ומים'],
    finds: { שלום: [0], שָׁלוֹם: [0], 'עולם שלום': [0], ומים: [1], לום: [] },
  },
  {
    script: 'Arabic, with and without vowels',
    notes: ['كِتَابٌ جديد', 'أحمد في بغداد', 'كتـــاب', 'می‌خواهم'],
    finds: { كتاب: [0, 2], كِتاب: [0, 2], احمد: [1], 'بغداد أحمد': [1], تاب: [], میخواهم: [3] },
  },
  {
    script: 'Arabic, whose letters have several forms',
    notes: ['ٱلرحمن', 'مسألة', 'على شئ', 'کتابی', 'مدرسة', 'سنة ١٤٤٥', 'ﻻ ﺣﻮﻝ', 'ءمن'],
    finds: {
      الرحمن: [0],
      ٱلرحمن: [0],
      أٓلرحمن: [0],
      مسالة: [1],
      مسأله: [1],
      علي: [2],
      على: [2],
      شي: [2],
      كتابي: [3],
      مدرسه: [4],
      '1445': [5],
      '۱۴۴۵': [5],
      'لا حول': [6],
      رحمن: [],
    },
  },
  {
    script: 'Armenian',
    notes: ['Երևան և Գյումրի', 'Երեւան եւ Գյումրի', 'ԵՐԵՎԱՆ'],
    finds: {
      երևան: [0, 1, 2],
      երեւան: [0, 1, 2],
      ԵՐԵՎԱՆ: [0, 1, 2],
      և: [0, 1],
      եւ: [0, 1],
      ևան: [],
    },
  },
  {
    script: 'Malayalam and Bengali, whose letters without a vowel are written in several ways',
    notes: ['അവൻ വന്നു', 'അവന്\u200D വന്നു', 'എൻ്റെ', 'എന്റെ', 'കാർ പാൽ', 'উৎসব', 'উত্\u200Dসব'],
    finds: {
      അവൻ: [0, 1],
      'അവന്\u200D': [0, 1],
      എൻ്റെ: [2, 3],
      എന്റെ: [2, 3],
      എൻറെ: [2, 3],
      'കാര്\u200D': [4],
      'പാല്\u200D': [4],
      കാല: [],
      উৎসব: [5, 6],
      'উত্\u200Dসব': [5, 6],
      উসব: [],
    },
  },
  {
    script: 'words with an apostrophe, however it is typed',
    notes: [
      'Hawaiʻi',
      "Hawai'i",
      'Hawai’i',
      'Hawai‘i',
      'Hawaii',
      "l'homme d’état",
      'м’яч',
      'мʼяч',
      "'Okina ʻokina",
      'col·lecció',
      "צ'יפס צ׳יפס",
    ],
    finds: {
      "hawai'i": [0, 1, 2, 3, 4],
      hawaiʻi: [0, 1, 2, 3, 4],
      'hawai’i': [0, 1, 2, 3, 4],
      'hawai`i': [0, 1, 2, 3, 4],
      'hawai´i': [0, 1, 2, 3, 4],
      hawaii: [0, 1, 2, 3, 4],
      homme: [5],
      "l'homme": [5],
      lhomme: [5],
      état: [5],
      "d'etat": [5],
      "м'яч": [6, 7],
      мʼяч: [6, 7],
      мяч: [6, 7],
      ʻokina: [8],
      "'okina": [8],
      colleccio: [9],
      'col·leccio': [9],
      "צ'יפס": [10],
    },
  },
  {
    script: 'symbols and signs alone, and in words',
    notes: [
      'a → b',
      'x ∑ y',
      '5 €',
      'C++ and C#',
      'C only',
      '# not a heading',
      '100% & more @ home',
      'x^2 ~ y_2',
      '½ ° © §',
      '≠ ≥',
      'R&D at AT&T',
      '! ? . , ; : - ( )',
    ],
    finds: {
      '→': [0],
      '∑': [1],
      '€': [2],
      'C++': [3],
      'c#': [3],
      '++': [3],
      C: [3, 4],
      '#': [3, 5],
      '%': [6],
      '100%': [6],
      '&': [6, 10],
      '@': [6],
      '@ home': [6],
      '^': [7],
      '~': [7],
      'x^2': [7],
      '½': [8],
      '°': [8],
      '©': [8],
      '§': [8],
      '≠': [9],
      '≥': [9],
      '=': [],
      'r&d': [10],
      'at&t': [10],
      '%_': [6],
      '\\%': [6],
      '→→': [],
    },
  },
  {
    script: 'Devanagari, whose marks are vowels',
    notes: ['राम की किताब', 'राम का घर', 'हिन्दी भाषा'],
    finds: {
      की: [0],
      का: [1],
      क: [0, 1],
      राम: [0, 1],
      'राम घर': [1],
      हिन्दी: [2],
      हिन्द: [2],
      हन्दी: [],
      ताब: [],
    },
  },
  {
    script: 'Thai',
    notes: ['ฉันเรียนภาษาไทยทุกวัน', 'วันนี้กินน้ำและข้าว', 'ปู่'],
    finds: {
      ภาษา: [0],
      ไทย: [0],
      ภาษาไทย: [0],
      ไทยภาษา: [],
      น้ำ: [1],
      ข้าว: [1],
      ขาว: [],
      วัน: [0, 1],
      ปู: [2],
    },
  },
  {
    script: 'Khmer',
    notes: ['ខ្ញុំរៀនភាសាខ្មែរនៅសាលា', 'ផ្ទះ\u200Bរបស់\u200Bខ្ញុំ'],
    finds: {
      ភាសា: [0],
      ខ្មែរ: [0],
      ភាសាខ្មែរ: [0],
      ខ្មែរភាសា: [],
      សាលា: [0],
      ខ្ញុំ: [0, 1],
      ផ្ទះរបស់: [1],
    },
  },
  {
    script: 'Lao',
    notes: ['ຂ້ອຍຮຽນພາສາລາວຢູ່ໂຮງຮຽນ', 'ຂ້ອຍກິນເຂົ້າໜຽວ'],
    finds: {
      ພາສາ: [0],
      ລາວ: [0],
      ພາສາລາວ: [0],
      ລາວພາສາ: [],
      ໂຮງຮຽນ: [0],
      ຂ້ອຍ: [0, 1],
      ເຂົ້າໜຽວ: [1],
      ເຂົ້າຫນຽວ: [1],
    },
  },
  {
    script: 'Burmese',
    notes: ['ကျွန်တော်မြန်မာစာလေ့လာသည်', 'ရေနွေးသောက်မည်'],
    finds: { မြန်မာ: [0], စာ: [0], မြန်မာစာ: [0], စာမြန်မာ: [], လေ့လာ: [0], ရေနွေး: [1], သောက်: [1] },
  },
  {
    script: 'Han',
    notes: [
      '我们在北京学习中文',
      '中国人民银行',
      '人民在中国',
      '第3章 iPhone用ケース',
      '中華人民共和國萬歲萬萬歲',
    ],
    finds: {
      北京: [0],
      京: [0],
      学习中文: [0],
      文中: [],
      中国: [1, 2],
      人民: [1, 2, 4],
      中国人民: [1],
      '中国 人民': [1, 2],
      第3章: [3],
      '3章': [3],
      iphone用: [3],
      用: [3],
      中華人民共和國萬歲萬萬歲: [4],
      中華人民共和國萬歲萬歲: [],
      中華人民共和國萬歲萬萬年: [],
    },
  },
  {
    script: 'Japanese',
    notes: ['日本語を勉強する', '本日は語る', 'ガラスのコップ', '柿と鍵：かき、かぎ', 'ｶﾞｿﾘﾝ'],
    finds: {
      日本語: [0],
      本日: [1],
      語: [0, 1],
      勉強: [0],
      ガラス: [2],
      カラス: [],
      コップ: [2],
      かぎ: [3],
      き: [3],
      ガソリン: [4],
    },
  },
  {
    script: 'Hangul',
    notes: ['한국어를 배웁니다', '하늘과 바다', '\u1112\u1161\u11ab강'],
    finds: {
      한국: [0],
      한국어: [0],
      '배웁니다 한국어': [0],
      하: [1],
      하늘: [1],
      한강: [2],
      국어: [],
    },
  },
  {
    script: 'emoji and other symbols',
    notes: [
      'Bien joué 👍🏽',
      'Family 👨‍👩‍👧',
      'I ❤️ you',
      'Flags: 🇫🇷🇺🇸',
      '1️⃣ first, 5 € each',
      'Great👍work',
    ],
    finds: {
      '👍': [0, 5],
      '👍🏿': [0, 5],
      '👩': [1],
      '👨‍👩‍👧': [1],
      '👧👨': [],
      '❤': [2],
      '❤️': [2],
      '😀': [],
      '🇫🇷': [3],
      '🇷🇺': [],
      '1️⃣': [4],
      '€': [4],
      work: [5],
      'great👍': [5],
    },
  },
];

export function searchingNotes({ owner, add, send, titles }: NotesSite): void {
  test.for(everyScript)(
    'words are found in $script, and letters that differ are told apart',
    async ({ notes, finds }) => {
      const ada = await owner();
      for (const [at, words] of notes.entries())
        await add(ada, { title: `n${at}`, text: `Before\n${words}\nafter` });
      const found: Record<string, number[]> = {};
      for (const query of Object.keys(finds)) {
        const numbers = (await titles(ada, `?q=${encodeURIComponent(query)}`)).map((title) =>
          Number(title.slice(1)),
        );
        found[query] = numbers.sort((one, other) => one - other);
      }
      expect(found).toEqual(finds);
    },
  );

  test('words are found in a title, a text and a tag alike, but a phrase does not reach across them', async () => {
    const ada = await owner();
    await add(ada, { title: 'in the title 東京', text: '都市', tags: '京都' });
    for (const [query, count] of Object.entries({ 東京: 1, 都市: 1, 京都: 1, 東京都: 0, 市: 1 })) {
      expect([query, await titles(ada, `?q=${encodeURIComponent(query)}`)]).toHaveProperty(
        '1.length',
        count,
      );
    }
  });

  test('every word of a query is searched, and a query that is too long is cut between characters', async () => {
    const ada = await owner();
    const words = Array.from({ length: 12 }, (_, at) => `word${at}`);
    const id = await add(ada, { title: 'All', text: words.join(' ') });
    await add(ada, { title: 'Most', text: words.slice(0, -1).join(' ') });
    const query = `?q=${words.join('+')}`;
    expect(await titles(ada, query)).toEqual(['All']);
    await send(ada, `/notes/${id}`, {
      intent: 'save',
      version: '1',
      title: 'All',
      text: '😀'.repeat(200),
    });
    expect(await titles(ada, `?q=${encodeURIComponent(`${'😀'.repeat(199)}😀😀`)}`)).toEqual([
      'All',
    ]);
    expect(await titles(ada, `?q=${encodeURIComponent(`${'😀'.repeat(150)} z`)}`)).toEqual([]);
  });

  test('the page says how words are found, and what of a query was not searched', async () => {
    const ada = await owner();
    await add(ada, { title: 'Bread' });
    const page = async (query: string) =>
      (await ada.visitor.get(`/notes${query && `?q=${encodeURIComponent(query)}`}`)).text;
    const beginnings = 'Words are found by their beginning';
    expect(await page('')).not.toContain(beginnings);
    expect(await page('bread')).toContain(beginnings);
    expect(await page('absent')).toContain(beginnings);
    expect(await page('“…”')).toContain('punctuation is ignored');
    expect(await page('bread '.repeat(40))).toContain(
      'Only the first 200 characters were searched.',
    );
  });
}
