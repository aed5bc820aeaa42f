/** What the site's configuration of ESLint adds for this folder. */
import { mcpServerConfig } from '@gatehouse/mcp/lint';

export default mcpServerConfig('mcp-server/');
