import { siteConfig } from '@gatehouse/lint';
// sample: mcp
import {
  mcpPackageConfig, // sample: template
  mcpServerConfig,
} from '@gatehouse/mcp/lint';
// /sample

export default siteConfig(import.meta.dirname, [
  ...mcpServerConfig('mcp-server/'), // sample: mcp
  ...mcpPackageConfig('packages/mcp/'), // sample: template
]);
