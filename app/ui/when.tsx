/** A moment. The same text on the server and in the browser, whose time zones differ. */
export function When({ at }: { at: string }) {
  return <time dateTime={at}>{`${format.format(new Date(at))} UTC`}</time>;
}

const format = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});
