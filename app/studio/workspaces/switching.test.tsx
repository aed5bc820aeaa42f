// @vitest-environment happy-dom
/** Switching the workspace while the platform is slow to list the workspaces. */
import type { ActionFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Workspace } from '~/platform/workspaces/workspaces';
import { openPage } from '@gatehouse/platform/remix/testing';
import { toast } from '~/ui/toast';
import Studio from '../routes/studio';
import { done, feedOf, nothing } from '~/testing/studio/studio-page';
import { AccountTools } from './account-tools';

const own: Workspace = { id: 'w1', name: 'Own', role: 'owner', canGenerate: true, credits: 5 };
const press: Workspace = { ...own, id: 'w2', name: 'Press' };
const listed = (chosen: string) => ({ workspaces: { items: [own, press], chosen } });
const inPress = { ...done, id: 'g2', prompt: 'a hen' };

beforeEach(() => {
  sessionStorage.clear();
  vi.spyOn(toast, 'success').mockReturnValue(1);
});

function Page() {
  return (
    <>
      <AccountTools data={useLoaderData()} />
      <Studio />
    </>
  );
}

/** The studio in the workspace Own. The choice of another is answered when the test says so. */
async function openStudio(reloaded: () => object | Promise<object>, first: object = {}) {
  let respond: (response: Response) => void = () => undefined;
  const orders: FormData[] = [];
  const action: ActionFunction = async ({ request }) => {
    orders.push(await request.formData());
    return { ok: true, count: 1, result: { initialValue: null } };
  };
  const page = openPage(Page, {
    at: '/studio',
    loaderData: { ...feedOf([done]), ...listed('w1'), ...first },
    loader: async () => Response.json(await reloaded()),
    action,
  });
  page.fetch.mockImplementation(() => new Promise<Response>((resolve) => (respond = resolve)));
  await userEvent.type(await screen.findByRole('textbox'), 'an owl');
  await waitFor(() => {
    expect(generate().disabled).toBe(false);
  });
  page.fetch.mockClear();
  await userEvent.selectOptions(switcher(), 'Press');
  return {
    page,
    orders,
    respond: (status: number) => {
      respond(
        status === 204
          ? new Response(null, { status })
          : Response.json({ error: 'not_found' }, { status }),
      );
    },
  };
}

const switcher = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Workspace' });
const generate = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Generate/ });
const shown = () => switcher().selectedOptions[0]?.textContent;

test('while the switch is under way nothing can be ordered, and afterwards orders go to the workspace that is shown', async () => {
  // The list is late in every load that follows.
  const { orders, respond } = await openStudio(() => feedOf([inPress]));
  expect([shown(), switcher().disabled, generate().disabled]).toEqual(['Press', true, true]);
  expect(screen.getByText('Waiting for the workspace to change.')).toBeDefined();
  respond(204);
  await screen.findByRole('heading', { name: 'a hen' });
  await waitFor(() => {
    expect(generate().disabled).toBe(false);
  });
  expect(shown()).toBe('Press');
  await userEvent.click(generate());
  await waitFor(() => {
    expect(orders.map((form) => form.get('workspace'))).toEqual(['w2']);
  });
});

test('between a switch and the next load the price is not that of the previous workspace', async () => {
  const price = { total: 1, each: 1, covered: true, balance: 5 };
  let load: (data: object) => void = () => undefined;
  const { page, respond } = await openStudio(
    () => new Promise<object>((resolve) => (load = resolve)),
    { estimate: price },
  );
  respond(204);
  await waitFor(() => {
    expect([generate().textContent, generate().disabled]).toEqual(['Generate', false]);
  });
  page.fetch.mockResolvedValue(Response.json({ ...price, total: 2 }));
  await screen.findByRole('button', { name: 'Generate · 2 credits' });
  load({ ...feedOf([inPress]), ...listed('w2') });
  await screen.findByRole('heading', { name: 'a hen' });
});

test('a feed that cannot be loaded after a switch does not show the generations of the previous workspace', async () => {
  const { respond } = await openStudio(() => ({ ...nothing, error: 'upstream_unavailable' }));
  respond(204);
  await screen.findByText(/The platform is not responding/);
  expect(shown()).toBe('Press');
  expect(screen.queryByRole('heading', { name: 'a fox' })).toBeNull();
});

test('a switch that the platform refuses leaves the previous workspace in place', async () => {
  const toasted = vi.spyOn(toast, 'error').mockReturnValue(1);
  const { orders, respond } = await openStudio(() => feedOf([done]));
  respond(404);
  await waitFor(() => {
    expect([shown(), generate().disabled]).toEqual(['Own', false]);
  });
  expect(toasted).toHaveBeenCalledTimes(1);
  await userEvent.click(generate());
  await waitFor(() => {
    expect(orders.map((form) => form.get('workspace'))).toEqual(['w1']);
  });
});

test('once a load has listed the chosen workspace, a later choice made elsewhere is followed', async () => {
  const loads = [{ ...feedOf([inPress]), ...listed('w2') }];
  const { page, respond } = await openStudio(
    () => loads.shift() ?? { ...feedOf([done]), ...listed('w1') },
  );
  respond(204);
  await screen.findByRole('heading', { name: 'a hen' });
  // Chosen in another tab: learnt from the next load.
  page.fetch.mockResolvedValue(Response.json({ error: 'not_found' }, { status: 404 }));
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
  await waitFor(() => {
    expect(shown()).toBe('Own');
  });
});
