import { siteKnip } from '@gatehouse/server/knip';
import { mcpServerKnip } from './mcp-server/lint/knip.js'; // sample: mcp
import { templateKnip } from './template/knip.js'; // sample: template

export default siteKnip({
  'mcp-server': mcpServerKnip, // sample: mcp
  ...templateKnip, // sample: template
});
