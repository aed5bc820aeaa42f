/** Only site accounts may ask for a password. */
import { phrasings } from '../../test/rule-tester.ts';
import rule from './password-field.js';

const page = (markup: string, around = '') =>
  `import { createElement } from 'react';\n${around}\ndeclare const shown: boolean;\nexport default function Page() {\n  void createElement; void shown;\n  return ${markup};\n}`;

phrasings(
  'site/password-field reports password fields [W05] [W30]',
  rule,
  {
    password: [
      page('<input type="password" name="secret" />'),
      page("<input type={'password'} />"),
      page("<input type={shown ? 'text' : 'password'} />"),
      page('<input type={kind} />', "const kind = 'password';"),
      "export default function Page() {\n  const kind = 'password';\n  return <input type={kind} />;\n}",
      page('<Field type="password" />', 'declare function Field(props: { type: string }): null;'),
      page('<input name="pin" autoComplete="current-password" />'),
      page("<input {...{ type: 'password' }} />"),
      page('<input {...field} />', "const field = { type: 'password' };"),
      page("createElement('input', { type: 'password' })"),
      page("((document.createElement('input').type = 'password'), null)"),
      page('<input type={kinds.secret} />', "const kinds = { secret: 'password' };"),
      page(
        '<input type={kindOf(shown)} />',
        "const kindOf = (is: boolean) => (is ? 'text' : 'password');",
      ),
      page(
        'fields.map((field) => <input key={field.name} {...field} />)',
        "const fields = [{ name: 'x', type: 'password' }];",
      ),
      "import { useState } from 'react';\nexport default function Page() {\n  const [kind] = useState('password');\n  return <input type={kind} />;\n}",
      page("(document.createElement('input').setAttribute('type', 'password'), null)"),
    ],
  },
  [
    page('<input type="text" name="password-hint" />'),
    page('<p>This site keeps no password.</p>'),
    page('<input type={kind} />', "const kind = 'email';"),
    page(
      '<Link to="/docs/password">x</Link>',
      'declare function Link(props: { to: string; children: string }): null;',
    ),
  ],
);
