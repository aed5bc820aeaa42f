import { mcpServerKnip } from '@gatehouse/mcp/knip';

export default { 'mcp-server': mcpServerKnip };
