/** What was thrown, for whoever develops the site. Production's build leaves it out. */
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
