/** Starts a picture, for one credit. */
import { jsonAnswer } from '../../harness/internal-api/fault-delivery';
import type { SiteOperation } from '../state';

export const submitGeneration: SiteOperation = {
  name: 'submit',
  method: 'POST',
  path: '/generations',
  run({ persona, personas, state: { generations }, headers, body }) {
    if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) {
      return jsonAnswer(415, { error: 'unsupported_media_type', message: 'Send JSON.' });
    }
    const prompt = promptIn(body);
    const problem = generations.problemWith(prompt);
    if (problem !== null || typeof prompt !== 'string') {
      return jsonAnswer(422, { error: 'invalid_prompt', message: problem });
    }
    if (!personas.spendCredit(persona)) {
      return jsonAnswer(402, { error: 'insufficient_credits', message: 'No credits are left.' });
    }
    return jsonAnswer(201, generations.submit(persona.id, prompt));
  },
};

function promptIn(body: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null && 'prompt' in value ? value.prompt : null;
  } catch {
    return null;
  }
}
