import { siteConfig } from '@gatehouse/lint';
import { mcpServerConfig } from '@gatehouse/mcp/lint'; // sample: mcp
import { mcpPackageConfig } from './packages/mcp/lint/config.js'; // sample: template

export default siteConfig(import.meta.dirname, [
  ...mcpServerConfig('mcp-server/'), // sample: mcp
  ...mcpPackageConfig('packages/mcp/'), // sample: template
]);
