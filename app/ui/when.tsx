/** A time in UTC, so that server and browser render the same text. */
export function When({ at }: { at: string }) {
  return <time dateTime={at}>{`${format.format(new Date(at))} UTC`}</time>;
}

const format = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});
