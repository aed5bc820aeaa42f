/** A component has at most six props of its own. */
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { expect, test } from 'vitest';
import { fewProps } from './few-props.js';

test.each([
  [6, 0],
  [7, 1],
])('%i props of its own are %i problems', (count, problems) => {
  const props = Array.from({ length: count }, (_, index) => `prop${index}: string;`).join(' ');
  const code = `interface CardProps extends ButtonProps { ${props} }`;
  const parser = tseslint.parser as Linter.Parser;
  const config = { ...fewProps, languageOptions: { parser } };
  expect(new Linter().verify(code, [config], 'app/ui/card.tsx')).toHaveLength(problems);
});
