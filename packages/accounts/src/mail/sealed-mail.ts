/** Seals mails that wait in the store: their links have tokens, of which the store otherwise has only digests. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { authSecrets } from '../session/secrets.ts';
import type { AccountsSite } from '../site.ts';
import type { Mail } from './mailer.ts';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** @param id of its row: a seal that is copied to another row does not open. */
export function sealMail(site: AccountsSite, id: string, mail: Mail): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, keyOf(authSecrets(site)[0]), nonce);
  cipher.setAAD(Buffer.from(id));
  const bytes = Buffer.concat([cipher.update(JSON.stringify(mail)), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), bytes]).toString('base64');
}

/** Null if neither the current nor the previous key opens it. */
export function openMail(site: AccountsSite, id: string, sealed: string): Mail | null {
  const bytes = Buffer.from(sealed, 'base64');
  const nonce = bytes.subarray(0, nonceBytes);
  const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes);
  for (const secret of authSecrets(site)) {
    try {
      const options = { authTagLength: tagBytes };
      const decipher = createDecipheriv(algorithm, keyOf(secret), nonce, options);
      decipher.setAAD(Buffer.from(id)).setAuthTag(tag);
      const rest = decipher.update(bytes.subarray(nonceBytes + tagBytes));
      return JSON.parse(Buffer.concat([rest, decipher.final()]).toString()) as Mail;
    } catch {
      // The other key may open it.
    }
  }
  return null;
}

/** A key of its own, so that nothing else that the secret signs can be taken for a seal. */
function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'mail outbox', 32));
}
