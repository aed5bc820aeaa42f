import { z } from 'zod';
import { prompt } from '@gatehouse/mcp';

export const findPersonToAsk = prompt({
  name: 'find_person_to_ask',
  title: 'Find a person to ask',
  description: 'Finds who in the company can answer a question, and says why.',
  arguments: z.strictObject({
    question: z.string().trim().min(2).max(500).describe('What you want to know.'),
  }),
  render: ({ question }) =>
    [
      `I want to ask somebody in the company: ${JSON.stringify(question)}`,
      '',
      '1. Name the two or three teams that are most likely to know, and search for each with example_search_users.',
      '2. Read the most promising people with example_get_user_profile. Prefer the lead of the team.',
      '3. Give me one name and one to fall back on: each with the team, the e-mail address and a sentence why.',
    ].join('\n'),
});
