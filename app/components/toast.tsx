/** Short messages at the edge of the page. */
import { Toaster as Sonner } from 'sonner';
import 'sonner/dist/styles.css';

export { toast } from 'sonner';

/** Stands on each page that uses {@link toast}; pages that do not are spared its weight. */
export function Toaster() {
  return <Sonner theme="system" position="bottom-center" toastOptions={{ duration: 6_000 }} />;
}
