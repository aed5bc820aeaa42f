import { siteKnip } from '@gatehouse/server/knip';

export default await siteKnip();
