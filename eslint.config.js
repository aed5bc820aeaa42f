import { siteConfig } from '@gatehouse/lint';
import { mcpServerConfig } from './mcp-server/lint/config.js'; // sample: mcp

export default siteConfig(import.meta.dirname, [
  ...mcpServerConfig('mcp-server/'), // sample: mcp
]);
