/** What the site's configuration of ESLint adds for packages. */
import { mcpPackageConfig } from '@gatehouse/mcp/lint';

export default mcpPackageConfig('packages/mcp/');
