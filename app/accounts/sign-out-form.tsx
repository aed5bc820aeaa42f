/** Signs out of the site account. */
import { Form } from '@remix-run/react';
import { tellSigningOut } from '@gatehouse/frame/browser';
import { Button, type ButtonProps } from '~/ui/button';

export function SignOutForm(props: Pick<ButtonProps, 'size' | 'className'>) {
  return (
    <Form
      method="post"
      action="/sign-out"
      className="contents"
      onSubmit={() => {
        tellSigningOut('site');
      }}
    >
      <Button type="submit" tone="secondary" {...props}>
        Sign out
      </Button>
    </Form>
  );
}
