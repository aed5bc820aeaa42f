/** What was thrown, for whoever develops the site. Production's build leaves it out. */
export function ThrownError({ error }: { error: unknown }) {
  if (!(error instanceof Error)) return null;
  return (
    <pre
      className="border-line bg-surface overflow-x-auto rounded-xl border p-4 text-sm"
      tabIndex={0}
    >
      {error.stack ?? String(error)}
    </pre>
  );
}
