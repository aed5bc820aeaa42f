/** What routes may ask of the visitor's credits. */
import type { CreditHistory } from './credits';

export interface Credits {
  history(page?: { cursor?: string | undefined }): Promise<CreditHistory>;
}
