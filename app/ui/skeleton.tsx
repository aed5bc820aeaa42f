/** The shape of something that is on its way. Says nothing to a screen reader. */
export function Skeleton({ className = '' }: { className?: string }) {
  return <div aria-hidden className={`bg-line animate-breathe rounded-lg ${className}`} />;
}
