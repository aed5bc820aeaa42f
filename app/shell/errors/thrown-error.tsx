/** The error's stack, in development only. Production builds omit it. */
export function ThrownError({ error }: { error: unknown }) {
  if (!(error instanceof Error)) return null;
  return (
    <pre
      data-development
      className="border-line bg-surface rounded-xl border p-4 text-sm wrap-anywhere whitespace-pre-wrap"
    >
      {error.stack ?? String(error)}
    </pre>
  );
}
