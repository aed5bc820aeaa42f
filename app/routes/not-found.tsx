/** Every address that is no page: the 404 page, with the site around it. */
export function loader(): never {
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- this is how Remix answers
  throw new Response(null, { status: 404 });
}

export const action = loader;

export default function NotFound() {
  return null;
}
