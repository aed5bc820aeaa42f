/** A platform with one person, which responds at once. */
import { createServer } from 'node:http';

const profile = JSON.stringify({ id: 'p1', name: 'Ada Okafor', plan: 'Studio', credits: 23 });

const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(profile);
});
server.listen(Number(process.env['PORT']), '127.0.0.1');
