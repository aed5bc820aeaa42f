#!/usr/bin/env node
import { serve } from '@gatehouse/mcp';
import service from './service.ts';

await serve(service);
