/** A placeholder for loading content. Hidden from screen readers. */
export function Skeleton({ className = '' }: { className?: string }) {
  return <div aria-hidden className={`bg-line animate-breathe rounded-lg ${className}`} />;
}
