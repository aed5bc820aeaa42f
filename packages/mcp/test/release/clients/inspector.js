/** The Inspector's command line: a process for each request. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export function open({ command, args = [], url }) {
  const server = url === undefined ? [command, ...args] : [url, '--transport', 'http'];
  const pairs = (flag, given) =>
    Object.entries(given).flatMap(([name, value]) => [flag, `${name}=${value}`]);
  const run = async (...flags) => {
    const given = ['node_modules/.bin/mcp-inspector', '--cli', ...server, ...flags];
    const { stdout } = await promisify(execFile)(process.execPath, given).catch((error) => error);
    return JSON.parse(stdout);
  };
  return Promise.resolve({
    list: async () => (await run('--method', 'tools/list')).tools.map(({ name }) => name),
    async call(name, given, { signal } = {}) {
      if (signal) throw new Error('It cancels nothing');
      const tool = ['--method', 'tools/call', '--tool-name', name];
      const result = await run(...tool, ...pairs('--tool-arg', given));
      const [{ text }] = result.content;
      return { text, structured: result.structuredContent, isError: result.isError === true };
    },
    read: async (uri) => (await run('--method', 'resources/read', '--uri', uri)).contents[0].text,
    prompt: async (name, given) => {
      const prompt = ['--method', 'prompts/get', '--prompt-name', name];
      const { messages } = await run(...prompt, ...pairs('--prompt-args', given));
      return messages[0].content.text;
    },
    close: () => Promise.resolve(),
  });
}
