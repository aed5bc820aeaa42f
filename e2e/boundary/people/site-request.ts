/** What somebody asks of the site. */
import type { Ask } from '../../harness/browser/visitor-http';

export interface SiteRequest extends Ask {
  path: string;
  /** Of the two sign-ins of whoever asks, the one that it carries. Default: both. */
  only?: 'platform' | 'account';
  /** The form that sends it, by a word that is the same for everybody; none for what scripts send. */
  form?: string;
  /** Whoever sends it is signed out of the site account by it. */
  endsSession?: boolean;
  /** It says itself where it comes from. Others with an unsafe method come from a page of the site. */
  isFromElsewhere?: boolean;
}
