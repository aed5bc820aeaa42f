/** Signs out of the site account. */
import { Form } from '@remix-run/react';
import { Button, type ButtonProps } from '~/ui/button';

export function SignOutForm(props: Pick<ButtonProps, 'size' | 'className'>) {
  return (
    <Form method="post" action="/sign-out" className="contents">
      <Button type="submit" tone="secondary" {...props}>
        Sign out
      </Button>
    </Form>
  );
}
