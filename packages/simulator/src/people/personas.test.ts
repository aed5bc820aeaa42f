/** The personas, and the settings. */
import { describe, expect, it } from 'vitest';

import { readSettings } from '../programs/env.ts';
import { printShop } from '../../test/print-shop.ts';
import { createPersonaBook, displayName, initialOf, parsePersonas } from './personas.ts';

const somebody = {
  id: 'a',
  purpose: 'To be refused',
  colour: '#000000',
  credits: 1,
  profile: { id: 'a' },
};

describe('personas', () => {
  it('are read from a list like the file’s', () => {
    expect(parsePersonas([somebody])).toEqual([somebody]);
  });

  it('include one without credits, one full of markup and one with almost no profile', () => {
    const people = createPersonaBook(printShop.personas).list();
    expect(people.some(({ credits }) => credits === 0)).toBe(true);
    expect(people.some((persona) => displayName(persona).includes('<b>'))).toBe(true);
    expect(people.some(({ profile }) => Object.keys(profile).length === 1)).toBe(true);
  });

  it('have an initial that is a letter of the name', () => {
    const initials = createPersonaBook(printShop.personas).list().map(initialOf);
    expect(initials).toEqual(['A', 'B', 'Z', 'U']);
  });

  it('come in crowds that are all different', () => {
    const book = createPersonaBook(printShop.personas);
    const ids = [...book.addCrowd(3), ...book.addCrowd(2)].map(({ profile }) => profile.id);
    expect(new Set(ids).size).toBe(5);
    book.reset();
    expect(book.find('crowd-1')).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['an empty list', []],
    ['something other than a list', {}],
    ['an invalid colour', [{ ...somebody, colour: 'red' }]],
    ['negative credits', [{ ...somebody, credits: -1 }]],
    ['a profile without an id', [{ ...somebody, profile: {} }]],
    ['a person without a purpose', [{ ...somebody, purpose: '' }]],
    ['a duplicate id', [somebody, somebody]],
  ])('are refused in one sentence when the file has %s', (_what, list) => {
    expect(() => parsePersonas(list)).toThrow(/^personas\.json is not valid.*\.$/);
  });
});

describe('the settings', () => {
  it('have defaults that need no .env', () => {
    expect(readSettings({})).toEqual({
      PLATFORM_PORT: 4000,
      PLATFORM_INTERNAL_PORT: 4001,
      SITE_UPSTREAM: 'http://127.0.0.1:3000',
      PORT: 3000,
      MCP_PORT: 3333,
      EXAMPLE_SERVICE_PORT: 4010,
    });
  });

  it.each([
    ['PLATFORM_PORT', 'x'],
    ['PLATFORM_PORT', '70000'],
    ['PLATFORM_INTERNAL_PORT', '-1'],
    ['PORT', '3.5'],
    ['MCP_PORT', 'x'],
    ['MCP_PORT', ' '],
    ['PORT', '1e3'],
    ['PORT', '+5'],
    ['PLATFORM_PORT', '0x10'],
    ['EXAMPLE_SERVICE_PORT', '-1'],
    ['SITE_UPSTREAM', 'localhost:3000'],
    ['SITE_UPSTREAM', 'ftp://localhost:3000'],
    ['SITE_UPSTREAM', 'http://user@localhost:3000'],
  ])('are refused in one sentence that names %s when it is %s', (name, value) => {
    expect(() => readSettings({ [name]: value })).toThrow(new RegExp(`^${name} must be .*\\.$`));
  });

  it.each([
    ['HTTP://LocalHost:3000/', 'http://localhost:3000'],
    ['http://127.0.0.1:80', 'http://127.0.0.1'],
    ['http://bücher.example:3000', 'http://xn--bcher-kva.example:3000'],
  ])('normalise the upstream %s to %s', (given, origin) => {
    expect(readSettings({ SITE_UPSTREAM: given }).SITE_UPSTREAM).toBe(origin);
  });

  it('refuse an upstream with a path, and name the right spelling', () => {
    expect(readSettings({ PORT: '' }).PORT).toBe(3000);
    expect(() => readSettings({ SITE_UPSTREAM: 'http://admin:1234/s3cret@p' })).toThrow(
      'SITE_UPSTREAM must be an http address such as http://127.0.0.1:3000.',
    );
    expect(() => readSettings({ SITE_UPSTREAM: 'http://127.0.0.1:3000/shop' })).toThrow(
      'SITE_UPSTREAM must be http://127.0.0.1:3000, without anything after the port.',
    );
  });
});
