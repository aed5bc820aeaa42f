/** LangChain's adapters: the server's tools as LangChain's own. */
import { MultiServerMCPClient } from '@langchain/mcp-adapters';

export async function open({ command, args, url }) {
  let onprogress;
  const clients = new MultiServerMCPClient({
    mcpServers: {
      probe:
        url === undefined
          ? { transport: 'stdio', command, args, stderr: 'inherit' }
          : { transport: 'http', url, automaticSSEFallback: false },
    },
    onProgress: (progress) => onprogress?.(progress),
  });
  const tools = await clients.getTools();
  return {
    list: () => Promise.resolve(tools.map(({ name }) => name)),
    async call(name, given, options = {}) {
      ({ onprogress } = options);
      const tool = tools.find((each) => each.name === name);
      try {
        const content = await tool.invoke(given, { signal: options.signal });
        const { text, structuredContent } =
          typeof content === 'string' ? { text: content } : content;
        return { text, structured: structuredContent, isError: false };
      } catch (error) {
        if (error.name !== 'ToolException' || options.signal?.aborted) throw error;
        return {
          text: error.message.replace(/^MCP tool .* returned an error: /, ''),
          isError: true,
        };
      }
    },
    read: async (uri) => (await clients.readResource('probe', uri))[0].text,
    async prompt(name, given) {
      const client = await clients.getClient('probe');
      return (await client.getPrompt({ name, arguments: given })).messages[0].content.text;
    },
    close: () => clients.close(),
  };
}
