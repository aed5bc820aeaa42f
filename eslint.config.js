import { siteConfig } from '@gatehouse/lint';

export default await siteConfig(import.meta.dirname);
