/** A page for tests of what the shell shows in its place. */
import { useLoaderData } from '@remix-run/react';
import { useState } from 'react';

/** Shows the page's data, and keeps what is typed in its own state. */
export function Diary() {
  const { owner } = useLoaderData<{ owner: string }>();
  const [typed, type] = useState('');
  return (
    <label>
      Diary of {owner}
      <input
        value={typed}
        onChange={({ target }) => {
          type(target.value);
        }}
      />
    </label>
  );
}
