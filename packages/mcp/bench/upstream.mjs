/** The upstream of every server in the benchmark: returns twenty precomputed users. */
import { createServer } from 'node:http';

const users = Array.from({ length: 20 }, (_, index) => ({
  id: `U${1000 + index}`,
  name: `Person ${index}`,
  email: `person.${index}@example.com`,
  ...(index % 3 > 0 && { team: 'Research' }),
}));
const body = Buffer.from(JSON.stringify({ users, total: 57 }));
const headers = { 'content-type': 'application/json', 'content-length': body.length };

createServer((request, response) => {
  request.resume();
  response.writeHead(200, headers).end(body);
}).listen(Number(process.env.PORT), '127.0.0.1');
