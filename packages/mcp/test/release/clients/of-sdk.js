/** What the clients of both major versions of the SDK have in common. */
export function clientOf(client, callTool) {
  return {
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name, args, options) {
      const result = await callTool({ name, arguments: args }, options);
      const [{ text }] = result.content;
      return { text, structured: result.structuredContent, isError: result.isError === true };
    },
    read: async (uri) => (await client.readResource({ uri })).contents[0].text,
    prompt: async (name, args) =>
      (await client.getPrompt({ name, arguments: args })).messages[0].content.text,
    close: () => client.close(),
  };
}
