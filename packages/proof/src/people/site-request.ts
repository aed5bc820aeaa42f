/** A request to the site. */
import type { RequestOptions } from '@gatehouse/simulator/http';

export interface SiteRequest extends RequestOptions {
  path: string;
  /** Which of the person's two sessions it carries. Default: both. */
  only?: 'platform' | 'account';
  /** A key of the form that sends it, equal for all people; none for requests that only scripts send. */
  form?: string;
  /** It ends the session of the site account. */
  endsSession?: boolean;
  /** It sets its own `Origin`. Other requests with an unsafe method are sent as from a page of the site. */
  isFromElsewhere?: boolean;
}
