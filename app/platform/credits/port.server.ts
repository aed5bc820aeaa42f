/** The port: credits. */
import type { CreditHistory } from './credits';

export interface Credits {
  history(page?: { cursor?: string | undefined }): Promise<CreditHistory>;
}
