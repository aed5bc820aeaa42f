/** For rules that ask which layouts are over a route. */
declare const index: (file: string) => object;
declare const layout: (file: string, children: object[]) => object;
declare const route: (path: string, file: string, children?: object[]) => object;

export default [
  route('open/public', 'routes/open-public.tsx'),
  layout('routes/guarded-layout.tsx', [
    index('routes/guarded-index.tsx'),
    route('shop', 'routes/plain-layout.tsx', [route(':id', 'routes/public-in-layout.tsx')]),
  ]),
];
