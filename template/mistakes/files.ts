/** Files whose bytes, type and name disagree. The correct counterparts are in `correct-routes.ts`. */
import { api, fileBytes, plainPage, type Mistake } from './mistake';

export const files: readonly Mistake[] = [
  {
    row: 'a file whose bytes, type and name disagree',
    reportedAs: ['frame/file-disagrees'],
    variants: {
      'png-sent-as-jpeg': {
        api: api(
          `return new Response(${fileBytes.png}, { headers: { 'content-type': 'image/jpeg', 'content-disposition': 'attachment; filename="cover.jpg"' } });`,
        ),
      },
      'png-under-jpeg-type': {
        api: api(
          `const headers = new Headers({ 'content-type': 'image/jpeg' });\n  return new Response(${fileBytes.png}, { headers });`,
        ),
      },
      'table-under-sheet-name': {
        api: api(
          `return new Response('name,age\\nAda,36\\n', { headers: { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="people.xlsx"' } });`,
        ),
      },
      'json-sent-as-table': {
        api: api(
          `return new Response(JSON.stringify([{ name: 'Ada' }]), { headers: { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="people.json"' } });`,
        ),
      },
      'jpeg-saved-as-png': {
        page: plainPage({
          body: '{isIn && <DownloadButton url="/api/mistakes/cover" filename="cover.png" />}',
        }),
      },
      'jpeg-saved-as-computed-png': {
        page: plainPage({
          use: "const names = ['cover', 'png'];",
          body: "{isIn && <DownloadButton url={'/api/mistakes/cover'} filename={names.join('.')} label=\"Save\" />}",
        }),
      },
      'table-saved-as-pdf': {
        page: plainPage({
          use: `const save = () => {
    const anchor = document.createElement('a');
    anchor.href = URL.createObjectURL(new Blob(['name,age\\\\n'], { type: 'text/csv' }));
    anchor.download = 'people.pdf';
    anchor.click();
  };`,
          body: '{isIn && <Button onClick={save}>Save</Button>}',
        }),
      },
    },
  },
];
