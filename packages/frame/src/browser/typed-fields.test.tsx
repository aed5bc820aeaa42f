// @vitest-environment happy-dom
/** What a document that is rendered anew gets of the fields before it. */
import { createRoot, type Root } from 'react-dom/client';
import { act, useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { keepTypedFields } from './typed-fields.ts';

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);

const html = `
  <form id="order">
    <input type="hidden" name="account" value="ada">
    <input name="title" value="Given">
    <input name="mail" type="email">
    <textarea name="words">Given</textarea>
    <input name="tags" type="checkbox" value="a"><input name="tags" type="checkbox" value="b" checked>
    <input name="size" type="radio" value="s" checked><input name="size" type="radio" value="l">
    <select name="kind"><option>One</option><option>Two</option></select>
    <select name="many" multiple><option>One</option><option selected>Two</option></select>
    <button>Send</button>
  </form>`;

const changed = vi.fn<(what: string) => void>();
let root: Root | undefined;

afterEach(() => {
  act(() => {
    root?.unmount();
  });
  document.body.innerHTML = '';
  changed.mockReset();
});

const field = (selector: string) => {
  const found = document.querySelector<HTMLInputElement>(selector);
  if (!found) throw new Error(`There is no ${selector}.`);
  return found;
};

const many = () => document.querySelector<HTMLSelectElement>('[name=many]')?.options ?? [];

/** The same form, rendered by React, with a field whose value React holds. */
function Order() {
  const [title, setTitle] = useState('Given');
  const [kind, setKind] = useState('One');
  return (
    <form id="order">
      <input type="hidden" name="account" value="ada" />
      <input
        name="title"
        value={title}
        onChange={({ target }) => {
          setTitle(target.value);
          changed('title');
        }}
      />
      <input name="mail" type="email" />
      <textarea name="words" defaultValue="Given" />
      <input
        name="tags"
        type="checkbox"
        value="a"
        onChange={() => {
          changed('a');
        }}
      />
      <input name="tags" type="checkbox" value="b" defaultChecked />
      <input name="size" type="radio" value="s" defaultChecked />
      <input name="size" type="radio" value="l" />
      <select
        name="kind"
        value={kind}
        onChange={({ target }) => {
          setKind(target.value);
          changed('kind');
        }}
      >
        <option>One</option>
        <option>Two</option>
      </select>
      <select name="many" multiple defaultValue={['Two']}>
        <option>One</option>
        <option>Two</option>
      </select>
      <button>Send</button>
      <output>
        {title} {kind}
      </output>
    </form>
  );
}

function renderAnew(): void {
  document.body.innerHTML = '<div id="root"></div>';
  root = createRoot(field('#root'));
  act(() => root?.render(<Order />));
}

test('values, checks, choices and focus are handed on, and React sees them', () => {
  document.body.innerHTML = html;
  const restore = keepTypedFields();
  field('[name=account]').value = 'mallory';
  field('[name=title]').value = 'Typed';
  field('[name=mail]').value = 'ada@site.example';
  field('[name=words]').value = 'Some\nwords';
  field('[value=a]').checked = true;
  field('[value=b]').checked = false;
  field('[value=l]').checked = true;
  field('[name=kind]').value = 'Two';
  const [first, second] = many();
  Object.assign(first ?? {}, { selected: true });
  Object.assign(second ?? {}, { selected: false });
  field('[name=words]').focus();
  renderAnew();
  act(restore);

  expect(field('[name=account]').value).toBe('ada');
  expect(field('[name=title]').value).toBe('Typed');
  expect(field('[name=mail]').value).toBe('ada@site.example');
  expect(field('[name=words]').value).toBe('Some\nwords');
  expect([field('[value=a]').checked, field('[value=b]').checked]).toEqual([true, false]);
  expect([field('[value=s]').checked, field('[value=l]').checked]).toEqual([false, true]);
  expect([...many()].map(({ selected }) => selected)).toEqual([true, false]);
  expect(field('output').textContent).toBe('Typed Two');
  expect(document.activeElement).toBe(field('[name=words]'));
  expect(changed.mock.calls.flat().sort()).toEqual(['a', 'kind', 'title']);
});

test('fields that nobody changed stay, and nothing is handed on twice', () => {
  document.body.innerHTML = html;
  const restore = keepTypedFields();
  field('[name=mail]').value = 'ada@site.example';
  renderAnew();
  act(restore);
  expect(changed).not.toHaveBeenCalled();
  field('[name=mail]').value = '';
  act(restore);
  expect(field('[name=mail]').value).toBe('');
});

test('once the document is hydrated, nothing of it is kept', () => {
  document.body.innerHTML = html;
  const listened = vi.spyOn(document, 'addEventListener');
  const released = vi.spyOn(document, 'removeEventListener');
  const restore = keepTypedFields();
  field('[name=title]').value = 'Typed';
  restore();
  for (const [event, listener] of listened.mock.calls) {
    expect(released).toHaveBeenCalledWith(event, listener);
  }
  expect(listened).toHaveBeenCalled();
  renderAnew();
  act(restore);
  expect(field('[name=title]').value).toBe('Given');
});

test('foreign fields get nothing, and give nothing', () => {
  document.body.innerHTML = html;
  const foreign = Object.assign(document.createElement('input'), { name: 'mail', value: 'x@y.z' });
  field('form').prepend(foreign, Object.assign(document.createElement('input'), { value: 'y' }));
  foreign.defaultValue = '';
  const restore = keepTypedFields();
  foreign.value = 'x@y.z';
  renderAnew();
  document.body.append(document.createElement('input'));
  act(restore);
  expect(field('[name=mail]').value).toBe('');
  expect(field('body > input').value).toBe('');
});

test('an error that React recovers from without rendering anew changes nothing', () => {
  document.body.innerHTML = html;
  const restore = keepTypedFields();
  field('[name=title]').value = 'Typed';
  restore();
  expect(field('[name=title]').value).toBe('Typed');
  expect(changed).not.toHaveBeenCalled();
});
