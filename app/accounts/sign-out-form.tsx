/** Signs out of the site account. */
import { Form } from '@remix-run/react';
import { Button, type ButtonProps } from '~/ui/button';

export function SignOutForm({ size = 'small' }: Pick<ButtonProps, 'size'>) {
  return (
    <Form method="post" action="/sign-out" className="contents">
      <Button type="submit" tone="secondary" size={size}>
        Sign out
      </Button>
    </Form>
  );
}
