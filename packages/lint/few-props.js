/**
 * What a component takes of its own, besides what it passes on to an element.
 * @type {import('eslint').Linter.Config}
 */
export const fewProps = {
  files: ['app/**/*.tsx'],
  rules: {
    'no-restricted-syntax': [
      'error',
      {
        selector: 'TSInterfaceDeclaration[id.name=/Props$/] > TSInterfaceBody[body.length>6]',
        message:
          'A component has at most six props of its own: split it, or let it take some from a context.',
      },
    ],
  },
};
