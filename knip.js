import { mcpServerKnip } from '@gatehouse/mcp/knip'; // sample: mcp
import { siteKnip } from '@gatehouse/server/knip';
import { templateKnip } from './template/knip.js'; // sample: template

export default siteKnip({
  'mcp-server': mcpServerKnip, // sample: mcp
  ...templateKnip, // sample: template
});
