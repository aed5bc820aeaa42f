import { siteConfig } from '@gatehouse/lint';
import { mcpPackageConfig, mcpServerConfig } from '@gatehouse/mcp/lint'; // sample: mcp

export default siteConfig(import.meta.dirname, [
  ...mcpServerConfig('mcp-server/'), // sample: mcp
  ...mcpPackageConfig('packages/mcp/'), // sample: mcp
]);
