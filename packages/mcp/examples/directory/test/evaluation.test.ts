/**
 * The evaluation of the example: ten questions that each need several tools, and scripts that answer them.
 */
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { startExampleService } from '../api/api.ts';
import { exampleService } from './directory-double.ts';
import { connectOverHttp, startServer } from '../../../test/doubles/http-server.ts';
import { solvers, type CallTool } from './evaluation/solvers.ts';

const xml = readFileSync(new URL('evaluation/questions.xml', import.meta.url), 'utf8');
const pair =
  /<qa_pair>\s*<question>\s*(.+?)\s*<\/question>\s*<answer>\s*(.+?)\s*<\/answer>\s*<\/qa_pair>/gs;
const questions = [...xml.matchAll(pair)].map(([, question = '', answer = '']) => ({
  question: question.replaceAll(/\s+/g, ' '),
  answer,
}));

/** Connects a client over HTTP and records its calls. */
async function connect() {
  const api = await startExampleService({ token: 'evaluation-token', exportStepMs: 1 });
  onTestFinished(() => api.close());
  const { url } = await startServer({
    service: exampleService(api.url, 'evaluation-token'),
  });
  const { client } = await connectOverHttp(url);
  const called: string[] = [];
  const callTool: CallTool = async (tool, args) => {
    called.push(tool);
    const result = await client.callTool({ name: `example_${tool}`, arguments: args });
    expect(result.isError, JSON.stringify(result.content)).toBeUndefined();
    return result.structuredContent;
  };
  return { callTool, called };
}

test('there are ten distinct questions with one answer each', () => {
  expect(questions).toHaveLength(10);
  expect(xml.match(/<qa_pair>/g)).toHaveLength(10);
  expect(new Set(questions.map(({ question }) => question)).size).toBe(10);
  expect(solvers).toHaveLength(10);
});

test.each(questions.map(({ question, answer }, index) => [question, answer, index] as const))(
  'can be answered with tools only: %s',
  async (question, answer, index) => {
    const { callTool, called } = await connect();
    expect(String(await solvers[index]?.(callTool))).toBe(answer);
    // It takes more than one tool, and the question names none.
    expect(new Set(called).size).toBeGreaterThan(1);
    for (const tool of called) expect(question).not.toContain(tool);
  },
);
