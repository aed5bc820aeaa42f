import { z } from 'zod';
import { prompt } from '@gatehouse/mcp';

const lengths = ['short', 'detailed'] as const;

export const onboardNewcomer = prompt({
  name: 'onboard_newcomer',
  title: 'Plan a first week',
  description: 'Writes a first-week plan for a new colleague from the directory and the handbook.',
  arguments: z.strictObject({
    name: z.string().trim().min(2).max(200).describe('The newcomer, as the directory knows them.'),
    length: z.enum(lengths).optional().describe('short (default) or detailed.'),
  }),
  render: ({ name, length = 'short' }) =>
    [
      `Plan the first week of our new colleague ${JSON.stringify(name)}. Make it ${length}.`,
      '',
      '1. Find them with example_search_users; ask me which one when there are several.',
      '2. Read their teams and team leads with example_get_user_profile.',
      '3. Read the resources file://documents/onboarding.md and config://settings/working_hours. Where you cannot,',
      '   ask me to attach them; what I do not have, leave out, and say so.',
      '4. Write the plan day by day. Name whom they meet, with e-mail addresses. Keep to the working hours.',
    ].join('\n'),
  complete: (argument, typed) =>
    argument === 'length' ? lengths.filter((length) => length.startsWith(typed)) : [],
});
