/** The client of Vercel's AI SDK. */
import { createMCPClient, ElicitationRequestSchema } from '@ai-sdk/mcp';
import { StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';

export async function open({ command, args, url, answer }) {
  const client = await createMCPClient({
    transport:
      url === undefined
        ? new StdioMCPTransport({ command, args, stderr: 'inherit' })
        : { type: 'http', url },
    capabilities: { elicitation: {} },
  });
  client.onElicitationRequest(ElicitationRequestSchema, answer);
  return {
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name, given, options = {}) {
      const result = await client.callTool({ name, arguments: given, options });
      const [{ text }] = result.content;
      return { text, structured: result.structuredContent, isError: result.isError === true };
    },
    read: async (uri) => (await client.readResource({ uri })).contents[0].text,
    prompt: async (name, given) =>
      (await client.getPrompt({ name, arguments: given })).messages[0].content.text,
    close: () => client.close(),
  };
}
